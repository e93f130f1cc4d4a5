import type { WalletKit } from '@lineage/wallet-kit/core'
import { type ReactNode, useEffect, useState } from 'react'
import type { DemoWallet } from '../../demo/demoWallet.ts'
import { createKit } from '../../lib/kit.ts'
import { KitContext } from '../../lib/wallet.ts'
import { DemoWalletContext } from './DemoWalletContext.ts'
import { useConfig } from './useConfig.ts'
import { useTransactionNotices } from './useTransactionNotices.ts'

/** Makes the kit as soon as the server has said which nodes to read from. */
export function KitRoot({ children }: { children: ReactNode }) {
  const { data: config } = useConfig()
  const [kit, setKit] = useState<WalletKit>()

  useEffect(() => {
    if (!config) return
    const ended = new AbortController()
    createKit(config).then(
      (made) => {
        if (ended.signal.aborted) return made.destroy()
        ended.signal.addEventListener('abort', made.destroy)
        // Before anything is drawn of it.
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

  useTransactionNotices(kit)

  const privateKeys = config?.demo?.privateKeys
  const rpcUrl = config?.rpcUrls[0]
  const [demoWallet, setDemoWallet] = useState<DemoWallet>()
  useEffect(() => {
    if (!privateKeys || !rpcUrl) return
    const announce = () =>
      void import('../../demo/demoWallet.ts').then(
        ({ announceDemoWallet }) =>
          setDemoWallet(announceDemoWallet({ privateKeys, rpcUrl: new URL(rpcUrl, window.location.origin).href })),
        (error: unknown) => console.error(error),
      )
    // The page is worth more than a wallet nobody has asked for yet. Safari does not say when it is idle.
    if ('requestIdleCallback' in window) requestIdleCallback(announce, { timeout: 1_000 })
    else announce()
  }, [privateKeys, rpcUrl])

  return (
    <KitContext value={kit}>
      <DemoWalletContext value={demoWallet?.openPanel}>{children}</DemoWalletContext>
    </KitContext>
  )
}
