import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { createHandledPromise } from './src/wallets/relay/handledPromise.ts'

const folder = resolve(import.meta.dirname, 'src/wallets/relay')

/** Gives the module that uses `Buffer` as a global the kit's part of it. */
const withBuffer: Plugin = {
  name: 'with-buffer',
  setup: ({ onLoad }) =>
    onLoad({ filter: /@walletconnect\/utils\/dist\/index\.es\.js$/ }, ({ path }) => ({
      contents: `import { Buffer } from ${JSON.stringify(resolve(folder, 'buffer.ts'))}\n${readFileSync(path, 'utf8')}`,
    })),
}

/** Replaces the client's own storage, which fails where `localStorage` is blocked and of which the kit uses nothing. */
const withoutStorage: Plugin = {
  name: 'without-storage',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^@walletconnect\/keyvaluestorage$/ }, ({ path }) => ({ path, namespace: 'without-storage' }))
    onLoad({ filter: /./, namespace: 'without-storage' }, () => ({ contents: 'export default class {}' }))
  },
}

/** Replaces the log, which the kit keeps silent. Where there is no window, as in Node, the client's own writes every step to the console. */
const withoutLog: Plugin = {
  name: 'without-log',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^@walletconnect\/logger$/ }, ({ path }) => ({ path, namespace: 'without-log' }))
    onLoad({ filter: /./, namespace: 'without-log' }, () => ({
      contents: `
        const write = () => {}
        const logger = { trace: write, debug: write, info: write, warn: write, error: write, fatal: write }
        export const pino = () => logger
        export const generateChildLogger = pino
        export const generatePlatformLogger = () => ({ logger })
        export const getDefaultLoggerOptions = () => ({})
        export const getLoggerContext = () => ''`,
    }))
  },
}

/** Drops error events without a listener, as those of a connection that the client has left: its emitter throws them into the page. */
const withoutThrownErrors: Plugin = {
  name: 'without-thrown-errors',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[/\\]events[/\\]events\.js$/ }, ({ path }) => ({
      contents: `${readFileSync(path, 'utf8')}
        const { emit } = EventEmitter.prototype
        EventEmitter.prototype.emit = function (type, ...given) {
          return (type !== 'error' || this.listenerCount(type) > 0) && emit.call(this, type, ...given)
        }`,
    })),
}

/** How esbuild builds the relay client: every promise in it, also those of async functions, is a handled one. */
export const relayClientOptions = {
  format: 'esm',
  target: ['es2022', 'chrome111', 'safari16.4'],
  platform: 'browser',
  minify: true,
  treeShaking: true,
  // Named as globals, Parcel would bring copies of Node's.
  define: {
    Buffer: 'globalThis.Buffer',
    process: 'globalThis.process',
    'process.env.NODE_ENV': '"production"',
  },
  supported: { 'async-await': false, 'async-generator': false, 'for-await': false },
  banner: { js: `const Promise = (${createHandledPromise})(globalThis.Promise);` },
  plugins: [withBuffer, withoutStorage, withoutLog, withoutThrownErrors],
} satisfies BuildOptions

/** Vite plugin that builds the relay client of the kit's sources in the same way. */
export function relayClient() {
  return {
    name: 'relay-client',
    load: async (id: string) => {
      if (id !== resolve(folder, 'relayClient.ts')) return undefined
      const { outputFiles } = await build({ ...relayClientOptions, entryPoints: [id], bundle: true, write: false })
      return outputFiles[0]?.text
    },
  }
}
