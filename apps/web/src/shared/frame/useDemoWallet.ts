import type { Config } from '@lineage/referral-api'
import { useEffect, useState } from 'react'
import type { DemoWallet } from '../../demo/announceDemoWallet.ts'
import { loadTwice } from '../../lib/loadTwice.ts'
import { whenIdle } from '../../lib/whenIdle.ts'

/** Announces the demo wallet in a demo, once the page is idle. */
export function useDemoWallet(config: Config | undefined): DemoWallet | undefined {
  const privateKeys = config?.demo?.privateKeys
  const rpcUrl = config?.rpcUrls[0]
  const [demoWallet, setDemoWallet] = useState<DemoWallet>()
  useEffect(() => {
    if (!privateKeys || !rpcUrl) return
    const announce = () =>
      void loadTwice(() => import('../../demo/announceDemoWallet.ts')).then(
        ({ announceDemoWallet }) =>
          setDemoWallet(announceDemoWallet({ privateKeys, rpcUrl: new URL(rpcUrl, window.location.origin).href })),
        (error: unknown) => console.error(error),
      )
    return whenIdle(announce)
  }, [privateKeys, rpcUrl])
  return demoWallet
}
