// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { DownloadUrls, WalletDefinition } from '../core/wallets/wallet.ts'
import { createOpenInWalletLink, findAppLink } from '../react/device/appLinks.ts'
import { canOpenLink, type Device } from '../react/device/device.ts'

const ids = readdirSync(new URL('definitions', import.meta.url)).map((file) => file.replace('.ts', ''))
const definitions = await Promise.all(
  ids.map(
    async (id): Promise<[string, Record<string, WalletDefinition>]> => [id, await import(`./definitions/${id}.ts`)],
  ),
)

/** Target of each link, without names that change, languages and tracking. */
const shapes: Record<keyof DownloadUrls, RegExp> = {
  ios: /^https:\/\/apps\.apple\.com\/app\/id\d{9,10}$/,
  android: /^https:\/\/play\.google\.com\/store\/apps\/details\?id=[\w.]+$/,
  chrome: /^https:\/\/chromewebstore\.google\.com\/detail\/[a-p]{32}$/,
  edge: /^https:\/\/microsoftedge\.microsoft\.com\/addons\/detail\/[a-p]{32}$/,
  firefox: /^https:\/\/addons\.mozilla\.org\/firefox\/addon\/[\w-]+$/,
  opera: /^https:\/\/addons\.opera\.com\/extensions\/details\/[\w-]+$/,
  safari: /^https:\/\/apps\.apple\.com\/app\/id\d{9,10}$/,
  mobile: /^https:\/\/[\w./-]+$/,
  qrCode: /^https:\/\/[\w./-]+$/,
  macos: /^https:\/\/[\w./-]+$/,
  windows: /^https:\/\/[\w./-]+$/,
  linux: /^https:\/\/[\w./-]+$/,
  desktop: /^https:\/\/[\w./-]+$/,
  browserExtension: /^https:\/\/[\w./-]+$/,
}

