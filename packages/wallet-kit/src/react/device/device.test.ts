import fc from 'fast-check'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { detectInAppBrowser, detectPlatform } from '../../core/wallets/userAgent.ts'
import { openOutsideTelegram } from './appLinks.ts'
import { browserNames, canOpenLink, detectBrowser, detectDevice, findBlockingApp, platformNames } from './device.ts'

const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0'
const safari = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5'
const webView =
  'Mozilla/5.0 (Linux; Android 15; 23127PN0CC Build/AQ3A.240627.003; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0.6778.135 Mobile Safari/537.36'

describe.each([
  ['Chrome on Windows', `${windows} ${chrome} Safari/537.36`, 0, 'windows', 'chrome', undefined],
  ['Chrome on Windows with a touch screen', `${windows} ${chrome} Safari/537.36`, 10, 'windows', 'chrome', undefined],
  ['Edge on Windows', `${windows} ${chrome} Safari/537.36 Edg/141.0.0.0`, 0, 'windows', 'edge', undefined],
  ['Opera on Windows', `${windows} ${chrome} Safari/537.36 OPR/120.0.0.0`, 0, 'windows', 'opera', undefined],
  ['Chrome on a Mac', `${mac} ${chrome} Safari/537.36`, 0, 'macos', 'chrome', undefined],
  ['Safari on a Mac', `${mac} ${safari} Safari/605.1.15`, 0, 'macos', 'safari', undefined],
  ['Safari on an iPad, which says it is a Mac', `${mac} ${safari} Safari/605.1.15`, 5, 'ios', 'safari', undefined],
  [
    'Safari on an older iPad',
    'Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.1 Mobile/15E148 Safari/604.1',
    5,
    'ios',
    'safari',
    undefined,
  ],
  ['Safari on an iPhone', `${iPhone} Version/18.5 Mobile/15E148 Safari/604.1`, 5, 'ios', 'safari', undefined],
  ['Chrome on an iPhone', `${iPhone} CriOS/141.0.0.0 Mobile/15E148 Safari/604.1`, 5, 'ios', 'chrome', undefined],
  ['Firefox on an iPhone', `${iPhone} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`, 5, 'ios', 'firefox', undefined],
  ['Edge on an iPhone', `${iPhone} Version/18.0 EdgiOS/141.0 Mobile/15E148 Safari/604.1`, 5, 'ios', 'edge', undefined],
  [
    'Firefox on Linux',
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    0,
    'linux',
    'firefox',
    undefined,
  ],
  [
    'Chrome on Android',
    `Mozilla/5.0 (Linux; Android 10; K) ${chrome} Mobile Safari/537.36`,
    5,
    'android',
    'chrome',
    undefined,
  ],
  [
    'Edge on Android',
    `Mozilla/5.0 (Linux; Android 10; K) ${chrome} Mobile Safari/537.36 EdgA/141.0.0.0`,
    5,
    'android',
    'edge',
    undefined,
  ],
  [
    'Firefox on Android',
    'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0',
    5,
    'android',
    'firefox',
    undefined,
  ],
  [
    'WeChat on an iPhone',
    `${iPhone} Mobile/15E148 MicroMessenger/8.0.50(0x18003237) NetType/WIFI Language/zh_CN`,
    5,
    'ios',
    undefined,
    'wechat',
  ],
  [
    'WeChat on Android',
    'Mozilla/5.0 (Linux; Android 13; 22081212C Build/TKQ1.220829.002; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/107.0.5304.141 Mobile Safari/537.36 XWEB/5023 MMWEBSDK/20230303 MMWEBID/6973 MicroMessenger/8.0.34.2340(0x2800225B) WeChat/arm64 Weixin NetType/WIFI Language/zh_CN ABI/arm64',
    5,
    'android',
    'chrome',
    'wechat',
  ],
  [
    'QQ on an iPhone',
    `${iPhone} Mobile/15E148 QQ/9.1.30.612 V1_IPH_SQ_9.1.30_1_APP_A Pixel/1170 SimpleUISwitch/0 StudyMode/0`,
    5,
    'ios',
    undefined,
    'qq',
  ],
  [
    'QQ on Android',
    `${webView} MQQBrowser/6.2 TBS/046291 V1_AND_SQ_9.1.30_8544_YYB_D QQ/9.1.30.23870 NetType/WIFI`,
    5,
    'android',
    'chrome',
    'qq',
  ],
  [
    'QQ’s own browser, which opens apps',
    'Mozilla/5.0 (Linux; U; Android 14; zh-cn; V2307A Build/UP1A) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/109.0.5414.86 MQQBrowser/15.5 Mobile Safari/537.36',
    5,
    'android',
    'chrome',
    undefined,
  ],
  [
    'Telegram on Android',
    'Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.6778.135 Mobile Safari/537.36 Telegram-Android/11.4.3 (Samsung SM-G965N; Android 14; SDK 34; AVERAGE)',
    5,
    'android',
    'chrome',
    'telegram',
  ],
  ['MetaMask on Android', `${webView} MetaMaskMobile`, 5, 'android', 'chrome', 'other'],
  ['MetaMask on an iPhone', `${iPhone} Mobile/15E148 MetaMaskMobile`, 5, 'ios', undefined, 'other'],
  [
    'Trust on an iPhone',
    `${iPhone} Version/18.5 Mobile/15E148 Safari/604.1 Trust/2025.10`,
    5,
    'ios',
    'safari',
    undefined,
  ],
  ['TokenPocket on Android', `${webView} TokenPocket_Android`, 5, 'android', 'chrome', 'other'],
  ['TokenPocket on an iPhone', `${iPhone} Mobile/15E148 TokenPocket_iOS`, 5, 'ios', undefined, 'other'],
  ['imToken on an iPhone', `${iPhone} Mobile/15E148 imToken/2.17.1 Locale/zh-CN`, 5, 'ios', undefined, 'other'],
  [
    'Facebook on an iPhone',
    `${iPhone} Mobile/15E148 [FBAN/FBIOS;FBAV/480.0.0.50.109;FBBV/642;FBDV/iPhone14,5;FBMD/iPhone]`,
    5,
    'ios',
    undefined,
    'other',
  ],
  ['Facebook on Android', `${webView} [FB_IAB/FB4A;FBAV/480.0.0.50.109;]`, 5, 'android', 'chrome', 'other'],
  ['Messenger on an iPad', `${mac} AppleWebKit/605.1.15 [FBAN/MessengerForiOS;FBAV/4]`, 5, 'ios', undefined, 'other'],
  ['an app on an iPad', `${mac} AppleWebKit/605.1.15 (KHTML, like Gecko)`, 5, 'ios', undefined, 'other'],
  ['an app on a Mac', `${mac} AppleWebKit/605.1.15 (KHTML, like Gecko)`, 0, 'macos', undefined, undefined],
  ['Instagram on an iPhone', `${iPhone} Mobile/15E148 Instagram 350.0.0.20.98`, 5, 'ios', undefined, 'other'],
  ['Instagram on Android', `${webView} Instagram 350.0.0.20.98 Android`, 5, 'android', 'chrome', 'other'],
  ['LINE on an iPhone', `${iPhone} Mobile/15E148 Safari Line/14.16.0`, 5, 'ios', undefined, 'other'],
  [
    'LINE on Android, without the mark of a view',
    `Mozilla/5.0 (Linux; Android 14; K) ${chrome} Mobile Safari/537.36 Line/14.16.0/IAB`,
    5,
    'android',
    'chrome',
    'other',
  ],
  ['KakaoTalk on an iPhone', `${iPhone} Mobile/15E148 Safari/604.1 KAKAOTALK 10.8.3`, 5, 'ios', undefined, 'other'],
  [
    'Snapchat on an iPhone',
    `${iPhone} Version/18.5 Mobile/15E148 Snapchat/13.1 (like Safari/604.1)`,
    5,
    'ios',
    'safari',
    'other',
  ],
  ['X on an iPhone', `${iPhone} Mobile/15E148 Twitter for iPhone/10.60`, 5, 'ios', undefined, 'other'],
  ['any app on Android', `${webView} AnyApp/1.0`, 5, 'android', 'chrome', 'other'],
  [
    'an app with "op" in its name',
    `${windows} ${chrome} Safari/537.36 ShopApp/1.0 Desktop/2`,
    0,
    'windows',
    'chrome',
    undefined,
  ],
  ['Binance on Android', `${webView} BMP/2.99.4 BNC/2.99.4`, 5, 'android', 'chrome', 'binance'],
  ['an app that ends in QQ', `${webView} NotQQ/9.1`, 5, 'android', 'chrome', 'other'],
  ['a tool', 'curl/8.0', 0, 'linux', undefined, undefined],
  ['nothing', '', 0, 'linux', undefined, undefined],
] as const)('%s', (_, userAgent, maxTouchPoints, platform, browser, inApp) => {
  test('detects platform, browser and in-app browser', () => {
    expect(detectPlatform({ userAgent, maxTouchPoints })).toBe(platform)
    expect(detectBrowser({ userAgent })).toBe(browser)
    expect(detectInAppBrowser({ userAgent, maxTouchPoints }, {})).toBe(inApp)
  })
})

