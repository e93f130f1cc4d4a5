import type { ReactNode } from 'react'
import type { InAppBrowser } from '../../core/wallets/userAgent.ts'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import type { MessageKey } from '../../locales/en.ts'
import { Button } from '../Button.tsx'
import { createOpenInWalletLink, openOutsideTelegram } from '../device/appLinks.ts'
import { canOpenLink, detectDevice, findBlockingApp } from '../device/device.ts'
import { findDownloads } from '../device/findDownloads.ts'
import { useCopy } from '../device/useCopy.ts'
import { arrowKeys } from '../dialog/focus.ts'
import { Icon } from '../icons/Icon.tsx'
import { useTranslate } from '../language.ts'

type DownloadCardProps = { title: string; text?: string; onClick?: () => void; href?: string }

/** Renders one way to get a wallet: a link that leaves the page, or a button to the next step. */
export function DownloadCard({ title, text, href, onClick }: DownloadCardProps) {
  const Element = href ? 'a' : 'button'
  return (
    <Element
      className="wk-plain wk-card wk-own"
      tabIndex={0}
      onClick={(event) => {
        if (href && openOutsideTelegram(href)) event.preventDefault()
        onClick?.()
      }}
      {...(href ? { href, target: '_blank', rel: 'noreferrer' } : { type: 'button' })}
    >
      <span className="wk-own">
        <span className="wk-own">{title}</span>
        {text && <small className="wk-card-text wk-own">{text}</small>}
      </span>
      <Icon name={href ? 'external' : 'next'} />
    </Element>
  )
}

/** Lays out a column of cards, navigable with arrow keys. */
export function DownloadCards({ children }: { children: ReactNode }) {
  return (
    <div className="wk-cards wk-own" {...arrowKeys}>
      {children}
    </div>
  )
}

/** Links to this page, with its path and query, in the wallet's own browser. */
export function OpenInWallet({ wallet: { openInWallet, shortName } }: { wallet: WalletOption }) {
  const t = useTranslate()
  const device = detectDevice()
  if (findBlockingApp(device)) return <OpenInBrowser />
  if (!openInWallet) return null
  const href = createOpenInWalletLink(openInWallet, window.location.href)
  if (!canOpenLink(href, device)) return null
  return <DownloadCard title={t('openInWallet', { wallet: shortName })} href={href} />
}

const names: Partial<Record<InAppBrowser, MessageKey>> = { wechat: 'appWeChat', qq: 'appQQ' }

/** Explains, in a chat app that blocks links to other apps, how to open the page in a browser, and copies its link. */
export function OpenInBrowser() {
  const t = useTranslate()
  const app = findBlockingApp(detectDevice())
  const name = app && names[app]
  const { state, copy } = useCopy(window.location.href)
  if (!name) return null
  return (
    <div className="wk-blocked wk-own">
      <p className="wk-notice wk-own">{t('openInBrowser', { app: t(name) })}</p>
      {state === 'failed' && (
        <>
          <p className="wk-notice wk-own" role="alert">
            {t('copyPageFailed')}
          </p>
          <p className="wk-page-link wk-own" translate="no">
            {window.location.href}
          </p>
        </>
      )}
      <Button variant="outlined" color="primary" onClick={copy}>
        {t(state === 'copied' ? 'copied' : 'copyPageLink')}
      </Button>
    </div>
  )
}

/** Links to the stores that have a wallet's app, or else to the wallet's own page. */
export function StoreLinks({ wallet }: { wallet: WalletOption }) {
  const t = useTranslate()
  const { mobile, website } = findDownloads(wallet.downloadUrls, detectDevice())
  const variables = { wallet: wallet.shortName }
  if (mobile.length > 0)
    return mobile.map(({ store, url }) => (
      <DownloadCard key={store} title={t(store, variables)} text={t('downloadMobileText')} href={url} />
    ))
  if (website) return <DownloadCard title={t('website', variables)} href={website} />
  return <p className="wk-notice wk-own">{t('downloadElsewhere', variables)}</p>
}
