import { createRequire } from 'node:module'
import { findLanguage } from '@lineage/referral-api/language'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defaultServerConditions, type Plugin, type Rolldown } from 'vite'
import { defineConfig } from 'vitest/config'
import { relayClient } from '../../packages/wallet-kit/buildRelayClient.ts'
import { shared } from '../../scripts/vitest/shared.ts'
import type { ScriptList } from './src/server.tsx'

// The product's server answers /v1 while Vite serves the page.
const proxy = { '/v1': process.env.LINEAGE_SERVER ?? `http://127.0.0.1:${process.env.PORT ?? 5173}` }

/** Modules that every page reaches through index files of viem, react-query and MUI, but few pages use. */
const usedByFew = new RegExp(
  `node_modules/(${[
    '(viem|ox|abitype|@noble|@scure)/',
    '@mui/material/(InputBase|TextareaAutosize|FilledInput)/',
    '@tanstack/[\\w-]+/build/modern/(useQueries|queriesObserver|useMutation|useMutationState|mutationObserver)\\.js$',
  ].join('|')})`,
)

/** Modules of those packages that every page uses: address checksums. */
const usedByAll = new RegExp(
  `node_modules/(${[
    'viem/_esm/errors/(address|base|data|encoding|utils|version)',
    'viem/_esm/utils/(address/(get|is)Address|data/(isHex|pad|size|trim)|encoding/(fromHex|toBytes|toHex)|hash/keccak256|lru)',
    '@noble/hashes/esm/(_u64|crypto|sha3|utils)',
  ].join('|')})\\.js$`,
)

/** Modules of an answer that are shown only after a press, or in few states. */
const shownLater =
  /\/(\w*Dialogs?|layers|kit|fallbackTransport|\w*Menu|NavDrawer|DemoNote|Toasts|Labels|NameAnswer|Past(Card|Lists|Downline|Answer|Metrics)|CommunitiesPage|StartFigure|RelationPage|DisputePage|DisputeSheet|PairPage|toSheetCsv|AccountData|ActionsRow|List(Page|View|Table)|ExampleMembers|SearchStart|Suggestions|BindToReferrer|ReferralsTable|IndexingView|WithheldView|AlertsBell|AlertSettings|AddressName|scanQrCode|drawCard|toSvg|syncLabels|browserLabels|MomentForm|parseList|useWindowRows|checkHops|readAccounts|toListCsv|useAddressList|followCommunity|TeamCompare|DaysForm|FilterPanel)\.tsx?$/

/** Modules of pages without an address that load later than those of the lookup, and those that they share with answers. */
const shownWithoutAnswer =
  /\/src\/(parameters|shared\/(frame\/(DemoBadge|RadioRow|lazyMenu)|labels\/WatchedAddresses|address\/(AddressText|useCopy)|lookup\/Section))\.tsx?$|\/(MoreHoriz|EditNote|WarningAmber)Outlined\.\w+$/

/**
 * Puts the modules that the pages need into few chunks, because on a slow connection each request costs as much as many
 * kilobytes: those of every page, of every lookup without its answer, of every answer, of each lookup's answer, and of what happened in
 * a period.
 */
function chunkOf(): Rolldown.CodeSplittingNameFunction {
  const frame = new Set<string>()
  const lookup = new Set<string>()
  return (id, graph) => {
    if (usedByFew.test(id) && !usedByAll.test(id)) return null
    if (/\/zustand\//.test(id)) return 'frame'
    const isReached = (from: Set<string>, isFirst: (id: string) => boolean | undefined) => {
      const seen = new Set([id])
      for (const module of seen) {
        if (isFirst(module) || from.has(module)) return from.add(id)
        for (const importer of graph.getModuleInfo(module)?.importers ?? []) seen.add(importer)
      }
      return undefined
    }
    if (isReached(frame, (one) => graph.getModuleInfo(one)?.isEntry)) return 'frame'
    if (/\/src\/routes\//.test(id)) return null
    if (/\/src\/features\/metrics\/(MetricsView|Totals)\./.test(id)) return 'totals'
    if (isReached(lookup, (one) => /\/src\/routes\/|\/ScanButton\./.test(one))) return 'lookup'
    if (shownWithoutAnswer.test(id)) return 'lookup'
    if (shownLater.test(id)) return null
    if (/\/src\/shared\/period\/(Activity|Risers)\.tsx$/.test(id)) return 'development'
    if (/\/src\/shared\/period\/\w+\.ts$/.test(id)) return 'period'
    if (
      /\/src\/(lib|shared\/(lookup|address|charts|csv|labels|share|past|frame))\/\w+\.tsx?$|\/(EditNote|Star|StarOutline|Link|OpenInNew|ContentCopy|PhotoCameraBack|WarningAmber)Outlined\.\w+$|nfiniteQuery/.test(
        id,
      )
    )
      return 'answer'
    return /\/src\/features\/(\w+)\/\w+\.tsx?$/.exec(id)?.[1] ?? null
  }
}

/**
 * Chunks whose imports are preloaded: pages and dialogs. Preload lists are part of the first load, so other chunks
 * load their imports one after the other.
 */
const isWaitedFor = /\/(Community|Metrics|Search|Referrals|Referrers|Dialogs)-/

/** Returns the production build of a package: react-router resolves to `development` for every bundler. */
const require = createRequire(createRequire(import.meta.url).resolve('react-router-dom'))
const inProduction = (name: string) => require.resolve(name).replace(/development(.*)\.m?js$/, 'production$1.mjs')

/** Writes for the server's renderer which script each source file is in, and what each script imports. */
const listScripts = (): Plugin => ({
  name: 'list-scripts',
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

export default defineConfig(({ command }) => ({
  plugins: [react(), relayClient(), dropUnusedComponents(), compileNoSchemas(), listScripts(), renderInDevelopment()],
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
    include: ['src/**/*.test.{ts,tsx}'],
  },
}))
