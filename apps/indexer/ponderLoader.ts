import { type ModuleFormat, registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Modules that Ponder gets from `ponderStandIns.ts` instead: Vite, because Node runs the files of this package itself,
 * and those for GraphQL, telemetry and other chains, which the index does not use.
 *
 * Read in these sources of `ponderVersion`: `build/index.ts` (Vite), `build/plugin.ts` (virtual modules),
 * `utils/chains.ts`, `internal/telemetry.ts`, `index.ts` (GraphQL).
 */
const replaced = new Set([
  ...['vite', 'vite-node/client', 'vite-node/server', 'vite-node/source-map', 'vite-node/utils', 'vite-tsconfig-paths'],
  ...['viem/chains', 'conf', 'detect-package-manager', './graphql/middleware.js'],
])

const isVirtual = (url: string) => url.startsWith('ponder:')

/**
 * Makes Ponder run the files in `root` without Vite, and load only modules that the index uses. A start takes half the
 * time then. Must be called before Ponder is loaded.
 */
export async function runWithoutVite(root: string): Promise<void> {
  const ponder = new URL('.', import.meta.resolve('ponder')).href
  const standIns = new URL('ponderStandIns.ts', import.meta.url).href
  const { vitePluginPonder } = (await import(`${ponder}build/plugin.js`)) as {
    vitePluginPonder(options: { schemaFile: string }): { load(id: string): string | null }
  }
  const virtual = vitePluginPonder({ schemaFile: pathToFileURL(join(root, 'ponder.schema.ts')).href })
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL = '' } = context
      if (isVirtual(specifier)) return toModule(specifier)
      // Virtual modules import packages of Ponder.
      if (isVirtual(parentURL)) return next(specifier, { ...context, parentURL: ponder })
      if (parentURL.startsWith(ponder) && replaced.has(specifier)) return next(standIns, context)
      return isInside(specifier, context) ? toModule(new URL(specifier, parentURL).href) : next(specifier, context)
    },
    load: (url, context, next) =>
      isVirtual(url) ? { ...toModule(url), source: virtual.load(url) ?? '' } : next(url, context),
  })
}

const toModule = (url: string) => ({ url, format: 'module' satisfies ModuleFormat, shortCircuit: true })

/**
 * Returns whether a module imports another one of its own package, in the same format. For each of them Node would
 * read the package.json again, a quarter of the start.
 */
function isInside(
  specifier: string,
  { parentURL = '', conditions }: { parentURL?: string | undefined; conditions: string[] },
) {
  return (
    conditions.includes('import') &&
    parentURL.includes('/node_modules/') &&
    [specifier, parentURL].every((name) => name.endsWith('.js')) &&
    /^\.\.?\//.test(specifier)
  )
}
