export default {
  testTimeout: 120_000,
  // jsdom with the platform's `TextEncoder`, `fetch` and `structuredClone`, which viem uses.
  testEnvironment: 'jest-fixed-jsdom',
  transform: { '\\.[jt]sx?$': ['@swc/jest', { jsc: { transform: { react: { runtime: 'automatic' } } } }] },
  // The kit and zustand's modules are ESM, which Jest does not load as it is. The second form is pnpm's.
  transformIgnorePatterns: ['/node_modules/(?!\\.pnpm|@lineage)', '/node_modules/\\.pnpm/(?!@lineage\\+wallet-kit)'],
}
