import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { vi } from 'vitest'
import { relayClient } from '../buildRelayClient.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const entry = '\0page'

export type BuildPageOptions = {
  /** Replacements of packages, by name. */
  instead?: Record<string, string>
  /** In development, React reports faulty use, and runs effects twice in strict mode. @default 'production' */
  mode?: 'production' | 'development'
}

const pages = new Map<string, Promise<ReadonlyMap<string, string>>>()

/**
 * Builds the script of a browser test's page like an app would, once for all test files of a worker. Returns its files by
 * path, `/index.js` first.
 */
export function buildPage(source: string, options: BuildPageOptions = {}): Promise<ReadonlyMap<string, string>> {
  const key = JSON.stringify([source, options])
  const files = pages.get(key) ?? buildFiles(source, options)
  pages.set(key, files)
  return files
}

const relay = relayClient()
const loaded = new Map<string, ReturnType<typeof relay.load>>()
/** Builds the relay client for the first page, and keeps it for the others: it is the same in all. */
const relayClientOnce = {
  ...relay,
  load(id: string) {
    const code = loaded.get(id) ?? relay.load(id)
    loaded.set(id, code)
    return code
  },
}

async function buildFiles(
  source: string,
  { instead = {}, mode = 'production' }: BuildPageOptions,
): Promise<ReadonlyMap<string, string>> {
  const replaced = Object.entries(instead).map(([name, other]) => [name, join(root, 'node_modules', other)])
  // Vite chooses the build of React by this variable, which is `test` here.
  vi.stubEnv('NODE_ENV', mode)
  const built = await build({
    root,
    configFile: false,
    logLevel: 'error',
    resolve: {
      conditions: ['@lineage/source', 'import', 'module', 'browser', 'default'],
      alias: Object.fromEntries(replaced),
    },
    build: {
      write: false,
      minify: 'oxc',
      modulePreload: false,
      rollupOptions: { input: { index: entry }, output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' } },
    },
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === entry ? entry : undefined),
        load: (id) => (id === entry ? source : undefined),
      },
      relayClientOnce,
    ],
  }).finally(() => vi.unstubAllEnvs())
  const outputs = [built].flat().flatMap((it) => ('output' in it ? it.output : []))
  return new Map(outputs.flatMap((it) => (it.type === 'chunk' ? [[`/${it.fileName}`, it.code]] : [])))
}
