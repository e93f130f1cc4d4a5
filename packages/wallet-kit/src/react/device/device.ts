import {
  detectInAppBrowser,
  detectPlatform,
  type InAppBrowser,
  limitsOf,
  type NavigatorLike,
  type Platform,
} from '../../core/wallets/userAgent.ts'

export type Browser = 'chrome' | 'edge' | 'firefox' | 'opera' | 'safari' | 'brave' | 'arc'

export type Device = { platform: Platform; browser: Browser | undefined; inApp?: InAppBrowser | undefined }

/** Detects platform, browser and in-app browser of this page. */
export function detectDevice(): Device {
  // Arc has Chrome's user agent, but adds its palette to every page.
  const isArc = getComputedStyle(document.documentElement).getPropertyValue('--arc-palette-title') !== ''
  return {
    platform: detectPlatform(navigator),
    browser: isArc ? 'arc' : detectBrowser(navigator),
    inApp: detectInAppBrowser(navigator, window),
  }
}

/** Detects the browser. Returns `undefined` for an unknown one. */
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

/** Returns whether a platform is a phone or tablet, where wallets are apps. */
export const isPhone = (platform: Platform) => platform === 'ios' || platform === 'android'

/** Checks whether this page is open on a phone or tablet. Cheaper than `detectDevice`, which computes styles. */
export const isOnPhone = () => isPhone(detectPlatform(navigator))

/** Returns the chat app whose browser blocks links to other apps. The page must first be opened in another browser. */
export const findBlockingApp = (device: Device) => (limitsOf(device).opens === 'nothing' ? device.inApp : undefined)

/** Checks whether the browser opens such a link in another app. */
export const canOpenLink = (link: string, device: Device) => {
  const { opens } = limitsOf(device)
  return opens === 'anything' || (opens === 'webAddresses' && link.startsWith('https://'))
}

/** Display names. */
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
