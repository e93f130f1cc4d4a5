import type { Transaction } from '../core/state/state.ts'
import { useWalletKitState } from '../react/hooks/useWalletKitState.ts'

/**
 * Returns the progress of a transaction or of calls that were sent with a `description`, by the id in the result of
 * `useSendTransaction`, `useWriteContract` or `useSendCalls`. Also for contract wallets, whose transactions have no
 * hash until their owners have signed. Until `status` is `failed`, do not let people send it again; after `timeout` it
 * may still happen.
 *
 * @param id - `data.id`, or one of `data.ids`. While it is `undefined`, nothing is returned.
 * @returns The entry of `state.transactions`: its `status`, what it is `awaiting`, its `failureReason`, its `hash`.
 * `undefined` if the connected account has none with this id on its chain.
 * @see https://eips.ethereum.org/EIPS/eip-5792#wallet_getcallsstatus
 * @example
 * ```tsx
 * const { data } = useSendCalls()
 * const purchase = useTransactionStatus(data?.ids.at(-1))
 * if (purchase?.awaiting === 'owners') return <p>The other owners have to sign.</p>
 * return <p>{purchase?.status}</p>
 * ```
 */
export function useTransactionStatus(id: string | undefined): Transaction | undefined {
  return useWalletKitState(({ transactions }) =>
    transactions.find(({ callsId, originalHash, hash }) => id && [callsId, originalHash, hash].includes(id)),
  )
}
