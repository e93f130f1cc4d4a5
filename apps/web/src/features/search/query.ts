import type { Address } from '@lineage/referral-api'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useApi } from '../../lib/api.ts'
import { useKit } from '../../lib/wallet.ts'

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

export type OnChain = { kind: 'contract' | 'account'; balance: bigint }

/** What the chain itself says of an address, read through the kit. */
export function useOnChain(address: Address) {
  const kit = useKit()
  return useQuery<OnChain, Error>({
    queryKey: ['onChain', address, kit !== undefined],
    enabled: kit !== undefined,
    queryFn: async () => {
      if (!kit) throw new Error('There is no kit to read through.')
      const { getBalance, getCode } = await import('viem/actions')
      const client = kit.getClient()
      const [balance, code] = await Promise.all([getBalance(client, { address }), getCode(client, { address })])
      return { kind: code ? 'contract' : 'account', balance }
    },
    retry: 1,
    refetchInterval: 30_000,
  })
}
