import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, relative, resolve } from 'node:path'
import type { Note } from './SourceFile.ts'
import { type FindKit, type FoundKit, transform } from './transform.ts'

export type Outcome = {
  /** Changed files, each with its numbers of added and removed lines. */
  changed: { file: string; added: number; removed: number }[]
  notes: Note[]
}

/**
 * Rewrites an app from RainbowKit to the kit. Files are written after all are rewritten; a file that cannot be
 * rewritten is left unchanged, with a note.
 *
 * @param folder - The folder of the app, or one of its files.
 * @param isDryRun - Whether to leave the files as they are.
 */
export function migrate(folder: string, isDryRun: boolean): Outcome {
  const files = findFiles(folder).map((path) => ({ path, before: readFileSync(path, 'utf8') }))
  const outcome: Outcome = { changed: [], notes: [] }
  const rewritten: { path: string; text: string }[] = []
  const results = rewriteFiles(files)
  for (const { path, before } of files) {
    const result = results.get(path)
    if (!result) continue
    const name = relative(process.cwd(), path)
    outcome.notes.push(...findStyles(name, before), ...result.notes)
    if (result.text === before) continue
    const [added, removed] = [countNew(before, result.text), countNew(result.text, before)]
    outcome.changed.push({ file: name, added, removed })
    rewritten.push({ path, text: result.text })
  }
  if (!isDryRun) for (const { path, text } of rewritten) writeFileSync(path, text)
  return outcome
}

type File = { path: string; before: string }

/** Rewrites files, those that create a kit last: they export it if another file takes it. */
function rewriteFiles(files: readonly File[]): Map<string, ReturnType<typeof transform>> {
  const kits = findKits(files)
  const taken = new Set<string>()
  const results = new Map<string, ReturnType<typeof transform>>()
  const creates = ({ path }: File) => kits.some((it) => it.path === path)
  for (const { path, before } of files.toSorted((a, b) => Number(creates(a)) - Number(creates(b)))) {
    const findKit: FindKit = (sources) => {
      const found = chooseKit(path, sources, kits)
      if (found) taken.add(found.path)
      return found
    }
    const name = relative(process.cwd(), path)
    results.set(path, tryTransform(name, before, kits.length > 0 ? findKit : undefined, taken.has(path)))
  }
  return results
}

const ignored = /^(node_modules|dist|build|out|coverage|\..*)$/
const isSource = /(?<!\.d)\.([mc]?[tj]sx?|css|scss|sass|less)$/

function findFiles(path: string): string[] {
  if (!existsSync(path)) throw new Error(`${path} does not exist. Name the folder of your app.`)
  if (statSync(path).isFile()) return [resolve(path)]
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const inside = join(resolve(path), entry.name)
    if (entry.isDirectory()) return ignored.test(entry.name) ? [] : findFiles(inside)
    // A symbolic link may lead to a file outside of the app.
    return entry.isFile() && isSource.test(entry.name) ? [inside] : []
  })
}

type Kit = { path: string; kit: string }

/** Returns the kits that files create, now or since an earlier run. */
function findKits(files: readonly File[]): Kit[] {
  return files.flatMap(({ path, before: text }) => {
    const kit = tryTransform(path, text).kit ?? /^export const (\w+) = \w*[cC]reateWalletKit\(/m.exec(text)?.[1]
    return kit === undefined ? [] : [{ path, kit }]
  })
}

/** Chooses the kit whose file is imported already. The only kit is imported anew. */
function chooseKit(from: string, sources: readonly string[], kits: readonly Kit[]): FoundKit | undefined {
  const present = kits.map((it) => ({ ...it, source: findImport(from, sources, it.path) })).find((it) => it.source)
  const [kit] = kits
  if (present || !kit || kits.length > 1) return present
  return { ...kit, source: writeImport(from, sources, kit.path) }
}

const tryTransform: typeof transform = (path, text, ...rest) => {
  if (isStyle.test(path)) return { text, notes: [], kit: undefined }
  try {
    return transform(path, text, ...rest)
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    return { text, notes: [{ file: path, line: 1, text: `It could not be rewritten: ${reason}` }], kit: undefined }
  }
}

/** Returns the number of lines that the first text does not have. */
function countNew(before: string, after: string): number {
  const left = new Map<string, number>()
  for (const line of before.split('\n')) left.set(line, (left.get(line) ?? 0) + 1)
  return after.split('\n').filter((line) => {
    const count = left.get(line) ?? 0
    left.set(line, count - 1)
    return count <= 0
  }).length
}

/** Matches the paths of style sheets. */
const isStyle = /\.(css|scss|sass|less)$/

/** Adds notes on RainbowKit’s style sheet, attributes and CSS variables in a style sheet or in code. */
const findStyles = (path: string, text: string): Note[] =>
  text.split('\n').flatMap((line, index) => {
    const at = { file: path, line: index + 1 }
    if (isStyle.test(path) && line.includes('@rainbow-me/rainbowkit'))
      return [{ ...at, text: 'Remove this: the kit has no style sheet.' }]
    return /data-rk\b|--rk-/.test(line)
      ? [{ ...at, text: 'The kit has no `data-rk` and no `--rk-…`. Change how it looks with a theme.' }]
      : []
  })

/** Returns the source by which a file imports another file of the app, of its sources. */
const findImport = (from: string, sources: readonly string[], target: string): string | undefined =>
  sources.find((it) => leadsTo(from, it, target))

/**
 * Returns a new import source for another file of the app, or `undefined` if that is in another package.
 *
 * @param from - Path of the importing file.
 * @param sources - Sources that it imports.
 * @param target - Path of the other file.
 */
function writeImport(from: string, sources: readonly string[], target: string): string | undefined {
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
