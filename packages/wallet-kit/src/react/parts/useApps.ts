import { useEffect, useMemo, useState } from 'react'
import { detectPlatform } from '../../core/wallets/userAgent.ts'
import type { WalletApp, WalletOption } from '../../core/wallets/wallet.ts'
import { findAppLink } from '../device/appLinks.ts'
import { detectDevice } from '../device/device.ts'
import { useWalletKit } from '../hooks/useWalletKit.ts'
import { isNamed, useConnectState } from './connectContext.tsx'

/** An app that may be on this phone, and the link that passes the pairing of the step to it. */
export type LinkedApp = { app: WalletApp; link: string }

/** Returns the apps that the pairing can be opened in: all of them, and those that the search finds. */
export function useApps(): { all: readonly LinkedApp[]; found: readonly LinkedApp[] } {
  const { wallet, uri, query } = useConnectState()
  const apps = useKnownApps(wallet)
  const all = useMemo(() => {
    const device = detectDevice()
    return apps.flatMap((app) => {
      const link = uri && app.relayLinks && findAppLink(app.relayLinks, uri, device)
      return link ? [{ app, link }] : []
    })
  }, [apps, uri])
  const wanted = query.trim().toLowerCase()
  return { all, found: wanted ? all.filter(({ app }) => isNamed(app, wanted)) : all }
}

/** Returns the wallets of the list that have an app, recent ones first, then the apps that the definition loads. */
function useKnownApps(wallet: WalletOption | undefined): readonly WalletApp[] {
  const kit = useWalletKit()
  const { wallets } = useConnectState()
  const { id, apps: load } = wallet ?? {}
  const [loaded, setLoaded] = useState<readonly WalletApp[]>([])
  useEffect(() => {
    if (!load) return
    let isCurrent = true
    const { projectId, chains } = kit.config
    const platform = detectPlatform(navigator) === 'ios' ? 'ios' : 'android'
    load({ projectId, chainIds: chains.map((chain) => chain.id), platform }).then(
      (apps) => isCurrent && setLoaded(apps),
      // The wallets of the list are enough.
      () => {},
    )
    return () => {
      isCurrent = false
    }
  }, [kit, load])
  return useMemo(() => {
    const listed = wallets.filter((wallet) => wallet.id !== id && wallet.relayLinks)
    // The registry has English names.
    const known = new Set(listed.map(({ name, names }) => names?.en ?? name))
    const recentFirst = listed.toSorted((a, b) => Number(b.recent) - Number(a.recent))
    return [...recentFirst, ...loaded.filter(({ name }) => !known.has(name))]
  }, [wallets, loaded, id])
}
