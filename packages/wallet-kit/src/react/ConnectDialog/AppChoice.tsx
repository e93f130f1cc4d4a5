import { useEffect, useMemo, useState } from 'react'
import { storeDeepLink } from '../../core/wallets/deepLink.ts'
import { detectPlatform } from '../../core/wallets/userAgent.ts'
import type { WalletApp, WalletOption } from '../../core/wallets/wallet.ts'
import { Button } from '../Button.tsx'
import { appLinkTarget, findAppLink, openOutsideTelegram } from '../device/appLinks.ts'
import { canOpenLink, detectDevice } from '../device/device.ts'
import { useCopy } from '../device/useCopy.ts'
import { arrowKeys } from '../dialog/focus.ts'
import { useWalletKit, useWalletKitState } from '../hooks/useWalletKit.ts'
import { WalletIcon } from '../icons/WalletIcon.tsx'
import { useTranslate } from '../language.ts'
import { useNamedWallets } from './useNamedWallets.ts'
import { isNamed, maxWithoutSearch, SearchField } from './WalletList.tsx'
import { withBreaks } from './WalletRow.tsx'

/** Lets the person choose the app in which a pairing is opened. A page cannot know which apps are on the phone. */
export function AppChoice({ uri, wallet }: { uri: string; wallet: WalletOption }) {
  const t = useTranslate()
  const apps = useApps(wallet)
  const device = useMemo(detectDevice, [])
  const [query, setQuery] = useState('')
  const { state, copy } = useCopy(uri)
  const wanted = query.trim().toLowerCase()
  const linked = apps.flatMap((app) => {
    const link = app.relayLinks && findAppLink(app.relayLinks, uri, device)
    return link && isNamed(app, wanted) ? [{ app, link }] : []
  })
  return (
    <div className="wk-step wk-own" {...arrowKeys}>
      <p className="wk-step-text wk-own">{t('chooseWallet')}</p>
      {apps.length > maxWithoutSearch && <SearchField value={query} onChange={setQuery} />}
      <ul className="wk-rows wk-apps wk-own" data-grid>
        {linked.map(({ app, link }) => (
          <AppTile key={app.id} app={app} link={link} />
        ))}
      </ul>
      {wanted && linked.length === 0 && (
        <p className="wk-step-text wk-own" role="status">
          {t('noWalletFound', { query: query.trim() })}
        </p>
      )}
      <div className="wk-actions wk-own">
        {canOpenLink(uri, device) && (
          <Button href={uri} {...appLinkTarget(uri)} variant="text" color="primary">
            {t('openApp', { wallet: wallet.shortName })}
          </Button>
        )}
        <Button variant="text" color="primary" onClick={copy}>
          {t(state === 'copied' ? 'copied' : 'copyLink')}
        </Button>
      </div>
      {state === 'failed' && (
        <p className="wk-step-text wk-own" role="alert">
          {t('copyLinkFailedOnPhone')}
        </p>
      )}
    </div>
  )
}

function AppTile({ app, link }: { app: WalletApp; link: string }) {
  return (
    <li className="wk-own">
      <a
        className="wk-row wk-wallet wk-own"
        href={link}
        {...appLinkTarget(link)}
        data-tile
        onClick={(event) => {
          storeDeepLink(link, app.names?.en ?? app.name)
          if (openOutsideTelegram(link)) event.preventDefault()
        }}
      >
        <WalletIcon wallet={app} loading="lazy" />
        <span className="wk-wallet-label wk-own">
          <bdi className="wk-own" translate="no">
            {withBreaks(app.shortName ?? app.name)}
          </bdi>
        </span>
      </a>
    </li>
  )
}

/** Returns the wallets of the list that have an app, recent ones first, then the apps that the definition loads. */
function useApps({ id, apps: load }: WalletOption): readonly WalletApp[] {
  const kit = useWalletKit()
  const wallets = useNamedWallets(useWalletKitState((state) => state.wallets))
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
