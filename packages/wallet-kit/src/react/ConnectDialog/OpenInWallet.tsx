import type { WalletOption } from '../../core/wallets/wallet.ts'
import { createOpenInWalletLink } from '../device/createOpenInWalletLink.ts'
import { canOpenLink, detectDevice, findBlockingApp } from '../device/device.ts'
import { useTranslate } from '../language/useTranslate.ts'
import { DownloadCard } from './DownloadCard.tsx'
import { OpenInBrowser } from './OpenInBrowser.tsx'

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
