import { join } from 'node:path'

/** Vite's own export conditions and ours: the packages of this repository are shown from their sources. */
export const conditions = ['@lineage/source', 'module', 'browser', 'development|production', 'default']

/** The relay client names dialogs that it never opens; they are not installed. */
export const alias = {
  '@reown/appkit/core': join(import.meta.dirname, '../packages/wallet-kit/src/wallets/relay/appKit.ts'),
}
