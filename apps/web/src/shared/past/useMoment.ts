import type { AsOf, PastMember } from '@lineage/referral-api'
import { useWalletKit } from '@lineage/wallet-kit'
import { useQuery } from '@tanstack/react-query'
import { useCommunity } from '../lookup/useCommunity.ts'
import { findLastBlock } from './findLastBlock.ts'

export type At = PastMember['at']

/**
 * Returns a past moment with both its time and its block. The API knows the one that was asked for; the other one is
 * read from the chain, and stays `null` until then, or if no node answers.
 */
export function useMoment(at: At | undefined, asOf: AsOf | undefined): At | undefined {
  const { startBlock } = useCommunity()
  const kit = useWalletKit({ shouldThrow: false })
  const { data } = useQuery<At, Error>({
    queryKey: ['moment', startBlock, at?.block, at?.timestamp, kit !== undefined],
    enabled: kit !== undefined && at !== undefined && asOf !== undefined,
    queryFn: async () => {
      if (!kit || !at || !asOf) throw new Error('The moment is not known yet.')
      const readTimestamp = async (block: number) => {
        const found = await kit
          .getClient()
          .request({ method: 'eth_getBlockByNumber', params: [`0x${block.toString(16)}`, false] })
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
  return data ?? at
}
