import { read } from './read.ts'
import type { ConnectorKind } from './wallet.ts'

/** Where the page is shown: what decides which download of a wallet helps. */
export type Platform = 'ios' | 'android' | 'macos' | 'windows' | 'linux'

/** An app that shows pages in a browser of its own, which cannot do all that a browser can. */
export type InAppBrowser = 'wechat' | 'qq' | 'telegram' | 'binance'

/** The parts of `navigator` that are read. */
export type NavigatorLike = { userAgent: string; maxTouchPoints?: number; brave?: unknown }

type Limits = {
  platforms: readonly Platform[]
  /** Which links to other apps are not dead. */
  opens: 'anything' | 'webAddresses' | 'nothing'
  /** Ways to a wallet that lead nowhere: nothing is loaded or contacted for them. */
  lacks: readonly ConnectorKind[]
  /** What becomes of a wallet that is left without a way. */
  unreachable: 'shown' | 'hidden'
}

const phones = ['ios', 'android'] as const
const chat = {
  platforms: phones,
  opens: 'nothing',
  lacks: ['walletConnect', 'coinbase'],
  unreachable: 'shown',
} as const

/** What the browsers of apps cannot do. */
const inAppBrowsers: Record<InAppBrowser, Limits> = {
  wechat: chat,
  qq: chat,
  telegram: { platforms: phones, opens: 'webAddresses', lacks: [], unreachable: 'shown' },
  // Binance says (2026-10-30) that its browser on Android does not support the relay.
  binance: { platforms: ['android'], opens: 'anything', lacks: ['walletConnect'], unreachable: 'hidden' },
}

const none: Limits = { platforms: [], opens: 'anything', lacks: [], unreachable: 'shown' }

/** What the browser of an app on that platform cannot do. */
export function limitsOf({ platform, inApp }: { platform: Platform; inApp?: InAppBrowser | undefined }): Limits {
  return inApp && inAppBrowsers[inApp].platforms.includes(platform) ? inAppBrowsers[inApp] : none
}

/** What cannot be done where this page is shown. */
export function findLimits(): Limits {
  if (typeof window === 'undefined') return none
  return limitsOf({ platform: detectPlatform(navigator), inApp: detectInAppBrowser(navigator, window) })
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

/** The app in whose own browser a page is shown, if it is one of those that limit it. */
export function detectInAppBrowser({ userAgent }: NavigatorLike, page: object): InAppBrowser | undefined {
  if (/\bMicroMessenger\//i.test(userAgent)) return 'wechat'
  // The chat app. QQ's browser for phones says MQQBrowser alone, and opens apps.
  if (/\bQQ\/\d/.test(userAgent)) return 'qq'
  // On iOS only what Telegram puts on the page tells. https://core.telegram.org/bots/webapps
  const bridges = ['TelegramWebviewProxy', 'TelegramWebviewProxyProto']
  if (/\bTelegram-Android\//.test(userAgent) || bridges.some((bridge) => bridge in page)) return 'telegram'
  return /\bBNC\/\d/.test(userAgent) || read(page, 'isBinance') === true ? 'binance' : undefined
}
