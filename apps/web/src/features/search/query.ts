import type { Address } from '@lineage/referral-api'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useApi } from '../../lib/api.ts'
import { delay } from '../../lib/delay.ts'
import { useLoadKit } from '../../shared/frame/KitProvider.tsx'
import type { ChainAccount } from './readAccounts.ts'

export const bnb = { symbol: 'BNB', decimals: 18 }

/** Loads members whose address starts with `prefix`. */
export function useSuggestions(community: string, prefix: string) {
  const api = useApi()
  return useQuery({
    queryKey: [community, 'search', prefix],
    queryFn: async ({ signal }) => {
      await delay(150, signal)
      return api.search(community, prefix, { limit: 8, signal })
    },
    placeholderData: keepPreviousData,
    refetchInterval: false,
  })
}

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
export function useCommunitiesOf(address: Address) {
  const api = useApi()
  return useQuery({
    queryKey: ['addresses', address],
    queryFn: ({ signal }) => api.addresses(address, { signal }),
  })
}
