import type { MutateOptions } from '@tanstack/react-query'
import type { WalletKitErrorType } from '../core/lib/errors.ts'
import type { SendCallsParameters, SentCalls } from '../core/transactions/calls.ts'
import { type KitMutation, useKitMutation } from './useKitMutation.ts'

type SendCallsActions = {
  mutate: <const calls extends readonly unknown[]>(
    variables: SendCallsParameters<calls>,
    options?: MutateOptions<SentCalls, WalletKitErrorType, SendCallsParameters>,
  ) => void
  mutateAsync: <const calls extends readonly unknown[]>(
    variables: SendCallsParameters<calls>,
    options?: MutateOptions<SentCalls, WalletKitErrorType, SendCallsParameters>,
  ) => Promise<SentCalls>
}

export type UseSendCallsReturnType = KitMutation<SentCalls, SendCallsParameters, SendCallsActions>

/**
 * Asks the connected wallet to send several calls, like `kit.sendCalls`.
 *
 * @returns A mutation of TanStack Query: `mutate` takes the argument of `kit.sendCalls`, `data` is its result. Its
 * `error` is a `WalletKitError`.
 * @see https://eips.ethereum.org/EIPS/eip-5792
 * @example
 * ```tsx
 * const { mutate } = useSendCalls()
 * mutate({ calls: [{ to: shop, data: order }], description: 'Bought a ticket', fallback: 'sequential' })
 * ```
 */
export function useSendCalls(): UseSendCallsReturnType {
  return useKitMutation('sendCalls', (kit, parameters: SendCallsParameters) =>
    kit.sendCalls(parameters),
  ) as unknown as UseSendCallsReturnType
}
