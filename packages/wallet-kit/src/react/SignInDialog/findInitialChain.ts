import type { Chains, WalletKitConfig } from '../../core/state/config.ts'

/**
 * Returns the chain that signing in switches to. Does not use `initialChainId` of the core: a module that core and
 * dialogs share would split the page into more files.
 */
export function findInitialChain<chains extends Chains>({
  chains,
  initialChain,
}: Pick<WalletKitConfig<chains>, 'chains' | 'initialChain'>): chains[number] {
  const id = typeof initialChain === 'object' ? initialChain.id : initialChain
  return chains.find((chain) => chain.id === id) ?? chains[0]
}
