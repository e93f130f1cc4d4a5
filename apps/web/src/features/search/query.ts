import type { Address } from '@lineage/referral-api'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useApi } from '../../lib/api.ts'
import { pause } from '../../lib/pause.ts'
import { useKit } from '../../lib/wallet.ts'
import type { OnChain } from './readAccounts.ts'

export const bnb = { symbol: 'BNB', decimals: 18 }

/** Members whose address begins with `prefix`. */
export function useSuggestions(community: string, prefix: string) {
  const api = useApi()
  return useQuery({
    queryKey: [community, 'search', prefix],
    queryFn: async ({ signal }) => {
      await pause(150, signal)
      return api.search(community, prefix, { limit: 8, signal })
    },
    placeholderData: keepPreviousData,
    refetchInterval: false,
  })
}

/** What the chain itself says of an address, read through the kit. */
export function useOnChain(address: Address) {
  const kit = useKit()
  return useQuery<OnChain | undefined, Error>({
    queryKey: ['onChain', address, kit !== undefined],
    enabled: kit !== undefined,
    queryFn: async () => {
      if (!kit) throw new Error('There is no kit to read through.')
      const { readAccounts } = await import('./readAccounts.ts')
      return (await readAccounts(kit.getClient(), [address]))[0]
    },
    retry: 1,
    refetchInterval: 30_000,
  })
}