describe.each(definitions)('%s', (id, module) => {
  const definition = module[id] as WalletDefinition
  const { downloadUrls = {}, openInWallet } = definition

  test('the file holds that one wallet', () => {
    expect(Object.keys(module)).toEqual([id])
    expect(definition.id).toBe(id)
  })

  test('its icon comes with the package', async () => {
    const { iconUrl } = definition
    expect(typeof iconUrl === 'function' && (await iconUrl())).toMatch(/^data:image\/svg\+xml,%3Csvg [^<>#]+%3E$/)
  })

  test('its relay links end with the pairing URI', () => {
    for (const link of Object.values(definition?.relayLinks ?? {}))
      expect(link).toMatch(/^(https:\/\/[a-z.]+|[a-z0-9]+:\/)\/[^{}?]+\?uri=\{uri\}$/)
  })

  test('its links lead to stores, without tracking parameters', () => {
    for (const [place, link] of Object.entries(downloadUrls)) {
      expect(link).toMatch(shapes[place as keyof DownloadUrls])
      expect(link).not.toMatch(/utm|referr|[?&](pt|ct|mt|ref|hl|pli)=/)
    }
  })

  test('an app is offered for both kinds of phone, and an extension also for an unknown browser', () => {
    const { ios, android, mobile, chrome, browserExtension } = downloadUrls
    expect(Boolean(ios)).toBe(Boolean(android))
    expect(Boolean(ios)).toBe(Boolean(mobile))
    expect(Boolean(chrome)).toBe(Boolean(browserExtension))
  })

  test('its file names the sources of its links and when they were read', () => {
    const source = readFileSync(new URL(`definitions/${id}.ts`, import.meta.url), 'utf8')
    if (Object.keys(downloadUrls).length > 0) expect(source).toMatch(/https:\/\/\S+, read \d{4}-\d{2}-\d{2}\./)
    if (openInWallet) expect(source).toMatch(/\/\/ .*https:\/\/\S+, read \d{4}-\d{2}-\d{2}\.\n {2}openInWallet/)
  })

  test('can be reached in some way', () => {
    expect(definition.connectors.length).toBeGreaterThan(0)
  })
})

test('no two wallets share an rdns, flag or namespace', () => {
  const claims = definitions.flatMap(([id, module]) => {
    const { rdns = [], flags = [], namespaces = [] } = module[id] as WalletDefinition
    return [...rdns, ...flags, ...namespaces]
  })
  expect(new Set(claims).size).toBe(claims.length)
})

test('no flag that nearly every wallet sets', () => {
  for (const [id, module] of definitions) expect(module[id]?.flags ?? []).not.toContain('isMetaMask')
})

const page = 'https://app.example/referrals?address=0xab&lang=zh%20CN#top'
const encoded = 'https%3A%2F%2Fapp.example%2Freferrals%3Faddress%3D0xab%26lang%3Dzh%2520CN%23top'

test.each([
  ['metaMask', `https://link.metamask.io/dapp/${page.slice(8)}`],
  ['coinbase', `https://go.cb-w.com/dapp?cb_url=${encoded}`],
  ['okx', `https://web3.okx.com/download?deeplink=${encodeURIComponent(`okx://wallet/dapp/url?dappUrl=${encoded}`)}`],
  ['trust', `https://link.trustwallet.com/open_url?coin_id=60&url=${encoded}`],
  ['tokenPocket', `tpdapp://open?params=${encodeURIComponent(JSON.stringify({ url: page }))}`],
  ['bitget', `https://bkcode.vip?action=dapp&url=${encoded}`],
  ['imToken', `imtokenv2://navigate/DappView?url=${encoded}`],
  ['baseAccount', undefined],
  ['binance', undefined],
  ['rabby', undefined],
  ['rainbow', undefined],
  ['safe', undefined],
  ['safePal', undefined],
  ['walletConnect', undefined],
])('opens this page in the browser of %s, with its path and query', (id, link) => {
  const openInWallet = definitions.find(([it]) => it === id)?.[1][id]?.openInWallet
  expect(openInWallet && createOpenInWalletLink(openInWallet, page)).toBe(link)
})

const uri = 'wc:7f6e504bfad60b485450578e05678ed3e8e8c4751d3c6160be17160d63ec90f9@2?relay-protocol=irn&symKey=587d5484'
const once =
  'wc%3A7f6e504bfad60b485450578e05678ed3e8e8c4751d3c6160be17160d63ec90f9%402%3Frelay-protocol%3Dirn%26symKey%3D587d5484'
const twice = encodeURIComponent(once)
const places = {
  iPhone: { platform: 'ios', browser: 'safari' },
  Android: { platform: 'android', browser: 'chrome' },
  'Telegram on an iPhone': { platform: 'ios', browser: undefined, inApp: 'telegram' },
  'Telegram on Android': { platform: 'android', browser: 'chrome', inApp: 'telegram' },
} satisfies Record<string, Device>

describe.each([
  ['rainbow', `rainbow://wc?uri=${once}`, uri, 'https://rnbwapp.com/wc?uri='],
  [
    'metaMask',
    `https://link.metamask.io/wc?uri=${once}`,
    `https://link.metamask.io/wc?uri=${once}`,
    'https://link.metamask.io/wc?uri=',
  ],
  ['walletConnect', uri, uri, undefined],
  ['binance', `bnc://app.binance.com/cedefi/wc?uri=${once}`, uri, 'https://app.binance.com/cedefi/wc?uri='],
  ['okx', `okex://main/wc?uri=${once}`, uri, undefined],
  ['trust', `trust://wc?uri=${once}`, `trust://wc?uri=${once}`, 'https://link.trustwallet.com/wc?uri='],
  ['tokenPocket', `tpoutside://wc?uri=${once}`, `tpoutside://wc?uri=${once}`, undefined],
  ['safePal', `safepalwallet://wc?uri=${once}`, `safepalwallet://wc?uri=${once}`, 'https://link.safepal.io/wc?uri='],
  ['bitget', `bitkeep://wc?uri=${once}`, uri, 'https://bkapp.vip/wc?uri='],
  ['imToken', `imtokenv2://wc?uri=${once}`, `imtokenv2://wc?uri=${once}`, undefined],
  ['rabby', `rabby://wc?uri=${once}`, `rabby://wc?uri=${once}`, undefined],
  ['safe', `safe://wc?uri=${once}`, `safe://wc?uri=${once}`, 'https://app.safe.global/wc?uri='],
])('the link that hands a pairing to %s', (id, iPhone, android, universal) => {
  const definition = definitions.find(([it]) => it === id)?.[1][id]
  test.each([
    ['iPhone', iPhone],
    ['Android', android],
    ['Telegram on an iPhone', universal && universal + once],
    ['Telegram on Android', universal && universal + twice],
  ] as const)('on %s', (place, link) => {
    expect(findAppLink(definition?.relayLinks, uri, places[place])).toBe(link)
  })

  test('no link in WeChat and QQ', () => {
    for (const inApp of ['wechat', 'qq'] as const)
      expect(findAppLink(definition?.relayLinks, uri, { ...places.iPhone, inApp })).toBeUndefined()
  })
})

test('the links of every relay wallet are checked above', () => {
  const relayed = definitions.filter(([id, module]) => module[id]?.relayLinks || id === 'walletConnect')
  expect(relayed.map(([id]) => id).sort()).toEqual([
    'binance',
    'bitget',
    'imToken',
    'metaMask',
    'okx',
    'rabby',
    'rainbow',
    'safe',
    'safePal',
    'tokenPocket',
    'trust',
    'walletConnect',
  ])
})

test.each(definitions)('in Telegram %s is opened by a web address or not at all', (id, module) => {
  const { openInWallet } = module[id] as WalletDefinition
  const link = openInWallet && createOpenInWalletLink(openInWallet, page)
  if (link) expect(canOpenLink(link, places['Telegram on Android'])).toBe(link.startsWith('https://'))
})
