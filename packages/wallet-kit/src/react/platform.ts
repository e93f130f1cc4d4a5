import {
  detectInAppBrowser,
  detectPlatform,
  type InAppBrowser,
  limitsOf,
  type NavigatorLike,
  type Platform,
} from '../core/surroundings.ts'

export type Browser = 'chrome' | 'edge' | 'firefox' | 'opera' | 'safari' | 'brave' | 'arc'

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

/** Phones and tablets: wallets there are apps. */
export const isPhone = (platform: Platform) => platform === 'ios' || platform === 'android'

/** Whether this page is on one. Cheaper than all of `detectDevice`, which has the page's styles worked out. */
export const isOnPhone = () => isPhone(detectPlatform(navigator))

/** The chat app in which links to other apps are dead: the page has to be opened in a browser first. */
export const findClosedApp = (device: Device) => (limitsOf(device).opens === 'nothing' ? device.inApp : undefined)

/** Whether a link to another app opens it. */
export const canFollow = (link: string, device: Device) => {
  const { opens } = limitsOf(device)
  return opens === 'anything' || (opens === 'webAddresses' && link.startsWith('https://'))
}

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
