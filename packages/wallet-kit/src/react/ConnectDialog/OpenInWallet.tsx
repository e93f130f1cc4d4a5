import type { WalletOption } from '../../core/wallet.ts'
import { fillOpenInWallet } from '../fillOpenInWallet.ts'
import { canFollow, detectDevice, findClosedApp } from '../platform.ts'
import { useTranslate } from '../useTranslate.ts'
import { DownloadCard } from './DownloadCard.tsx'
import { OpenInBrowser } from './OpenInBrowser.tsx'

/** For a phone that has the app: this page, with its path and query, in the wallet's own browser. */
export function OpenInWallet({ wallet: { openInWallet, shortName } }: { wallet: WalletOption }) {
  const t = useTranslate()
  const device = detectDevice()
  if (findClosedApp(device)) return <OpenInBrowser />
  if (!openInWallet) return null
  const href = fillOpenInWallet(openInWallet, window.location.href)
  if (!canFollow(href, device)) return null
  return <DownloadCard title={t('openInWallet', { wallet: shortName })} href={href} />
}
