import type { Address } from '@lineage/referral-api'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useAnswer } from '../../lib/api.ts'
import { delay } from '../../lib/delay.ts'
import { useLoadKit } from '../../shared/frame/KitProvider.tsx'
import type { ChainAccount } from './readAccounts.ts'

export const bnb = { symbol: 'BNB', decimals: 18 }

/** Loads members whose address starts with `prefix`. */
export const useSuggestions = (community: string, prefix: string) =>
  useAnswer(
    [community, 'search', prefix],
    async (api, signal) => {
      await delay(150, signal)
      return api.search(community, prefix, { limit: 8, signal })
    },
    { placeholderData: keepPreviousData, refetchInterval: false },
  )

/** Reads an address's kind and balance from the chain through the kit. */
export function useChainAccount(address: Address) {
  const loadKit = useLoadKit()
  return useQuery<ChainAccount | undefined, Error>({
    queryKey: ['onChain', address],
    queryFn: async () => {
      const [kit, { readAccounts }] = await Promise.all([loadKit(), import('./readAccounts.ts')])
      return (await readAccounts(kit.getClient(), [address]))[0]
    },
    retry: 1,
    refetchInterval: 30_000,
  })
}

/** Loads an address's card in every community. */
export const useCommunitiesOf = (address: Address) =>
  useAnswer(['addresses', address], (api, signal) => api.addresses(address, { signal }))
