import type { WalletKit } from '@lineage/wallet-kit/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useTell } from '../../lib/notices.ts'

/** Says what has become of each transaction, on whichever page the person is by then, and has what it changed read anew. */
export function useTransactionNotices(kit: WalletKit | undefined): void {
  const { t } = useTranslation()
  const tell = useTell()
  const queryClient = useQueryClient()
  useEffect(
    () =>
      kit?.onTransactionSettled(({ hash, description, status, failureReason }, { chainId }) => {
        const explorer = kit.config.chains.find(({ id }) => id === chainId)?.blockExplorers?.default
        const text = `${t(`transaction.${failureReason ?? 'confirmed'}`)}\n${description}`
        const tone = status === 'confirmed' ? 'success' : failureReason === 'cancelled' ? 'info' : 'error'
        const link = explorer && {
          text: t('transaction.view', { explorer: explorer.name }),
          url: `${explorer.url}/tx/${hash}`,
        }
        tell(text, tone, link)
        if (status === 'confirmed') void queryClient.invalidateQueries()
      }),
    [kit, t, tell, queryClient],
  )
}
