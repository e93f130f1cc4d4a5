import type { DownloadUrls } from '../core/wallet.ts'
import { type Browser, type Device, isPhone } from './platform.ts'

/** Where a wallet can be had from, as seen from one device. */
export type Downloads = {
  /** For this browser. */
  extension?: string
  /** For this computer. */
  desktop?: string
  /** A phone's own store alone; on a computer all there are. */
  mobile: readonly { store: 'appStore' | 'googlePlay' | 'website'; url: string }[]
  /** Any page of the wallet, for when nothing above fits. */
  website?: string
}

/**
 * The downloads of a wallet that help on this device.
 *
 * @example
 * ```ts
 * findDownloads({ chrome: 'https://…' }, { platform: 'macos', browser: 'brave' }).extension // 'https://…'
 * ```
 */
export function findDownloads(urls: DownloadUrls, { platform, browser }: Device): Downloads {
  const phone = isPhone(platform)
  const appStore = urls.ios && platform !== 'android' ? [{ store: 'appStore', url: urls.ios } as const] : []
  const googlePlay = urls.android && platform !== 'ios' ? [{ store: 'googlePlay', url: urls.android } as const] : []
  const page = urls.mobile ?? urls.qrCode
  const stores = [...appStore, ...googlePlay]
  const mobile = stores.length === 0 && page ? [{ store: 'website', url: page } as const] : stores
  return {
    mobile,
    extension: phone ? undefined : (extensionFor(urls, browser) ?? urls.browserExtension),
    desktop: phone ? undefined : (urls[platform as 'macos' | 'windows' | 'linux'] ?? urls.desktop),
    website: urls.browserExtension ?? page ?? urls.desktop ?? Object.values(urls)[0],
  }
}

function extensionFor(urls: DownloadUrls, browser: Browser | undefined): string | undefined {
  if (!browser) return undefined
  // Every other browser on Chromium installs from Chrome's store.
  if (browser === 'brave' || browser === 'arc') return urls.chrome
  if (browser === 'edge' || browser === 'opera') return urls[browser] ?? urls.chrome
  return urls[browser]
}

/** Whether a wallet that is not here can be had at all. */
export const canDownload = (urls: DownloadUrls) => Object.values(urls).some(Boolean)
