import type { DownloadUrls } from '../../core/wallets/wallet.ts'
import { type Browser, type Device, isPhone } from './device.ts'

/** The downloads of a wallet for one device. */
export type Downloads = ReturnType<typeof findDownloads>

/** Returns the downloads of a wallet that work on this device. */
export function findDownloads(urls: DownloadUrls, { platform, browser }: Device) {
  const phone = isPhone(platform)
  const appStore = urls.ios && platform !== 'android' ? [{ store: 'appStore', url: urls.ios } as const] : []
  const googlePlay = urls.android && platform !== 'ios' ? [{ store: 'googlePlay', url: urls.android } as const] : []
  const page = urls.mobile ?? urls.qrCode
  const stores = [...appStore, ...googlePlay]
  // Google Play cannot be reached in mainland China: a wallet's page has the app itself.
  const needsPage = stores.length === 0 || platform === 'android'
  const website = needsPage && page && page !== urls.android ? [{ store: 'website', url: page } as const] : []
  return {
    /** App stores: on a phone its own store, on Android also the wallet's page; on a computer all stores. */
    mobile: [...stores, ...website],
    /** Extension for this browser. */
    extension: phone ? undefined : (extensionFor(urls, browser) ?? urls.browserExtension),
    /** App for this computer. */
    desktop: phone ? undefined : (urls[platform as 'macos' | 'windows' | 'linux'] ?? urls.desktop),
    /** Any page of the wallet, if none of the above fits. */
    website: urls.browserExtension ?? page ?? urls.desktop ?? Object.values(urls)[0],
  }
}

function extensionFor(urls: DownloadUrls, browser: Browser | undefined): string | undefined {
  if (!browser) return undefined
  // Other Chromium browsers install from Chrome's store.
  if (browser === 'brave' || browser === 'arc') return urls.chrome
  if (browser === 'edge' || browser === 'opera') return urls[browser] ?? urls.chrome
  return urls[browser]
}

/** Checks whether there is any download. */
export const canDownload = (urls: DownloadUrls) => Object.values(urls).some(Boolean)
