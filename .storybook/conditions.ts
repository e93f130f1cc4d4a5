import { join } from 'node:path'

/** Export conditions of Vite plus our own, which resolves the packages of this repository to their sources. */
export const conditions = ['@lineage/source', 'module', 'browser', 'development|production', 'default']

/** The relay client imports dialogs that it never opens; they are not installed. */
export const alias = {
  '@reown/appkit/core': join(import.meta.dirname, '../packages/wallet-kit/src/wallets/relay/appKit.ts'),
}
