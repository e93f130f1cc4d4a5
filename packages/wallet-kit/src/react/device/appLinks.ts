import { readProperty } from '../../core/lib/untrusted.ts'
import { detectInAppBrowser, isFramed } from '../../core/wallets/userAgent.ts'
import type { RelayLinks } from '../../core/wallets/wallet.ts'
import { canOpenLink, type Device } from './device.ts'

/**
 * Returns the link that passes a pairing to a wallet's app on this phone. Returns `undefined` if the app that shows
 * this page cannot open any of the wallet's links.
 */
export function findAppLink(links: RelayLinks = {}, uri: string, device: Device): string | undefined {
  const { platform, inApp } = device
  const own = links[platform === 'ios' ? 'ios' : 'android'] ?? ''
  // In a frame a web address opens the app best.
  const patterns = isFramed() ? [links.universal, own] : [own, links.universal]
  const pattern = patterns.find((pattern) => pattern !== undefined && canOpenLink(pattern || uri, device))
  if (pattern === undefined) return undefined
  // Telegram on Android decodes a link before opening it. https://github.com/reown-com/appkit/pull/2938
  const isDecoded = inApp === 'telegram' && platform === 'android'
  return createRelayLink(pattern || undefined, isDecoded ? encodeURIComponent(uri) : uri)
}

/**
 * Returns the attributes of a link that opens another app. In a new tab a web address opens the app without leaving this
 * page. In a frame every link needs one: if its app is missing, it would replace the frame by the browser's error page.
 */
export const appLinkTarget = (link: string | undefined) =>
  link !== undefined && (link.startsWith('https:') || isFramed()) ? { target: '_blank', rel: 'noreferrer' } : undefined

/** Returns the link that passes a pairing URI to a wallet: `pattern` with the URI filled in, or else the URI itself. */
export function createRelayLink(pattern: string | undefined, uri: string): string {
  return pattern?.replace('{uri}', () => encodeURIComponent(uri)) ?? uri
}

/** Returns the link that opens a page, with its path and query, in a wallet's own browser. */
export function createOpenInWalletLink(pattern: string, page: string): string {
  const url = encodeURIComponent(page)
  const values = {
    url,
    urlTwice: encodeURIComponent(url),
    hostAndPath: page.replace(/^\w+:\/\//, ''),
  }
  return pattern.replace(/\{(url|urlTwice|hostAndPath)\}/g, (_, name: keyof typeof values) => values[name])
}

/**
 * Opens a web address outside of Telegram's own browser. Returns `false` in any other browser, where the link works
 * as usual.
 *
 * @see https://core.telegram.org/bots/webapps#initializing-mini-apps
 */
export function openOutsideTelegram(href: string): boolean {
  if (!href.startsWith('https://') || detectInAppBrowser(navigator, window) !== 'telegram') return false
  const app = readProperty(readProperty(window, 'Telegram'), 'WebApp')
  const openLink = readProperty(app, 'openLink')
  if (typeof openLink !== 'function') return false
  try {
    openLink.call(app, href)
    return true
  } catch {
    return false
  }
}
