import type { WalletKit } from '@lineage/wallet-kit/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNotify } from '../../lib/notices.ts'

/** Shows a notice when a transaction settles, on any page, and reloads the data after one that took effect. */
export function useTransactionNotices(kit: WalletKit | undefined): void {
  const { t } = useTranslation()
  const notify = useNotify()
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
        notify(text, tone, link)
        if (status === 'confirmed' || failureReason === 'partial') void queryClient.invalidateQueries()
      }),
    [kit, t, notify, queryClient],
  )
}
