import type { AsOf, PastMember } from '@lineage/referral-api'
import { useQuery } from '@tanstack/react-query'
import type { Format } from '../../lib/format.ts'
import type { Translate } from '../../lib/i18n.ts'
import { useLoadKit } from '../frame/KitProvider.tsx'
import { useCommunity } from '../lookup/useCommunity.ts'

export type At = PastMember['at']

/**
 * Returns a past moment with both its time and its block. The API knows the one that was asked for; the other one is
 * read from the chain, and stays `null` until then, or if no node answers.
 */
export function useMoment(at: At | undefined, asOf: AsOf | undefined): At | undefined {
  const { startBlock } = useCommunity()
  const loadKit = useLoadKit()
  const { data } = useQuery<Pick<At, 'block' | 'timestamp'>, Error>({
    queryKey: ['onChain', startBlock, at?.block, at?.timestamp],
    enabled: at !== undefined && asOf !== undefined,
    queryFn: async () => {
      if (!at || !asOf) throw new Error('The moment is not known yet.')
      const client = (await loadKit()).getClient()
      const readTimestamp = async (block: number) => {
        const params = [`0x${block.toString(16)}`, false] as const
        const found = await client.request({ method: 'eth_getBlockByNumber', params: [...params] })
        const timestamp = Number(found?.timestamp)
        if (!Number.isSafeInteger(timestamp)) throw new Error(`The node returned no time of block ${block}.`)
        return timestamp
      }
      const { block, timestamp } = at
      if (block !== null) return { block, timestamp: await readTimestamp(block) }
      // The day of the newest block has not ended.
      if (timestamp === null || timestamp >= asOf.timestamp) return { block: asOf.block, timestamp }
      const first = { block: startBlock, timestamp: await readTimestamp(startBlock) }
      return { block: await findLastBlock(timestamp, { first, later: asOf }, readTimestamp), timestamp }
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: false,
    retry: 1,
  })
  return at && { ...at, ...data, undated: at.undated }
}

type Known = { block: number; timestamp: number }

/**
 * Finds the last block up to a time, between a block that is not later and one that is. Guesses by the mean time
 * between blocks, and halves the range at every third step, because that time has changed over the years.
 */
export async function findLastBlock(
  until: number,
  { first, later }: { first: Known; later: Known },
  readTimestamp: (block: number) => Promise<number>,
): Promise<number> {
  let [low, high] = [first, later]
  for (let step = 1; high.block - low.block > 1; step++) {
    const share = step % 3 === 0 ? 0.5 : (until - low.timestamp) / (high.timestamp - low.timestamp)
    const guess = low.block + Math.floor((high.block - low.block) * share)
    const block = Math.max(low.block + 1, Math.min(high.block - 1, guess))
    const timestamp = await readTimestamp(block)
    if (timestamp <= until) low = { block, timestamp }
    else high = { block, timestamp }
  }
  return low.block
}

/** Names a past moment by its time and its block, as far as they are known. */
export function momentText(
  { block, timestamp }: Pick<At, 'block' | 'timestamp'>,
  t: Translate,
  format: Format,
): string {
  if (block === null) return t('past.asOfDay', { moment: format.moment(timestamp ?? 0) })
  const number = format.count(block)
  return timestamp === null
    ? t('past.asOfBlock', { block: number })
    : t('past.asOfBoth', { moment: format.moment(timestamp), block: number })
}
