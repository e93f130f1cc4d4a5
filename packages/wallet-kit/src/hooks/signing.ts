import type { MutateOptions, UseMutationResult } from '@tanstack/react-query'
import type { Hex, SignableMessage, SignTypedDataParameters, TypedData } from 'viem'
import { WalletKitError, type WalletKitErrorType } from '../core/lib/errors.ts'
import { type KitMutation, useKitMutation } from './useKitMutation.ts'

export type SignMessageVariables = {
  /** Text, or `{ raw }` bytes. */
  message: SignableMessage
}

export type UseSignMessageReturnType = UseMutationResult<Hex, WalletKitErrorType, SignMessageVariables>

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
export function useSignMessage(): UseSignMessageReturnType {
  return useKitMutation('signMessage', async (kit, { message }) => {
    const wallet = await kit.getWalletClient()
    return assertSignature(await wallet.signMessage({ account: wallet.account, message }))
  })
}

export type SignTypedDataVariables<
  typedData extends TypedData | Record<string, unknown> = TypedData | Record<string, unknown>,
  primaryType extends keyof typedData | 'EIP712Domain' = keyof typedData,
> = Omit<SignTypedDataParameters<typedData, primaryType>, 'account'>

type SignTypedDataActions = {
  mutate: <
    const typedData extends TypedData | Record<string, unknown>,
    primaryType extends keyof typedData | 'EIP712Domain',
  >(
    variables: SignTypedDataVariables<typedData, primaryType>,
    options?: MutateOptions<Hex, WalletKitErrorType, SignTypedDataVariables>,
  ) => void
  mutateAsync: <
    const typedData extends TypedData | Record<string, unknown>,
    primaryType extends keyof typedData | 'EIP712Domain',
  >(
    variables: SignTypedDataVariables<typedData, primaryType>,
    options?: MutateOptions<Hex, WalletKitErrorType, SignTypedDataVariables>,
  ) => Promise<Hex>
}

export type UseSignTypedDataReturnType = KitMutation<Hex, SignTypedDataVariables, SignTypedDataActions>

/**
 * Asks the connected wallet to sign typed data, which it shows field by field.
 *
 * @returns A mutation of TanStack Query: `mutate` takes `domain`, `types`, `primaryType` and `message`, `data` is the
 * signature. Its `error` is a `WalletKitError`, as in `useSignMessage`.
 * @see https://eips.ethereum.org/EIPS/eip-712
 * @example
 * ```tsx
 * const { mutateAsync } = useSignTypedData()
 * const signature = await mutateAsync({ types: { Vote: [{ name: 'for', type: 'bool' }] }, primaryType: 'Vote', message: { for: true } })
 * ```
 */
export function useSignTypedData(): UseSignTypedDataReturnType {
  return useKitMutation('signTypedData', async (kit, variables: SignTypedDataVariables) => {
    const wallet = await kit.getWalletClient()
    return assertSignature(await wallet.signTypedData({ ...variables, account: wallet.account } as never))
  }) as unknown as UseSignTypedDataReturnType
}

/** Refuses an answer that is not hex. `0x` is one: a Safe answers so when its owners have signed on chain. */
function assertSignature(answer: unknown): Hex {
  if (typeof answer !== 'string' || !/^0x([0-9a-f]{2})*$/i.test(answer))
    throw new WalletKitError('The wallet returned no valid signature.')
  return answer as Hex
}
