import type { Chains } from '../core/state/config.ts'
import type { WalletKit } from '../core/WalletKit.ts'

/**
 * Tells the hooks the type of your kit, so that they accept only the ids of its chains.
 *
 * @example
 * declare module '@lineage/wallet-kit/hooks' {
 *   interface Register { kit: typeof kit }
 * }
 */
// biome-ignore lint/suspicious/noEmptyInterface: apps add to it.
export interface Register {}

/**
 * The id of a chain of the registered kit; any number while none is registered.
 *
 * @example
 * const chainId: KitChainId = 56
 */
export type KitChainId = Register extends { kit: WalletKit<infer chains extends Chains> }
  ? chains[number]['id']
  : number