test('Brave, whose user agent is Chrome’s', () => {
  expect(detectBrowser({ userAgent: `${windows} ${chrome} Safari/537.36`, brave: {} })).toBe('brave')
})

test('Arc, whose user agent is Chrome’s, by the palette it gives to pages', () => {
  expect(detectDevice().browser).not.toBe('arc')
  document.documentElement.style.setProperty('--arc-palette-title', '#123')
  onTestFinished(() => void document.documentElement.style.removeProperty('--arc-palette-title'))
  expect(detectDevice().browser).toBe('arc')
})

test.each(['TelegramWebviewProxy', 'TelegramWebviewProxyProto'])('Telegram on an iPhone, by its %s', (bridge) => {
  expect(detectInAppBrowser({ userAgent: `${iPhone} Mobile/15E148` }, { [bridge]: {} })).toBe('telegram')
})

test('WeChat and QQ block app links on a phone, not on a computer', () => {
  expect(findBlockingApp({ platform: 'ios', browser: undefined, inApp: 'wechat' })).toBe('wechat')
  expect(findBlockingApp({ platform: 'android', browser: undefined, inApp: 'qq' })).toBe('qq')
  expect(findBlockingApp({ platform: 'windows', browser: undefined, inApp: 'wechat' })).toBeUndefined()
  expect(findBlockingApp({ platform: 'ios', browser: undefined, inApp: 'telegram' })).toBeUndefined()
  expect(findBlockingApp({ platform: 'ios', browser: 'safari' })).toBeUndefined()
})

