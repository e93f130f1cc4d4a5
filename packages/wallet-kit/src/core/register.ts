import type { Chains } from './state/config.ts'
import type { WalletKit } from './WalletKit.ts'

/**
 * Tells `useWalletKit` and the hooks of `./hooks` the type of your kit, so that they accept only the ids of its chains.
 */
// biome-ignore lint/suspicious/noEmptyInterface: apps add to it.
export interface Register {}

/** The type of the registered kit; any kit while none is registered. */
export type RegisteredKit = Register extends { kit: infer kit extends WalletKit } ? kit : WalletKit

/** The id of a chain of the registered kit; any number while none is registered. */
export type KitChainId = RegisteredKit extends WalletKit<infer chains extends Chains> ? chains[number]['id'] : number
