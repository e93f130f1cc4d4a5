import type { ConnectEvent } from '../../core/dialogs/steps.ts'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import type { MessageKey } from '../../locales/en.ts'
import { createOpenInWalletLink } from '../device/appLinks.ts'
import { browserNames, canOpenLink, detectDevice, findBlockingApp, isPhone, platformNames } from '../device/device.ts'
import { canDownload, findDownloads } from '../device/findDownloads.ts'
import { type Translate, useTranslate } from '../language.ts'
import { type ConnectState, useConnectState } from './connectContext.tsx'

/** A way to get a wallet, or to open this page in it: a link with `href`, else a button that leads to the next step. */
export type Download = {
  kind: 'extension' | 'desktop' | 'mobile' | 'appStore' | 'googlePlay' | 'website' | 'openInWallet'
  title: string
  text?: string
  href?: string
  /** The event that leads to the next step. */
  event?: ConnectEvent
}

/** Returns the ways to get the wallet of the step that work on this device. */
export function useDownloads(): readonly Download[] {
  const state = useConnectState()
  const t = useTranslate()
  return state.wallet ? findWays(state, state.wallet, t) : []
}

function findWays({ view, step }: ConnectState, wallet: WalletOption, t: Translate): readonly Download[] {
  const isOnPhone = isPhone(detectDevice().platform)
  const inWallet = isOnPhone ? openInWallet(wallet, t) : []
  if (view === 'downloadOptions') return isOnPhone ? [...inWallet, ...stores(wallet, t)] : options(wallet, t)
  if (view === 'download') return [...inWallet, ...stores(wallet, t)]
  if (view === 'openApp') return canDownload(wallet.downloadUrls) ? [...inWallet, ...stores(wallet, t)] : inWallet
  return step.name === 'connecting' && step.phase === 'failed' ? inWallet : []
}

/** Returns the link to this page, with its path and query, in the wallet's own browser. */
function openInWallet({ openInWallet: pattern, shortName }: WalletOption, t: Translate): Download[] {
  const device = detectDevice()
  const href = pattern && createOpenInWalletLink(pattern, window.location.href)
  if (!href || findBlockingApp(device) || !canOpenLink(href, device)) return []
  return [{ kind: 'openInWallet', title: t('openInWallet', { wallet: shortName }), href }]
}

/** Returns the stores that have the wallet's app, or else the wallet's own page. */
function stores({ downloadUrls, shortName: wallet }: WalletOption, t: Translate): Download[] {
  const { mobile, website } = findDownloads(downloadUrls, detectDevice())
  if (mobile.length === 0) return website ? [{ kind: 'website', title: t('website', { wallet }), href: website }] : []
  return mobile.map(({ store, url }) => ({
    kind: store,
    title: t(store, { wallet }),
    text: t('downloadMobileText'),
    href: url,
  }))
}

/** Returns the wallet's extension for this browser, its program for this computer, and its app for a phone. */
function options(wallet: WalletOption, t: Translate): Download[] {
  const device = detectDevice()
  const { extension, desktop, mobile } = findDownloads(wallet.downloadUrls, device)
  const browser = device.browser ? browserNames[device.browser] : t('thisBrowser')
  const platform = platformNames[device.platform]
  const optionOf = (kind: 'extension' | 'desktop' | 'mobile', title: MessageKey, text: MessageKey, href?: string) => ({
    kind,
    title: t(title, { wallet: wallet.shortName, browser, platform }),
    text: t(text),
    event: { type: kind },
    ...(href && { href }),
  })
  const found = [
    extension ? optionOf('extension', 'downloadExtensionFor', 'downloadExtensionText', extension) : [],
    desktop ? optionOf('desktop', 'downloadDesktopFor', 'downloadDesktopText', desktop) : [],
    mobile.length > 0 ? optionOf('mobile', 'downloadMobile', 'downloadMobileText') : [],
  ].flat()
  return found.length > 0 ? found : stores(wallet, t)
}
