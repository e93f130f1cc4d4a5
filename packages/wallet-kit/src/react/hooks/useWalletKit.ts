import type { RegisteredKit } from '../../core/WalletKit.ts'
import { useWalletKitContext } from '../WalletKitContext.ts'

/**
 * Returns the kit of the nearest `WalletKitProvider`: its actions, clients and EIP-1193 provider. Throws while the
 * provider has no kit yet; with `{ shouldThrow: false }` it returns `undefined` then. Its chain ids are those of the
 * registered kit, see `Register`.
 *
 * @throws {Error} without a provider, or while it has no kit
 * @example
 * ```tsx
 * const kit = useWalletKit()
 * return <button onClick={() => kit.switchChain({ chainId: 56 })}>BNB Smart Chain</button>
 * ```
 */
export function useWalletKit(): RegisteredKit
export function useWalletKit(options: { shouldThrow: false }): RegisteredKit | undefined
export function useWalletKit({ shouldThrow = true }: { shouldThrow?: boolean } = {}): RegisteredKit | undefined {
  const { kit } = useWalletKitContext()
  if (!kit && shouldThrow)
    throw new Error('WalletKitProvider has no kit yet. Call useWalletKit({ shouldThrow: false }).')
  return kit as RegisteredKit | undefined
}
