// Which way imports point (see README.md). Tests and stories may look anywhere inside their own package.
const kit = 'packages/wallet-kit/src'

const shownOrTested = String.raw`\.(test|stories)\.tsx?$`

/** Lets `from` import only modules that match `to`. Packages in node_modules are not restricted. */
const only = (name, from, to) => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: shownOrTested },
  to: {
    pathNot: [...to, 'node_modules', '^node:', '^scripts/vitest/'],
    dependencyTypesNot: ['core', 'npm', 'npm-dev', 'npm-peer'],
  },
})

/** Lets `from` import only these packages. */
const packages = (name, from, names) => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: shownOrTested },
  to: { path: 'node_modules', pathNot: names.map((one) => `node_modules/${one}(/|$)`) },
})

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    // The examples' own tests install what they import.
    {
      name: 'resolvable',
      severity: 'error',
      from: { pathNot: '^examples/' },
      to: { couldNotResolve: true },
    },

    // The configuration refers to texts by their keys.
    only('kit-core', `^${kit}/core`, [`^${kit}/(core|locales/locales)`]),
    {
      name: 'kit-core-has-no-texts',
      severity: 'error',
      from: { path: `^${kit}/core`, pathNot: shownOrTested },
      to: { path: `^${kit}/locales`, dependencyTypesNot: ['type-only'] },
    },
    only('kit-core-lib', `^${kit}/core/lib`, [`^${kit}/core/lib`]),
    packages('kit-core-packages', `^${kit}/core`, ['viem', 'zustand']),
    only('kit-wallets', `^${kit}/wallets`, [`^${kit}/(wallets|core)`]),
    only('kit-locales', `^${kit}/locales`, [`^${kit}/locales`]),
    only('kit-siwe', `^${kit}/siwe`, [`^${kit}/(siwe|core)`]),
    packages('kit-siwe-packages', `^${kit}/siwe`, ['viem']),
    only('kit-react', `^${kit}/react`, [`^${kit}/(react|core|locales)`]),
    only('kit-hooks', `^${kit}/hooks`, [`^${kit}/(hooks|core|react/hooks)`]),
    packages('kit-hooks-packages', `^${kit}/hooks`, ['react', '@types/react', 'viem', '@tanstack/react-query']),
    only('kit-wagmi', `^${kit}/wagmi`, [`^${kit}/(wagmi|core)`]),
    packages('kit-wagmi-packages', `^${kit}/wagmi`, ['viem', 'wagmi']),
    only('kit-ens', `^${kit}/ens`, [`^${kit}/(ens|core)`]),
    packages('kit-ens-packages', `^${kit}/ens`, ['viem']),
    only('kit-testing', `^${kit}/testing`, [`^${kit}/(testing|core)`]),
    {
      name: 'kit-exports-are-for-others',
      severity: 'error',
      from: { path: `^${kit}/(?!exports)` },
      to: { path: `^${kit}/exports` },
    },
    {
      name: 'kit-only-through-its-exports',
      severity: 'error',
      from: { pathNot: '^packages/wallet-kit/' },
      to: { path: '^packages/wallet-kit/', pathNot: `^(${kit}/exports|packages/wallet-kit/buildRelayClient)` },
    },

    {
      name: 'examples-stand-alone',
      severity: 'error',
      from: { path: '^examples/([^/]+)/' },
      to: {
        path: '^(packages|apps|scripts|examples)/',
        pathNot: ['^examples/$1/', 'node_modules', '^examples/[.]kit/'],
      },
    },

    only('forest-stands-alone', '^packages/forest/src', ['^packages/forest/src']),
    packages('forest-has-no-packages', '^packages/forest/src', []),
    only('forest-lib', '^packages/forest/src/lib', ['^packages/forest/src/(lib|types|errors)']),
    only('database', '^packages/database/src', ['^packages/(database|referral-api)/src']),
    only('communities', '^packages/communities/src', ['^packages/(communities|referral-api)/src']),
    only('api-stands-alone', '^packages/referral-api/src', ['^packages/referral-api/src']),
    only('web', '^apps/web/src', ['^apps/web', `^${kit}/exports`, '^packages/referral-api/src']),
    only('reader', '^apps/reader', [
      '^apps/reader',
      '^packages/(communities|database|referral-api)/src',
      '^scripts/(lib/createRandom.ts|demo-chain/contract/Multicall3.json)',
    ]),
    only('server', '^apps/server', [
      '^apps/server',
      '^packages/(communities|database|forest|referral-api)/src',
      `^${kit}/exports/siwe-server`,
      '^scripts/lib/createRandom.ts',
      '^packages/forest/bench/community.ts',
    ]),
    // The thread of the forests knows nothing of HTTP, accounts and alerts.
    only('server-forests', '^apps/server/src/(follow|lookups)', [
      '^apps/server/src/(follow|lookups|lib)',
      '^packages/(communities|database|forest|referral-api)/src',
    ]),
    {
      name: 'lookups-do-not-know-each-other',
      severity: 'error',
      from: { path: '^apps/web/src/features/([^/]+)/', pathNot: shownOrTested },
      to: { path: '^apps/web/src/features/', pathNot: '^apps/web/src/features/$1/' },
    },
    only('web-shared', '^apps/web/src/(shared|lib)', [
      '^apps/web/src/(shared|lib|locales|demo)',
      '^apps/web/src/(paths|parameters).ts',
      `^${kit}/exports`,
      '^packages/referral-api/src',
    ]),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/(dist|reports|storybook-static|generated|fixtures|[.]kit|[.]next)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      conditionNames: ['@lineage/source', 'import', 'types', 'default'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
  },
}
