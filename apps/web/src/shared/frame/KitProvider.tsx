import type { Config } from '@lineage/referral-api'
import { WalletKitProvider } from '@lineage/wallet-kit'
import type { WalletKit } from '@lineage/wallet-kit/core'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createKit } from '../../lib/kit.ts'
import { DemoWalletContext } from './DemoWalletContext.ts'
import { useConfig } from './useConfig.ts'
import { useDemoWallet } from './useDemoWallet.ts'
import { useTransactionNotices } from './useTransactionNotices.ts'

/** Creates the wallet kit once `/v1/config` has arrived, and provides it; in a demo also the demo wallet. */
export function KitProvider({ children }: { children: ReactNode }) {
  const { i18n } = useTranslation()
  const { data: config } = useConfig()
  const kit = useCreatedKit(config)
  const demoWallet = useDemoWallet(config)
  useTransactionNotices(kit)
  return (
    <WalletKitProvider kit={kit} locale={i18n.language}>
      <DemoWalletContext value={demoWallet?.openPanel}>{children}</DemoWalletContext>
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
