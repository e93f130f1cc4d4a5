import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { findLanguage } from '@lineage/referral-api/language'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defaultServerConditions, type Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { relayClient } from '../../packages/wallet-kit/buildRelayClient.ts'
import { shared } from '../../scripts/vitest/shared.ts'
import { chunkOf } from './chunks.ts'
import { pages } from './src/paths.ts'
import type { ScriptList } from './src/server.tsx'

// The product's server answers /v1 while Vite serves the page.
const proxy = { '/v1': process.env.LINEAGE_SERVER ?? `http://127.0.0.1:${process.env.PORT ?? 5173}` }

/**
 * Chunks whose imports are preloaded: pages and dialogs. Preload lists are part of the first load, so other chunks
 * load their imports one after the other.
 */
const routes = readdirSync(new URL('src/routes', import.meta.url)).map((file) => file.replace('.tsx', ''))
const isWaitedFor = new RegExp(`/(${routes.join('|')}|Dialogs)-`)

/** Returns the production build of a package: react-router resolves to `development` for every bundler. */
const require = createRequire(createRequire(import.meta.url).resolve('react-router-dom'))
const inProduction = (name: string) => require.resolve(name).replace(/development(.*)\.m?js$/, 'production$1.mjs')

/** Writes for the server the paths of the pages, which script each source file is in, and what each script imports. */
const listForServer = (): Plugin => ({
  name: 'list-for-server',
  applyToEnvironment: ({ name }) => name === 'client',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
    const source = (id: string) => /\/apps\/web\/(src\/.+)$/.exec(id)?.[1] ?? []
    const files = chunks.flatMap(({ fileName, moduleIds }) => moduleIds.flatMap(source).map((name) => [name, fileName]))
    // `import()` names the script of a module itself, where there is one, even if another script has its code.
    const own = chunks.flatMap(({ fileName, facadeModuleId }) =>
      facadeModuleId ? [[source(facadeModuleId), fileName]] : [],
    )
    const imports = chunks.map((chunk) => [chunk.fileName, chunk.imports])
    const list: ScriptList = { files: Object.fromEntries([...files, ...own]), imports: Object.fromEntries(imports) }
    this.emitFile({ type: 'asset', fileName: '.vite/scripts.json', source: JSON.stringify(list) })
    const paths = Object.values(pages).map(({ path }) => path)
    this.emitFile({ type: 'asset', fileName: '.vite/paths.json', source: JSON.stringify(paths) })
  },
})

/** Marks the components of react-router as free of side effects and removes their names, so that the build leaves out unused ones. */
const dropUnusedComponents = (): Plugin => ({
  name: 'drop-unused-components',
  transform: {
    filter: { id: /\/react-router\/dist\// },
    handler: (code) => ({
      code: code
        .replaceAll(/= (React\d*\.(forwardRef|createContext|memo)\()/g, '= /* @__PURE__ */ $1')
        .replaceAll(/^ *\w+\.displayName = "[\w.]+";$/gm, ''),
      map: null,
    }),
  },
})

/** Keeps zod from trying to compile code: the policy of the page forbids it, and Firefox reports the attempt. */
const compileNoSchemas = (): Plugin => ({
  name: 'compile-no-schemas',
  transform: {
    filter: { id: /\/referral-api\/src\/schemas\.ts$/ },
    handler: (code) => ({
      code: code.replace(/^import \* as z from .*$/m, '$&\nz.config({ jitless: true })'),
      map: null,
    }),
  },
})

/** Renders the pages in development too. Without an answer, the browser renders them. */
const renderInDevelopment = (): Plugin => ({
  name: 'render-in-development',
  apply: 'serve',
  transformIndexHtml: {
    order: 'post',
    async handler(html, { server, originalUrl = '/' }) {
      if (!server) return html
      try {
        const { renderPage, splitTemplate, toDocument } = (await server.ssrLoadModule(
          '/src/server.tsx',
        )) as typeof import('./src/server.tsx')
        const { searchParams } = new URL(originalUrl, 'http://localhost')
        const ask: typeof fetch = (path) => fetch(new URL(String(path), proxy['/v1']))
        const language = findLanguage(searchParams.get('lang'), undefined)
        const page = await renderPage({ url: originalUrl, language, fetch: ask })
        return toDocument(splitTemplate(html), undefined, page)
      } catch {
        return html
      }
    },
  },
})

/** Loads scripts with `__import` of `lazyWithPreload.tsx`, which also works after one was lost. */
const importAgain = (): Plugin => ({
  name: 'import-again',
  applyToEnvironment: ({ name }) => name === 'client',
  generateBundle: {
    // Vite first lists what each `import()` needs.
    order: 'post',
    handler(_, bundle) {
      for (const output of Object.values(bundle))
        if (output.type === 'chunk') output.code = output.code.replaceAll(/\bimport\((?=`\.\/)/g, '__import(')
    },
  },
})

export default defineConfig(({ command }) => ({
  plugins: [
    react(),
    relayClient(),
    dropUnusedComponents(),
    compileNoSchemas(),
    listForServer(),
    importAgain(),
    renderInDevelopment(),
  ],
  resolve: {
    conditions: ['@lineage/source', ...defaultClientConditions],
    alias: [
      { find: /^react-router$/, replacement: inProduction('react-router') },
      { find: /^react-router\/dom$/, replacement: inProduction('react-router/dom') },
    ],
  },
  build: {
    target: ['chrome111', 'edge111', 'firefox115', 'safari16.4'],
    chunkSizeWarningLimit: 700,
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, files) => (isWaitedFor.test(file) ? files : []),
    },
    // The content security policy has no `data:`.
    assetsInlineLimit: 0,
  },
  // The app for browsers, and its renderer for the server.
  builder: {},
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: { codeSplitting: { groups: [{ name: chunkOf(), includeDependenciesRecursively: false }] } },
        },
      },
    },
    ssr: {
      // The folder of the build has no packages. In development, Node loads most of them itself.
      resolve: {
        noExternal: command === 'build' || ['react-router-dom', 'react-router'],
        conditions: ['@lineage/source', ...defaultServerConditions],
      },
      define: { 'process.env.NODE_ENV': '"production"' },
      build: {
        outDir: 'dist/server',
        copyPublicDir: false,
        rolldownOptions: { input: 'src/server.tsx', output: { entryFileNames: 'render.js' } },
      },
    },
  },
  server: { proxy },
  preview: { proxy },
  test: {
    ...shared,
    environment: 'jsdom',
    setupFiles: [...shared.setupFiles, './test/setup.ts'],
    include: ['{src,test}/**/*.test.{ts,tsx}'],
  },
}))
