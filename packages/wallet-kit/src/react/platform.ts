/** Where the page is shown: what decides which download of a wallet helps. */
export type Platform = 'ios' | 'android' | 'macos' | 'windows' | 'linux'

export type Browser = 'chrome' | 'edge' | 'firefox' | 'opera' | 'safari' | 'brave' | 'arc'

/** An app that shows pages in a browser of its own, from which wallets are not opened as from a browser. */
export type InAppBrowser = 'wechat' | 'qq' | 'telegram'

/** The parts of `navigator` that are read. */
export type NavigatorLike = { userAgent: string; maxTouchPoints?: number; brave?: unknown }

export type Device = { platform: Platform; browser: Browser | undefined; inApp?: InAppBrowser | undefined }

/** The device this page is on. */
export function detectDevice(): Device {
  // Arc's user agent is Chrome's; the palette it gives to every page is its own.
  const isArc = getComputedStyle(document.documentElement).getPropertyValue('--arc-palette-title') !== ''
  return {
    platform: detectPlatform(navigator),
    browser: isArc ? 'arc' : detectBrowser(navigator),
    inApp: detectInAppBrowser(navigator, window),
  }
}

/**
 * @example
 * ```ts
 * detectPlatform(navigator) // 'android'
 * ```
 */
export function detectPlatform({ userAgent, maxTouchPoints = 0 }: NavigatorLike): Platform {
  if (/android/i.test(userAgent)) return 'android'
  if (/iphone|ipad|ipod/i.test(userAgent)) return 'ios'
  // An iPad says that it is a Mac, but no Mac has a touch screen.
  if (/mac os x|macintosh/i.test(userAgent)) return maxTouchPoints > 1 ? 'ios' : 'macos'
  return /windows/i.test(userAgent) ? 'windows' : 'linux'
}

/** The browser, or `undefined` for one that is not known. */
export function detectBrowser({ userAgent, brave }: NavigatorLike): Browser | undefined {
  if (brave) return 'brave'
  const marks: readonly (readonly [Browser, RegExp])[] = [
    ['edge', /\bEdg(e|A|iOS)?\//],
    ['opera', /\bOPR\//],
    ['firefox', /\b(Firefox|FxiOS)\//],
    ['chrome', /\b(Chrome|CriOS)\//],
    ['safari', /\bVersion\/[\d.]+.*\bSafari\//],
  ]
  return marks.find(([, mark]) => mark.test(userAgent))?.[0]
}

/** The app in whose own browser a page is shown, if it is one of those in which links to apps go nowhere. */
export function detectInAppBrowser({ userAgent }: NavigatorLike, page: object): InAppBrowser | undefined {
  if (/\bMicroMessenger\//i.test(userAgent)) return 'wechat'
  // The chat app. QQ's browser for phones says MQQBrowser alone, and opens apps.
  if (/\bQQ\/\d/.test(userAgent)) return 'qq'
  // On iOS only what Telegram puts on the page tells. https://core.telegram.org/bots/webapps
  const bridges = ['TelegramWebviewProxy', 'TelegramWebviewProxyProto']
  if (/\bTelegram-Android\//.test(userAgent) || bridges.some((bridge) => bridge in page)) return 'telegram'
  return undefined
}

/** Phones and tablets: wallets there are apps. */
export const isPhone = (platform: Platform) => platform === 'ios' || platform === 'android'

/** The chat app in which links to other apps are dead: the page has to be opened in a browser first. */
export const findClosedApp = ({ platform, inApp }: Device) =>
  isPhone(platform) && inApp !== 'telegram' ? inApp : undefined

/** How people write them. */
export const platformNames: Record<Platform, string> = {
  ios: 'iOS',
  android: 'Android',
  macos: 'macOS',
  windows: 'Windows',
  linux: 'Linux',
}

export const browserNames: Record<Browser, string> = {
  chrome: 'Chrome',
  edge: 'Edge',
  firefox: 'Firefox',
  opera: 'Opera',
  safari: 'Safari',
  brave: 'Brave',
  arc: 'Arc',
}
