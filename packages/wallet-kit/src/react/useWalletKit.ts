import type { WalletKit } from '../core/createWalletKit.ts'
import { useKitContext } from './context.ts'

/**
 * The kit that the nearest `WalletKitProvider` was given: its actions, its provider and its clients.
 *
 * @example
 * ```tsx
 * const kit = useWalletKit()
 * <button onClick={() => kit.switchChain({ chainId: 56 })}>BNB Smart Chain</button>
 * ```
 */
export function useWalletKit(): WalletKit {
  return useKitContext().kit
}
