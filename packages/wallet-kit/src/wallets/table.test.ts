// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import type { DownloadUrls, WalletDefinition } from '../core/wallets/wallet.ts'
import { createOpenInWalletLink, findAppLink } from '../react/device/appLinks.ts'
import { canOpenLink, type Device } from '../react/device/device.ts'
import * as more from './icons/more.ts'
import * as popular from './icons/popular.ts'
import * as table from './table.ts'

const wallets: readonly WalletDefinition[] = Object.values(table)
const idsOf = (faulty: (wallet: WalletDefinition) => unknown) => wallets.filter(faulty).map(({ id }) => id)

const source = readFileSync(new URL('table.ts', import.meta.url), 'utf8')
/** The text of each row: its docblock and its lines. */
const rows = source.split(/^(?=\/\*\*)/m).slice(1)

test('holds more than sixty wallets, each under its id with `Wallet`, or the name that RainbowKit has for it', () => {
  const others = Object.entries(table).filter(([name, { id }]) => name !== `${id}Wallet`)
  expect(Object.fromEntries(others.map(([name, { id }]) => [id, name]))).toEqual({
    safePal: 'safepalWallet',
    subWallet: 'subWallet',
    ioPay: 'iopayWallet',
    meCo: 'mecoWallet',
    baseAccount: 'baseAccount',
  })
  expect(wallets.length).toBeGreaterThan(60)
})

test('an app contains only the wallets that it names, and their icons in files that load later', async () => {
  const { outputFiles } = await build({
    stdin: { contents: `export { okxWallet } from './table.ts'`, resolveDir: import.meta.dirname },
    ...{ bundle: true, format: 'esm', splitting: true, write: false, outdir: 'out', external: ['./relay/*', 'viem'] },
  })
  const main = outputFiles.find(({ path }) => path.endsWith('stdin.js'))?.text
  expect(main).toContain(table.okxWallet.rdns?.[0])
  expect(wallets.filter(({ id, rdns = [] }) => id !== 'okx' && rdns.some((name) => main?.includes(name)))).toEqual([])
  expect(main).not.toContain('data:image')
  expect(outputFiles.filter(({ text }) => text.includes('data:image')).length).toBeGreaterThan(0)
})

/** Targets of links, without names that change, languages and tracking. */
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
/** An app's own scheme or its web address, then what WalletConnect specifies for pairings. */
const relayLink = /^([a-zA-Z][\w.-]*:\/\/|https:\/\/[\w.-]+\/)[\w./:?=-]*wc\?uri=\{uri\}$/
const rdns = /^[a-z0-9]+(\.[a-z0-9-]+)+$/
const color = /^#([\da-f]{3}){1,2}$/
const page = /^https:\/\/[\w./-]+$/

