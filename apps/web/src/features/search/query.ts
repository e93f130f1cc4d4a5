import type { Address } from '@lineage/referral-api'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useApi } from '../../lib/api.ts'
import { useKit } from '../../lib/wallet.ts'
import type { OnChain } from './readAccount.ts'

/** Members whose address begins with `prefix`. */
export function useSuggestions(community: string, prefix: string) {
  const api = useApi()
  return useQuery({
    queryKey: [community, 'search', prefix],
    queryFn: ({ signal }) => api.search(community, prefix, { limit: 8, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: false,
  })
}

/** What the chain itself says of an address, read through the kit. */
export function useOnChain(address: Address) {
  const kit = useKit()
  return useQuery<OnChain, Error>({
    queryKey: ['onChain', address, kit !== undefined],
    enabled: kit !== undefined,
    queryFn: async () => {
      if (!kit) throw new Error('There is no kit to read through.')
      const { readAccount } = await import('./readAccount.ts')
      return readAccount(kit.getClient(), address)
    },
    retry: 1,
    refetchInterval: 30_000,
  })
}
