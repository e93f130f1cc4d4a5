import type { Config } from '@lineage/referral-api'
import { WalletKitProvider } from '@lineage/wallet-kit'
import type { WalletKit } from '@lineage/wallet-kit/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createKit } from '../../lib/kit.ts'
import { useNotify } from '../../lib/notices.ts'
import { useConfig } from './useConfig.ts'

const nonce = typeof window === 'undefined' ? undefined : window.__nonce__

/** Provides the wallet kit. Without one, creates it once `/v1/config` has arrived. */
export function KitProvider({ kit: given, children }: { kit: WalletKit | undefined; children: ReactNode }) {
  const { i18n } = useTranslation()
  const { data: config } = useConfig()
  const kit = useCreatedKit(given ? undefined : config) ?? given
  useTransactionNotices(kit)
  return (
    // Back closes the kit's dialogs like the page's own menus and dialogs.
    <WalletKitProvider kit={kit} locale={i18n.language} closeOnBack="always" nonce={nonce}>
      {children}
    </WalletKitProvider>
  )
}

function useCreatedKit(config: Config | undefined): WalletKit | undefined {
  const [kit, setKit] = useState<WalletKit>()
  useEffect(() => {
    if (!config) return
    const ended = new AbortController()
    createKit(config).then(
      (made) => {
        if (ended.signal.aborted) return made.destroy()
        ended.signal.addEventListener('abort', made.destroy)
        // Reconnect before the first render with the kit.
        void made.reconnect()
        setKit(made)
      },
      (error: unknown) => console.error(error),
    )
    return () => {
      setKit(undefined)
      ended.abort()
    }
  }, [config])
  return kit
}

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
