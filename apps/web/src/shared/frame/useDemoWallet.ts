import type { Config } from '@lineage/referral-api'
import { useEffect, useState } from 'react'
import type { DemoWallet } from '../../demo/announceDemoWallet.ts'

/** Announces the demo wallet in a demo, once the page is idle. */
export function useDemoWallet(config: Config | undefined): DemoWallet | undefined {
  const privateKeys = config?.demo?.privateKeys
  const rpcUrl = config?.rpcUrls[0]
  const [demoWallet, setDemoWallet] = useState<DemoWallet>()
  useEffect(() => {
    if (!privateKeys || !rpcUrl) return
    const announce = () =>
      void import('../../demo/announceDemoWallet.ts').then(
        ({ announceDemoWallet }) =>
          setDemoWallet(announceDemoWallet({ privateKeys, rpcUrl: new URL(rpcUrl, window.location.origin).href })),
        (error: unknown) => console.error(error),
      )
    // Load the page first. Safari has no requestIdleCallback.
    if ('requestIdleCallback' in window) requestIdleCallback(announce, { timeout: 1_000 })
    else announce()
  }, [privateKeys, rpcUrl])
  return demoWallet
}
