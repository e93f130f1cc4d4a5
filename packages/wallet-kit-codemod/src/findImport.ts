import { existsSync } from 'node:fs'
import { dirname, extname, join, relative } from 'node:path'

/** Returns the source by which a file imports another file of the app, of its sources. */
export const findImport = (from: string, sources: readonly string[], target: string): string | undefined =>
  sources.find((it) => leadsTo(from, it, target))

/**
 * Returns a new import source for another file of the app, or `undefined` if that is in another package.
 *
 * @param from - Path of the importing file.
 * @param sources - Sources that it imports.
 * @param target - Path of the other file.
 */
export function writeImport(from: string, sources: readonly string[], target: string): string | undefined {
  if (findPackage(from) !== findPackage(target)) return undefined
  const path = relative(dirname(from), target).replaceAll('\\', '/')
  const source = path.startsWith('.') ? path : `./${path}`
  return withoutEnding(source) + endingLike(sources, extname(target))
}

const ending = /\.[cm]?[jt]sx?$/
const withoutEnding = (source: string) => source.replace(ending, '')

/** Returns the ending for an import of a file, in the manner of the other imports: none, `.ts`, or `.js` for `.ts`. */
function endingLike(sources: readonly string[], own: string): string {
  const written = sources.find((it) => it.startsWith('.') && ending.test(it))
  if (written === undefined) return ''
  return /\.[cm]?js/.test(extname(written)) ? own.replace(/tsx?$/, 'js') : own
}

/** Returns whether an import leads to a file, by its path or by an alias such as `@/wagmi`. */
function leadsTo(from: string, source: string, target: string): boolean {
  const bare = withoutEnding(target).replace(/\/index$/, '')
  const wanted = withoutEnding(source)
  if (source.startsWith('.')) return join(dirname(from), wanted) === bare
  return /^[@~#]?\//.test(wanted) && bare.endsWith(wanted.replace(/^[@~#]?\//, '/'))
}

/** Returns the folder of the nearest `package.json`. */
function findPackage(path: string): string | undefined {
  const folder = dirname(path)
  if (existsSync(join(folder, 'package.json'))) return folder
  return folder === dirname(folder) ? undefined : findPackage(folder)
}
