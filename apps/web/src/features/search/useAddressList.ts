import type { Address, Batch } from '@lineage/referral-api'
import { type UseQueryResult, useQueries, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { retryDelay, useApi } from '../../lib/api.ts'
import { useKit } from '../../lib/wallet.ts'
import type { AddressList } from '../../shared/address/parseList.ts'
import { type Failure, toFailure } from '../../shared/lookup/failure.ts'
import type { OnChain } from './readAccounts.ts'

type Card = NonNullable<Batch['items'][number]['card']>

/** An address of a list; `undefined` while nothing is known yet. */
export type ListRow = {
  address: Address
  /** Where it stood in the list. */
  line: number
  card: Card | 'stranger' | 'failed' | undefined
  chain: OnChain | 'failed' | undefined
}

export type ListLookup = {
  state: 'running' | 'stopped' | 'done'
  rows: readonly ListRow[]
  /** Why some cards are missing. */
  failure: Failure | undefined
  isRetrying: boolean
  stop: () => void
  resume: () => void
  /** Asks again for what failed. */
  retry: () => void
  /** Asks again for everything. */
  again: () => void
}

/** So many addresses are asked for at once. */
const pieceSize = 100

/** Looks up the addresses of a list piece by piece, in the community and on the chain. Answers are kept for a while. */
export function useAddressList(community: string, { entries }: AddressList): ListLookup {
  const api = useApi()
  const kit = useKit()
  const queries = useQueryClient()
  const [isWanted, setIsWanted] = useState(true)
  const pieces = useMemo(
    () =>
      Array.from({ length: Math.ceil(entries.length / pieceSize) }, (_, index) =>
        entries.slice(index * pieceSize, (index + 1) * pieceSize).map(({ address }) => address),
      ),
    [entries],
  )
  const cards = useQueries({
    queries: pieces.map((piece) => ({
      queryKey: [community, 'list', piece],
      queryFn: ({ signal }: { signal: AbortSignal }) => api.batch(community, piece, { signal }),
      enabled: isWanted,
      staleTime: Number.POSITIVE_INFINITY,
      refetchInterval: ({ state }: { state: { error: Parameters<typeof retryDelay>[0] } }) => retryDelay(state.error),
    })),
    combine: toAnswers<Batch>,
  })
  const facts = useQueries({
    queries: pieces.map((piece) => ({
      queryKey: ['listOnChain', piece],
      queryFn: async () => {
        if (!kit) throw new Error('There is no kit to read through.')
        const { readAccounts } = await import('./readAccounts.ts')
        return readAccounts(kit.getClient(), piece)
      },
      enabled: isWanted && kit !== undefined,
      staleTime: Number.POSITIVE_INFINITY,
      retry: 1,
      refetchInterval: false as const,
    })),
    combine: toAnswers<OnChain[]>,
  })
  // What comes of them is in the kit's state, where each row finds its own. Without them a list is whole.
  useQueries({
    queries: pieces.map((piece) => ({
      queryKey: ['listNames', piece, kit !== undefined],
      queryFn: async () => ((await kit?.lookUpNames({ addresses: piece })) ?? []).length,
      enabled: isWanted && kit?.config.names?.bnb === true,
      staleTime: Number.POSITIVE_INFINITY,
      retry: 1,
      refetchInterval: false as const,
    })),
  })

  const rows = useMemo(
    () =>
      entries.map(({ address, line }, index): ListRow => {
        const piece = Math.floor(index / pieceSize)
        const { data: batch, error } = cards[piece] ?? {}
        const item = batch?.items[index % pieceSize]
        const fact = facts[piece]
        return {
          address,
          line,
          card: item
            ? (item.card ?? (item.error?.code === 'member_not_found' ? 'stranger' : 'failed'))
            : error
              ? 'failed'
              : undefined,
          chain: fact?.data?.[index % pieceSize] ?? (fact?.error ? 'failed' : undefined),
        }
      }),
    [entries, cards, facts],
  )
  const isDone = rows.every(({ card, chain }) => card !== undefined && chain !== undefined)
  const error = cards.find((answer) => answer.error && !answer.data)?.error
  const ours = [[community, 'list'], ['listOnChain']]
  return {
    state: isDone ? 'done' : isWanted ? 'running' : 'stopped',
    rows,
    failure: error ? toFailure(error) : undefined,
    isRetrying: [...cards, ...facts].some(({ error, isFetching }) => error && isFetching),
    stop: () => {
      setIsWanted(false)
      for (const queryKey of ours) void queries.cancelQueries({ queryKey })
    },
    resume: () => setIsWanted(true),
    retry: () => {
      for (const queryKey of ours)
        void queries.refetchQueries({ queryKey, type: 'active', predicate: ({ state }) => state.status === 'error' })
    },
    again: () => {
      setIsWanted(true)
      for (const queryKey of ours) void queries.refetchQueries({ queryKey, type: 'active' })
    },
  }
}

const toAnswers = <data>(results: UseQueryResult<data>[]) =>
  results.map(({ data, error, isFetching }) => ({ data, error, isFetching }))