describe('of each row', () => {
  test('the names are there, in Chinese with Chinese characters, and the short one fits a tile', () => {
    expect(idsOf(({ name, shortName = name }) => !name.trim() || [...shortName].length > 13)).toEqual([])
    const inChinese = wallets.flatMap(({ names = {} }) => Object.entries(names))
    expect(inChinese.length).toBeGreaterThan(8)
    expect(inChinese.filter(([tag, name]) => !/^zh-(CN|TW)$/.test(tag) || !/\p{Script=Han}/u.test(name))).toEqual([])
  })

  test('the icon is a picture under 2 kB that loads when it is shown', async () => {
    const icons = await Promise.all(
      wallets.map(async ({ id, iconUrl }) => [id, typeof iconUrl === 'function' ? await iconUrl() : ''] as const),
    )
    const form = /^data:image\/svg\+xml,%3Csvg [^<>#]+%3E$/
    expect(icons.filter(([, icon]) => icon.length >= 2_000 || !form.test(icon)).map(([id]) => id)).toEqual([])
    expect(source).not.toMatch(/^import .*icons/m)
    // Those that lists show together are in two files.
    const files = readdirSync(new URL('icons', import.meta.url)).map((file) => file.replace('.ts', ''))
    const together = Object.keys({ ...popular, ...more })
    expect([...files, ...together].sort()).toEqual([...wallets.map(({ id }) => id), 'more', 'popular'].sort())
  })

  test('the marks have the form of rdns, flags and paths, and no other row has them', () => {
    expect(idsOf(({ rdns: names = [] }) => names.some((name) => !rdns.test(name)))).toEqual([])
    expect(idsOf(({ flags = [] }) => flags.some((flag) => !/^is\w+$/.test(flag) || flag === 'isMetaMask'))).toEqual([])
    expect(idsOf(({ namespaces = [] }) => namespaces.some((path) => !/^[\w$]+(\.\w+)*$/.test(path)))).toEqual([])
    const marks = wallets.flatMap(({ rdns = [], flags = [], namespaces = [] }) => [...rdns, ...flags, ...namespaces])
    expect(marks.filter((mark, index) => marks.indexOf(mark) !== index)).toEqual([])
  })

  test('links lead to stores and own pages, without tracking', () => {
    const links = wallets.flatMap(({ id, downloadUrls = {} }) =>
      Object.entries(downloadUrls).map(([place, link]) => ({ id, place, link })),
    )
    expect(links.filter(({ place, link }) => !shapes[place as keyof DownloadUrls].test(link))).toEqual([])
    expect(links.filter(({ link }) => /utm|referr|[?&](pt|ct|mt|ref|hl|pli)=/.test(link))).toEqual([])
    expect(links.length).toBeGreaterThan(200)
  })

  test('an app has a page for phones without its store, and an extension one for unknown browsers', () => {
    expect(
      idsOf(({ downloadUrls: { ios, android, mobile } = {} }) => Boolean(ios ?? android) !== Boolean(mobile)),
    ).toEqual([])
    const extensions = ['chrome', 'edge', 'firefox', 'opera', 'safari'] as const
    expect(
      idsOf(({ downloadUrls = {} }) => extensions.some((it) => downloadUrls[it]) && !downloadUrls.browserExtension),
    ).toEqual([])
  })

  test('links for pairings have the form that the explorer documents', () => {
    const links = wallets.flatMap(({ relayLinks = {} }) => Object.values(relayLinks))
    expect(links.filter((link) => !relayLink.test(link))).toEqual([])
    expect(links.filter((link) => /^(javascript|data|file|http|intent|wc):/.test(link))).toEqual([])
    expect(idsOf(({ relayLinks }) => relayLinks?.universal && !relayLinks.universal.startsWith('https://'))).toEqual([])
  })

  test('there is a way to connect: on the page if it has a mark, over the relay if it has a link', () => {
    const kindsOf = ({ connectors }: WalletDefinition) => connectors.length
    expect(idsOf((it) => kindsOf(it) === 0)).toEqual([])
    const isOnPage = ({ rdns, flags, namespaces }: WalletDefinition) => Boolean(rdns ?? flags ?? namespaces)
    expect(idsOf((it) => kindsOf(it) < Number(isOnPage(it)) + Number(Boolean(it.relayLinks)))).toEqual([])
  })

  test('the colours are hex values', () => {
    expect(idsOf((it) => !color.test(it.iconBackground) || !color.test(it.iconAccent ?? ''))).toEqual([])
  })

  test('a comment names the source of each fact and the day when it was read, and the docblock its page', () => {
    const facts = /^ *(rdns|flags|namespaces|downloadUrls|relayLinks|openInWallet):/
    const read = /(RainbowKit|the explorer|https:\/\/\S+), read \d{4}-\d{2}-\d{2}/
    const unsourced = rows.flatMap((row) => {
      const lines = row.split('\n')
      const isComment = (index: number) => /^ *\/\//.test(lines[index] ?? '')
      return lines.filter((line, index) => {
        let above = index
        while (above >= 0 && !isComment(above)) above--
        let text = ''
        for (; isComment(above); above--) text = `${lines[above]} ${text}`
        return facts.test(line) && !read.test(text)
      })
    })
    expect(unsourced).toEqual([])
    expect(rows.length).toBe(wallets.length)
    expect(rows.filter((row) => !page.test(/@see (\S+)/.exec(row)?.[1] ?? ''))).toEqual([])
  })
})

const address = 'https://app.example/referrals?address=0xab&lang=zh%20CN#top'
const encoded = 'https%3A%2F%2Fapp.example%2Freferrals%3Faddress%3D0xab%26lang%3Dzh%2520CN%23top'

test('this page opens in the browser of a wallet, with its path and query', () => {
  const opened = wallets.flatMap(({ id, openInWallet }) =>
    openInWallet ? [[id, createOpenInWalletLink(openInWallet, address)]] : [],
  )
  expect(Object.fromEntries(opened)).toEqual({
    backpack: `https://backpack.app/ul/v1/browse/${encoded}?ref=${encoded}`,
    bitget: `https://bkcode.vip?action=dapp&url=${encoded}`,
    coinbase: `https://go.cb-w.com/dapp?cb_url=${encoded}`,
    imToken: `imtokenv2://navigate/DappView?url=${encoded}`,
    metaMask: `https://link.metamask.io/dapp/${address.slice(8)}`,
    okx: `https://web3.okx.com/download?deeplink=${encodeURIComponent(`okx://wallet/dapp/url?dappUrl=${encoded}`)}`,
    phantom: `https://phantom.app/ul/browse/${encoded}?ref=${encoded}`,
    tokenPocket: `tpdapp://open?params=${encodeURIComponent(JSON.stringify({ url: address }))}`,
    trust: `https://link.trustwallet.com/open_url?coin_id=60&url=${encoded}`,
  })
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

test.each([
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
  [
    'oneKey',
    `onekey-wallet://wc?uri=${once}`,
    `onekey-wallet://wc?uri=${once}`,
    'https://app.onekey.so/wc/connect/wc?uri=',
  ],
  ['uniswap', `uniswap://wc?uri=${once}`, `uniswap://wc?uri=${once}`, 'https://uniswap.org/app/wc?uri='],
  ['ledger', `ledgerlive://wc?uri=${once}`, uri, undefined],
  ['ready', `argent://app/wc?uri=${once}`, uri, 'https://www.argent.xyz/app/wc?uri='],
])('the link that hands a pairing to %s', (id, iPhone, android, universal) => {
  const relayLinks = wallets.find((wallet) => wallet.id === id)?.relayLinks
  expect(findAppLink(relayLinks, uri, places.iPhone)).toBe(iPhone)
  expect(findAppLink(relayLinks, uri, places.Android)).toBe(android)
  expect(findAppLink(relayLinks, uri, places['Telegram on an iPhone'])).toBe(universal && universal + once)
  expect(findAppLink(relayLinks, uri, places['Telegram on Android'])).toBe(universal && universal + twice)
})

test('no link of a wallet for WeChat and QQ, and only web addresses for Telegram', () => {
  for (const inApp of ['wechat', 'qq'] as const)
    expect(idsOf(({ relayLinks }) => findAppLink(relayLinks, uri, { ...places.iPhone, inApp }))).toEqual([])
  const telegram = places['Telegram on Android']
  const links = wallets.flatMap(({ openInWallet, relayLinks }) => [
    openInWallet && createOpenInWalletLink(openInWallet, address),
    findAppLink(relayLinks, uri, telegram),
  ])
  const opened = links.filter((link) => link && canOpenLink(link, telegram))
  expect(opened.length).toBeGreaterThan(20)
  expect(opened.filter((link) => !link?.startsWith('https://'))).toEqual([])
})
