import type { WalletKitConfig } from './config.ts'

/** Returns the chain that is used before a wallet is connected. */
export function initialChainId({ chains, initialChain = chains[0] }: Pick<WalletKitConfig, 'chains' | 'initialChain'>) {
  return typeof initialChain === 'object' ? initialChain.id : initialChain
}