test('a page on the home screen of iOS is no in-app browser, though its user agent is that of one', () => {
  const userAgent = `${iPhone} Mobile/15E148`
  expect(detectInAppBrowser({ userAgent, standalone: true }, {})).toBeUndefined()
  expect(detectInAppBrowser({ userAgent, standalone: false }, {})).toBe('other')
})

test('Binance, by what its app puts on the page', () => {
  expect(detectInAppBrowser({ userAgent: webView }, { isBinance: true })).toBe('binance')
})

test('Telegram and other apps open web addresses only, WeChat and QQ nothing, browsers everything', () => {
  const follows = (inApp?: 'telegram' | 'wechat' | 'qq' | 'binance' | 'other') =>
    ['https://a.example', 'rainbow://wc', 'wc:a@2'].filter((link) =>
      canOpenLink(link, { platform: 'ios', browser: undefined, inApp }),
    )
  expect(follows('telegram')).toEqual(['https://a.example'])
  expect(follows('other')).toEqual(['https://a.example'])
  expect(follows('wechat')).toEqual([])
  expect(follows('qq')).toEqual([])
  expect(follows('binance')).toHaveLength(3)
  expect(follows()).toHaveLength(3)
})

test('property: any user agent has a platform, and a known browser or none', () => {
  fc.assert(
    fc.property(fc.string(), (userAgent) => {
      expect(platformNames[detectPlatform({ userAgent })]).toBeTruthy()
      const browser = detectBrowser({ userAgent })
      expect(browser === undefined || browserNames[browser]).toBeTruthy()
      detectInAppBrowser({ userAgent }, {})
    }),
  )
})

test('property: a word that contains a browser’s name is not that browser', () => {
  const letters = fc.stringMatching(/^[a-zA-Z]{1,8}$/)
  fc.assert(
    fc.property(letters, fc.constantFrom('OPR/', 'Edg/', 'Firefox/', 'QQ/9', 'MicroMessenger/'), (before, name) => {
      const userAgent = `${windows} ${chrome} Safari/537.36 ${before}${name}1.0`
      expect(detectBrowser({ userAgent })).toBe('chrome')
      expect(detectInAppBrowser({ userAgent }, {})).toBeUndefined()
    }),
  )
})

describe('links in Telegram', () => {
  const page = window as unknown as Record<string, unknown>
  afterEach(() => {
    for (const name of ['Telegram', 'TelegramWebviewProxy']) delete page[name]
  })
  const openLink = vi.fn()
  const inTelegram = (webApp: unknown) => {
    page.TelegramWebviewProxy = {}
    page.Telegram = { WebApp: webApp }
  }

  test('a web address uses Telegram’s opener', () => {
    inTelegram({ openLink })
    expect(openOutsideTelegram('https://apps.apple.com/app/id1')).toBe(true)
    expect(openLink).toHaveBeenCalledExactlyOnceWith('https://apps.apple.com/app/id1')
  })

  test.each<[string, () => void, string]>([
    ['a scheme', () => inTelegram({ openLink }), 'tpdapp://open'],
    ['no opener', () => inTelegram({}), 'https://a.b'],
    ['no script of Telegram', () => inTelegram(undefined), 'https://a.b'],
    [
      'an opener that throws',
      () =>
        inTelegram({
          openLink: () => {
            throw new Error('WebAppMethodUnsupported')
          },
        }),
      'https://a.b',
    ],
    [
      'another browser with Telegram’s script',
      () => {
        page.Telegram = { WebApp: { openLink } }
      },
      'https://a.b',
    ],
  ])('behavior: %s: an ordinary link', (_, arrange, href) => {
    openLink.mockClear()
    arrange()
    expect(openOutsideTelegram(href)).toBe(false)
    expect(openLink).not.toHaveBeenCalled()
  })
})
