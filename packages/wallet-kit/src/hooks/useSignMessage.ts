import type { UseMutationResult } from '@tanstack/react-query'
import type { Hex, SignableMessage } from 'viem'
import type { WalletKitErrorType } from '../core/lib/errors.ts'
import { useKitMutation } from './useKitMutation.ts'

export type SignMessageVariables = {
  /** Text, or `{ raw }` bytes. */
  message: SignableMessage
}

/**
 * Asks the connected wallet to sign a message. To prove an account to a server, use sign-in.
 *
 * @returns A mutation of TanStack Query: `mutate` takes the `message`, `data` is the signature. Its `error` is a
 * `WalletKitError`: `UserRejectedError` when the person rejected the request, `WalletNotAvailableError` while nothing
 * is connected, `ChainError` on an unsupported chain.
 * @see https://eips.ethereum.org/EIPS/eip-191
 * @example
 * ```tsx
 * const { mutate, data: signature } = useSignMessage()
 * mutate({ message: 'I was here.' })
 * ```
 */
export function useSignMessage(): UseMutationResult<Hex, WalletKitErrorType, SignMessageVariables> {
  return useKitMutation('signMessage', async (kit, { message }) => {
    const wallet = await kit.getWalletClient()
    return wallet.signMessage({ account: wallet.account, message })
  })
}
