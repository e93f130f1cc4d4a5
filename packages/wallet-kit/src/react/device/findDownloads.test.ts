import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Platform } from '../../core/wallets/userAgent.ts'
import type { DownloadUrls } from '../../core/wallets/wallet.ts'
import { type Browser, browserNames, platformNames } from './device.ts'
import { findDownloads } from './findDownloads.ts'

const urls = {
  chrome: 'https://chrome',
  firefox: 'https://firefox',
  browserExtension: 'https://extension',
  ios: 'https://ios',
  android: 'https://android',
  macos: 'https://macos',
  mobile: 'https://mobile',
}

test.each([
  ['chrome', 'https://chrome'],
  ['brave', 'https://chrome'],
  ['arc', 'https://chrome'],
  ['edge', 'https://chrome'],
  ['firefox', 'https://firefox'],
  ['safari', 'https://extension'],
  [undefined, 'https://extension'],
] as const)('extension for %s', (browser, url) => {
  expect(findDownloads(urls, { platform: 'macos', browser }).extension).toBe(url)
})

test('a phone gets its own store and no extension, on Android also the page, because Google Play is not reachable everywhere', () => {
  expect(findDownloads(urls, { platform: 'android', browser: 'chrome' })).toMatchObject({
    extension: undefined,
    desktop: undefined,
    mobile: [
      { store: 'googlePlay', url: 'https://android' },
      { store: 'website', url: 'https://mobile' },
    ],
  })
  expect(findDownloads(urls, { platform: 'ios', browser: undefined }).mobile).toEqual([
    { store: 'appStore', url: 'https://ios' },
  ])
})

test('a computer gets its app and both stores', () => {
  const { desktop, mobile } = findDownloads(urls, { platform: 'macos', browser: 'safari' })
  expect(desktop).toBe('https://macos')
  expect(mobile.map(({ store }) => store)).toEqual(['appStore', 'googlePlay'])
})

test('a phone without a store link gets the mobile page', () => {
  const { mobile } = findDownloads({ ios: urls.ios, mobile: urls.mobile }, { platform: 'android', browser: undefined })
  expect(mobile).toEqual([{ store: 'website', url: 'https://mobile' }])
})

test('any download URL gives at least one download', () => {
  const keys: (keyof DownloadUrls)[] = [
    'ios',
    'android',
    'mobile',
    'qrCode',
    'chrome',
    'edge',
    'firefox',
    'opera',
    'safari',
    'macos',
    'windows',
    'linux',
    'desktop',
    'browserExtension',
  ]
  const device = fc.record({
    platform: fc.constantFrom(...(Object.keys(platformNames) as Platform[])),
    browser: fc.option(fc.constantFrom(...(Object.keys(browserNames) as Browser[])), { nil: undefined }),
  })
  fc.assert(
    fc.property(fc.subarray(keys, { minLength: 1 }), device, (present, device) => {
      const downloads = findDownloads(Object.fromEntries(present.map((key) => [key, `https://${key}`])), device)
      expect(downloads.extension || downloads.desktop || downloads.mobile.length > 0 || downloads.website).toBeTruthy()
    }),
  )
})
