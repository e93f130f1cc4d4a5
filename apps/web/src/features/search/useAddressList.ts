import type { Address, AsOf, Batch } from '@lineage/referral-api'
import { type Query, type UseQueryResult, useQueries, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { retryDelay, useApi, useConfig } from '../../lib/api.ts'
import { type AddressList, textLimit } from '../../shared/address/parseList.ts'
import { useLoadKit } from '../../shared/frame/KitProvider.tsx'
import { type Failure, toFailure } from '../../shared/lookup/failure.ts'
import type { ChainAccount } from './readAccounts.ts'

type Card = NonNullable<Batch['items'][number]['card']>

/** An address of a list with its results, which are `undefined` while loading. */
export type ListRow = {
  address: Address
  /** Line in the list (1-based). */
  line: number
  card: Card | 'stranger' | 'failed' | undefined
  chain: ChainAccount | 'failed' | undefined
}

export type ListLookup = {
  state: 'running' | 'stopped' | 'done'
  rows: readonly ListRow[]
  /** Oldest block of the community's answers. */
  asOf: AsOf | undefined
  /** Reason why some results failed to load. */
  failure: Failure | undefined
  isRetrying: boolean
  stop: () => void
  resume: () => void
  /** Retries the failed rows. */
  retry: () => void
  /** Reloads everything. */
  again: () => void
}

/** Addresses per request. */
const batchSize = 100

/** Looks up the addresses of a list in batches, in the community and on chain. */
export function useAddressList(community: string, { entries }: AddressList): ListLookup {
  const queryClient = useQueryClient()
  const [isWanted, setIsWanted] = useState(true)
  const batches = useMemo(() => toBatches(entries.map(({ address }) => address)), [entries])
  const cards = useCards(community, batches, isWanted)
  const facts = useChainAccounts(batches, isWanted)
  useBnbNames(batches, isWanted)
  const rows = useMemo(
    () => entries.map((entry, index) => toRow(entry, index % batchSize, cards[batchOf(index)], facts[batchOf(index)])),
    [entries, cards, facts],
  )
  const isDone = rows.every(({ card, chain }) => card !== undefined && chain !== undefined)
  const error = cards.find((answer) => answer.error && !answer.data)?.error
  const keys = [
    [community, 'list'],
    ['onChain', 'list'],
  ]
  return {
    state: isDone ? 'done' : isWanted ? 'running' : 'stopped',
    rows,
    asOf: cards.flatMap(({ data }) => data?.asOf ?? []).toSorted((one, other) => one.block - other.block)[0],
    failure: error ? toFailure(error) : undefined,
    isRetrying: [...cards, ...facts].some(({ error, isFetching }) => error && isFetching),
    stop: () => {
      setIsWanted(false)
      for (const queryKey of keys) void queryClient.cancelQueries({ queryKey })
    },
    resume: () => setIsWanted(true),
    retry: () => {
      const predicate = ({ state }: Query) => state.status === 'error'
      for (const queryKey of keys) void queryClient.refetchQueries({ queryKey, type: 'active', predicate })
    },
    again: () => {
      setIsWanted(true)
      for (const queryKey of keys) void queryClient.refetchQueries({ queryKey, type: 'active' })
    },
  }
}

const batchOf = (index: number) => Math.floor(index / batchSize)

const toBatches = (addresses: readonly Address[]): Address[][] =>
  Array.from({ length: Math.ceil(addresses.length / batchSize) }, (_, index) =>
    addresses.slice(index * batchSize, (index + 1) * batchSize),
  )

function useCards(community: string, batches: readonly Address[][], enabled: boolean): Result<Batch>[] {
  const api = useApi()
  return useQueries({
    queries: batches.map((batch) => ({
      queryKey: [community, 'list', batch],
      queryFn: ({ signal }: { signal: AbortSignal }) => api.batch(community, batch, { signal }),
      enabled,
      staleTime: Number.POSITIVE_INFINITY,
      refetchInterval: ({ state }: { state: { error: Parameters<typeof retryDelay>[0] } }) => retryDelay(state.error),
    })),
    combine: toResults<Batch>,
  })
}

function useChainAccounts(batches: readonly Address[][], enabled: boolean): Result<ChainAccount[]>[] {
  const loadKit = useLoadKit()
  return useQueries({
    queries: batches.map((batch) => ({
      queryKey: ['onChain', 'list', batch],
      queryFn: async () => {
        const [kit, { readAccounts }] = await Promise.all([loadKit(), import('./readAccounts.ts')])
        return readAccounts(kit.getClient(), batch)
      },
      enabled,
      staleTime: Number.POSITIVE_INFINITY,
      retry: 1,
      refetchInterval: false as const,
    })),
    combine: toResults<ChainAccount[]>,
  })
}

/** Looks up names, which each row reads from the kit's state: the list is complete without them. */
function useBnbNames(batches: readonly Address[][], enabled: boolean): void {
  const loadKit = useLoadKit()
  const names = useConfig().data?.names
  useQueries({
    queries: batches.map((batch) => ({
      queryKey: ['onChain', 'names', batch],
      queryFn: async () => (await (await loadKit()).lookUpNames({ addresses: batch })).length,
      enabled: enabled && names?.bnb === true,
      staleTime: Number.POSITIVE_INFINITY,
      retry: 1,
      refetchInterval: false as const,
    })),
  })
}

type Result<data> = Pick<UseQueryResult<data>, 'data' | 'error' | 'isFetching'>

function toRow(
  { address, line }: AddressList['entries'][number],
  index: number,
  cards: Result<Batch> | undefined,
  facts: Result<ChainAccount[]> | undefined,
): ListRow {
  const item = cards?.data?.items[index]
  const notFound = item?.error?.code === 'member_not_found' ? 'stranger' : 'failed'
  return {
    address,
    line,
    card: item ? (item.card ?? notFound) : cards?.error ? 'failed' : undefined,
    chain: facts?.data?.[index] ?? (facts?.error ? 'failed' : undefined),
  }
}

const toResults = <data>(results: UseQueryResult<data>[]): Result<data>[] =>
  results.map(({ data, error, isFetching }) => ({ data, error, isFetching }))

/** A list that was typed and not looked up yet. */
type ListDraft = {
  /** Key of the history entry. */
  entry: string
  text: string
}

const storageKey = 'lineage.listDraft'

/** Returns the draft of this tab, which a phone may have discarded and loaded again. */
export function readDraft(): ListDraft | undefined {
  try {
    const stored = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as Partial<ListDraft> | null
    return typeof stored?.text === 'string'
      ? { entry: String(stored.entry), text: stored.text.slice(0, textLimit) }
      : undefined
  } catch {
    return undefined
  }
}

/** Keeps the draft for this tab, or removes it; ignores a full or forbidden storage. */
export function writeDraft(draft: ListDraft | undefined): void {
  try {
    if (draft) sessionStorage.setItem(storageKey, JSON.stringify({ ...draft, text: draft.text.slice(0, textLimit) }))
    else sessionStorage.removeItem(storageKey)
  } catch {}
}
