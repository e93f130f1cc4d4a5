import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import type { InAppBrowser } from '../../core/wallets/userAgent.ts'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import type { MessageKey } from '../../locales/en.ts'
import { Button } from '../Button.tsx'
import { createOpenInWalletLink, openOutsideTelegram } from '../device/appLinks.ts'
import { canOpenLink, detectDevice, findBlockingApp } from '../device/device.ts'
import { findDownloads } from '../device/findDownloads.ts'
import { useCopy } from '../device/useCopy.ts'
import { PlainButton } from '../dialog/dialogParts.tsx'
import { moveFocusInList } from '../dialog/focus.ts'
import { Icon } from '../icons/Icon.tsx'
import { useTranslate } from '../language.ts'
import { accent } from '../theme/accent.ts'
import { Notice } from './stepParts.ts'

type DownloadCardProps = { title: string; text?: string; onClick?: () => void; href?: string }

/** Renders one way to get a wallet: a link that leaves the page, or a button to the next step. */
export function DownloadCard({ title, text, href, onClick }: DownloadCardProps) {
  return (
    <Card
      as={href ? 'a' : 'button'}
      tabIndex={0}
      onClick={(event) => {
        if (href && openOutsideTelegram(href)) event.preventDefault()
        onClick?.()
      }}
      {...(href ? { href, target: '_blank', rel: 'noreferrer' } : { type: 'button' as const })}
    >
      <span>
        <span>{title}</span>
        {text && <small>{text}</small>}
      </span>
      <Icon name={href ? 'external' : 'next'} />
    </Card>
  )
}

/** Lays out a column of cards, navigable with arrow keys. */
export function DownloadCards({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <Cards className={className} onKeyDown={moveFocusInList}>
      {children}
    </Cards>
  )
}

const Cards = styled('div')(({ theme }) => ({
  width: '100%',
  maxWidth: 360,
  borderTop: `1px solid ${(theme.vars ?? theme).palette.divider}`,
  '&:empty': { display: 'none' },
}))

const Card = styled(PlainButton)<{ href?: string; target?: string; rel?: string }>(({ theme }) => {
  const { palette } = theme.vars ?? theme
  return {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: 12,
    width: '100%',
    minHeight: 64,
    padding: '10px 8px',
    fontSize: 15,
    lineHeight: '22px',
    color: palette.text.primary,
    borderBottom: `1px solid ${palette.divider}`,
    '& small': { display: 'block', fontSize: 13, lineHeight: '19px', color: palette.text.secondary },
    '& svg': { flex: 'none', color: accent },
    '@media (hover: hover)': { '&:hover': { background: palette.action.hover } },
    '&:focus-visible': { outline: `2px solid ${accent}`, outlineOffset: -2 },
  }
})

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
    <Place>
      <Notice>{t('openInBrowser', { app: t(name) })}</Notice>
      {state === 'failed' && (
        <>
          <Notice role="alert">{t('copyPageFailed')}</Notice>
          <PageLink translate="no">{window.location.href}</PageLink>
        </>
      )}
      <Button variant="outlined" color="primary" onClick={copy}>
        {t(state === 'copied' ? 'copied' : 'copyPageLink')}
      </Button>
    </Place>
  )
}

const Place = styled('div')({
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'flex-start',
  gap: 12,
  padding: '0 10px 12px',
  '& .MuiButton-root': { minHeight: 44, paddingInline: 20 },
})

const PageLink = styled('p')({
  margin: 0,
  fontSize: 13,
  lineHeight: '19px',
  overflowWrap: 'anywhere',
  userSelect: 'all',
})

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
  return <Notice>{t('downloadElsewhere', variables)}</Notice>
}
