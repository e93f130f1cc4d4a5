import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Modules that Ponder gets from `ponderStandIns.ts` instead, because the index does not use them.
 *
 * Read in these sources of `ponderVersion`: `build/index.ts`, `build/plugin.ts` (virtual modules), `build/stacktrace.ts`
 * and `indexing/addStackTrace.ts` (the frames of Vite that they cut), `utils/chains.ts`, `internal/telemetry.ts`,
 * `index.ts`.
 */
const replaced = new Set([
  // Run the files of this package, which Node runs itself.
  ...['vite', 'vite-node/client', 'vite-node/server', 'vite-node/source-map', 'vite-node/utils', 'vite-tsconfig-paths'],
  // Chains other than that of the configuration.
  'viem/chains',
  // Telemetry, which `start.ts` turns off.
  ...['conf', 'detect-package-manager'],
  // Answers GraphQL.
  './graphql/middleware.js',
])

const isVirtual = (url: string) => url.startsWith('ponder:')

/**
 * Makes Ponder run the files in `root` without Vite, and load only modules that the index uses. A start takes less than
 * half the time then. Must be called before Ponder is loaded, in each thread that loads it.
 */
export async function runWithoutVite(root: string): Promise<void> {
  const ponder = new URL('.', import.meta.resolve('ponder')).href
  const standIns = new URL('ponderStandIns.ts', import.meta.url).href
  const { vitePluginPonder } = (await import(`${ponder}build/plugin.js`)) as {
    vitePluginPonder(options: { schemaFile: string }): { load(id: string): string | null }
  }
  const virtual = vitePluginPonder({ schemaFile: pathToFileURL(join(root, 'ponder.schema.ts')).href })
  const findModule = createModuleFinder()
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL = '' } = context
      if (isVirtual(specifier)) return toModule(specifier)
      // Virtual modules import packages of Ponder.
      if (isVirtual(parentURL)) return next(specifier, { ...context, parentURL: ponder })
      if (parentURL.startsWith(ponder) && replaced.has(specifier)) return next(standIns, context)
      return findModule(specifier, parentURL, () => next(specifier, context))
    },
    load: (url, context, next) =>
      isVirtual(url) ? { ...toModule(url), source: virtual.load(url) ?? '' } : next(url, context),
  })
}

const toModule = (url: string) => ({ url, format: 'module', shortCircuit: true })

type Resolved = { url: string; format?: string | null | undefined }

/**
 * Returns a function that finds the files that packages import by a relative path. It asks Node once for each folder:
 * all `.js` files of a folder have the format of the nearest package.json, which Node would read again for each of
 * them, a quarter of the start.
 */
function createModuleFinder() {
  const foldersOfModules = new Set<string>()
  return (specifier: string, parentURL: string, askNode: () => Resolved) => {
    if (!/^\.\.?\/.*\.js$/.test(specifier) || !parentURL.startsWith('file:')) return askNode()
    const { href } = new URL(specifier, parentURL)
    const folder = href.slice(0, href.lastIndexOf('/'))
    if (foldersOfModules.has(folder)) return toModule(href)
    const found = askNode()
    if (found.format === 'module' && found.url === href) foldersOfModules.add(folder)
    return found
  }
}
