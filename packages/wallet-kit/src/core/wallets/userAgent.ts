import { readProperty } from '../lib/untrusted.ts'
import type { ConnectorKind } from './wallet.ts'

/** The platform that shows the page. It decides which downloads are offered. */
export type Platform = 'ios' | 'android' | 'macos' | 'windows' | 'linux'

/** An app whose in-app browser lacks abilities of a normal browser. */
export type InAppBrowser = 'wechat' | 'qq' | 'telegram' | 'binance' | 'other'

/** The fields of `navigator` that are read. */
export type NavigatorLike = { userAgent: string; maxTouchPoints?: number; brave?: unknown; standalone?: boolean }

type Limits = {
  platforms: readonly Platform[]
  /** The links that open other apps. */
  opens: 'anything' | 'webAddresses' | 'nothing'
  /** Connectors that do not work, for which nothing is loaded or contacted. */
  lacks: readonly ConnectorKind[]
  /** Treatment of wallets that have no other connector. */
  unreachable: 'shown' | 'hidden'
}

const phones = ['ios', 'android'] as const
const chat = {
  platforms: phones,
  opens: 'nothing',
  lacks: ['walletConnect', 'coinbase'],
  unreachable: 'shown',
} as const

/** The limits of each in-app browser. */
const inAppBrowsers: Record<InAppBrowser, Limits> = {
  wechat: chat,
  qq: chat,
  telegram: { platforms: phones, opens: 'webAddresses', lacks: [], unreachable: 'shown' },
  // Its browser on Android does not support the relay (Binance, 2026-10-30).
  binance: { platforms: ['android'], opens: 'anything', lacks: ['walletConnect'], unreachable: 'hidden' },
  // Such as that of Facebook, Instagram or LINE. It may replace the page by an error page when a scheme is unknown.
  other: { platforms: phones, opens: 'webAddresses', lacks: [], unreachable: 'shown' },
}

const none: Limits = { platforms: [], opens: 'anything', lacks: [], unreachable: 'shown' }

/** Returns the limits of an in-app browser on a platform. */
export function limitsOf({ platform, inApp }: { platform: Platform; inApp?: InAppBrowser | undefined }): Limits {
  return inApp && inAppBrowsers[inApp].platforms.includes(platform) ? inAppBrowsers[inApp] : none
}

/** Returns the limits of the browser that shows this page. */
export function findLimits(): Limits {
  if (typeof document === 'undefined') return none
  return limitsOf({ platform: detectPlatform(navigator), inApp: detectInAppBrowser(navigator, window) })
}

/** Detects the platform from the user agent. */
export function detectPlatform({ userAgent, maxTouchPoints = 0 }: NavigatorLike): Platform {
  if (/android/i.test(userAgent)) return 'android'
  if (/iphone|ipad|ipod/i.test(userAgent)) return 'ios'
  // An iPad claims to be a Mac, but no Mac has a touch screen.
  if (/mac os x|macintosh/i.test(userAgent)) return maxTouchPoints > 1 ? 'ios' : 'macos'
  return /windows/i.test(userAgent) ? 'windows' : 'linux'
}

/** Detects the in-app browser, if it is one with limits. */
export function detectInAppBrowser(navigator: NavigatorLike, page: object): InAppBrowser | undefined {
  const { userAgent } = navigator
  if (/\bMicroMessenger\//i.test(userAgent)) return 'wechat'
  // The chat app. QQ's own browser sends only MQQBrowser, and opens apps.
  if (/\bQQ\/\d/.test(userAgent)) return 'qq'
  // On iOS only the objects that Telegram injects identify it. https://core.telegram.org/bots/webapps
  const bridges = ['TelegramWebviewProxy', 'TelegramWebviewProxyProto']
  if (/\bTelegram-Android\//.test(userAgent) || bridges.some((bridge) => bridge in page)) return 'telegram'
  if (/\bBNC\/\d/.test(userAgent) || readProperty(page, 'isBinance') === true) return 'binance'
  return isWebView(navigator) ? 'other' : undefined
}

/** Detects the browser view of an app by the marks of the system, or of apps that hide these. */
function isWebView(navigator: NavigatorLike): boolean {
  const { userAgent, standalone } = navigator
  if (/\b(FBA[NV]\/|FB_IAB\/|Instagram |Line\/|KAKAOTALK |Snapchat\/|NAVER\(inapp)/.test(userAgent)) return true
  const platform = detectPlatform(navigator)
  if (platform === 'android') return /; ?wv\)/.test(userAgent)
  // A page on the home screen has the same user agent as a view.
  return platform === 'ios' && standalone !== true && /\bAppleWebKit\//.test(userAgent) && !/\bSafari\//.test(userAgent)
}

/** Checks whether another page frames this one. */
export const isFramed = (): boolean => typeof document !== 'undefined' && window.parent !== window
