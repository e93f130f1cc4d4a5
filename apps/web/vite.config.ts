import { createRequire } from 'node:module'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, type Rolldown } from 'vite'
import { defineConfig } from 'vitest/config'
import { relayClient } from '../../packages/wallet-kit/buildRelayClient.ts'
import { shared } from '../../scripts/vitest/shared.ts'
import { firstPaint } from './firstPaint.ts'
import { preloadScripts } from './preloadScripts.ts'

// The product's server answers /v1 while Vite serves the page.
const proxy = { '/v1': process.env.LINEAGE_SERVER ?? `http://127.0.0.1:${process.env.PORT ?? 5173}` }

/** Modules that every page reaches through index files of viem, react-query and MUI, but few pages use. */
const usedByFew = new RegExp(
  `node_modules/(${[
    '(viem|ox|abitype|@noble|@scure)/',
    '@mui/material/(InputBase|TextareaAutosize|FilledInput)/',
    '@tanstack/[\\w-]+/build/modern/(useQueries|queriesObserver|useInfiniteQuery|infiniteQueryObserver|useMutation|useMutationState|mutationObserver)\\.js$',
  ].join('|')})`,
)

/** Modules of those packages that every page uses: chain clients and address checksums. */
const usedByAll = new RegExp(
  `node_modules/(${[
    'viem/_esm/(accounts/utils/parseAccount|chains/definitions/bsc)',
    'viem/_esm/clients/(createClient|transports/(createTransport|custom))',
    'viem/_esm/errors/(address|base|data|encoding|request|rpc|utils|version)',
    'viem/_esm/utils/(address/(get|is)Address|buildRequest|chain/defineChain|data/(isHex|pad|size|trim))',
    'viem/_esm/utils/(encoding/(fromHex|toBytes|toHex)|hash/keccak256|lru|promise/with(Cache|Dedupe|Retry)|rpc/id|stringify|uid|wait)',
    '@noble/hashes/esm/(_u64|crypto|sha3|utils)',
  ].join('|')})\\.js$`,
)

/** Puts the modules that every page needs into one chunk, instead of one per combination of pages. */
function firstLoad(): Rolldown.CodeSplittingNameFunction {
  const reached = new Set<string>()
  return (id, graph) => {
    if (usedByFew.test(id) && !usedByAll.test(id)) return null
    const seen = new Set([id])
    for (const module of seen) {
      const info = graph.getModuleInfo(module)
      if (info?.isEntry || reached.has(module)) {
        reached.add(id)
        return 'frame'
      }
      for (const importer of info?.importers ?? []) seen.add(importer)
    }
    return null
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

export default defineConfig({
  plugins: [react(), relayClient(), preloadScripts(), firstPaint()],
  // The server replaces it with a fresh nonce for each response.
  html: { cspNonce: '__NONCE__' },
  resolve: {
    conditions: ['@lineage/source', ...defaultClientConditions],
    alias: [
      { find: /^react-router$/, replacement: inProduction('react-router') },
      { find: /^react-router\/dom$/, replacement: inProduction('react-router/dom') },
    ],
  },
  build: {
    target: ['chrome111', 'edge111', 'firefox113', 'safari16.4'],
    chunkSizeWarningLimit: 700,
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, files) => (isWaitedFor.test(file) ? files : []),
    },
    // The content security policy has no `data:`.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: firstLoad(), includeDependenciesRecursively: false }] },
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
})
