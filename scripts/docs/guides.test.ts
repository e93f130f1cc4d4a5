import { expect, test } from 'vitest'
import { readExportedNames } from './kitExports.ts'
import { codeSpans, readText, tableRows } from './markdown.ts'

const guide = (name: string) => readText(`apps/docs/pages/guide/${name}.md`)
const kit = 'packages/wallet-kit/src'

test('behavior: the migration guide names only exports of the kit', () => {
  const exported = new Set(readExportedNames())
  const options = new Set(
    ['core/state/config.ts', 'react/WalletKitContext.ts', 'react/WalletKitProvider.tsx']
      .flatMap((file) => readText(`${kit}/${file}`).match(/^ {2}\w+(?=\??:)/gm) ?? [])
      .map((name) => name.trim()),
  )
  const cells = [
    ...tableRows(guide('migration'), 'here').map(([cell = '']) => cell),
    ...['wagmi', 'wallet of RainbowKit'].flatMap((column) =>
      tableRows(guide('migration'), column, 'here').map(([, cell = '']) => cell),
    ),
  ]
  const names = cells.flatMap((cell) => codeSpans(cell)).map((span) => /^\w+/.exec(span)?.[0] ?? '')
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => !exported.has(name) && !options.has(name))).toEqual([])
})

// Of RainbowKit 2.2.11: https://github.com/rainbow-me/rainbowkit, read 2026-11-27.
const walletsOfRainbowKit =
  `argentWallet anchorageDigitalWallet backpackWallet base baseAccount berasigWallet bestWallet
  bifrostWallet binanceWallet bitgetWallet bitskiWallet bitverseWallet bloomWallet braveWallet bybitWallet clvWallet
  coin98Wallet coinbaseWallet compassWallet coreWallet ctrlWallet dawnWallet desigWallet enkryptWallet foxWallet frameWallet
  frontierWallet gateWallet geminiWallet imTokenWallet injectedWallet iopayWallet kaiaWallet kaikasWallet krakenWallet
  kresusWallet ledgerWallet magicEdenWallet metaMaskWallet mewWallet mecoWallet nestWallet novaWallet oktoWallet okxWallet
  omniWallet oneInchWallet oneKeyWallet paraSwapWallet phantomWallet portoWallet rabbyWallet rainbowWallet readyWallet
  ramperWallet roninWallet safeheronWallet safepalWallet safeWallet seifWallet subWallet tahoWallet talismanWallet
  tokenaryWallet tokenPocketWallet trustWallet universalProfilesWallet uniswapWallet valoraWallet walletConnectWallet
  wigwamWallet xdefiWallet xPortalWallet zealWallet zerionWallet zilPayWallet`.split(/\s+/)

test('behavior: every wallet of RainbowKit has its name here, or the migration guide says what takes its place, or why nothing does', () => {
  const namesIn = (column: string) =>
    tableRows(guide('migration'), 'wallet of RainbowKit', column).flatMap(([cell = '']) => codeSpans(cell))
  const exported = readExportedNames()
  const kept = walletsOfRainbowKit.filter((name) => exported.includes(name))
  expect([...kept, ...namesIn('here'), ...namesIn('why not')].sort()).toEqual([...walletsOfRainbowKit].sort())
  expect(kept.length / walletsOfRainbowKit.length).toBeGreaterThan(0.75)
})

// The exports of ConnectKit 1.9.2, from https://github.com/family/connectkit on 2026-11-30.
const exportsOfConnectKit =
  `Avatar CONNECTKIT_VERSION ChainIcon ConnectKitButton ConnectKitModalDemo ConnectKitProvider Context
  SIWEButton SIWEConfig SIWEProvider SIWESession SIWE_NONCE_QUERY_KEY SIWE_SESSION_QUERY_KEY Types getDefaultConfig
  getDefaultConnectors useChainIsSupported useChains useIsMounted useModal useSIWE wallets`.split(/\s+/)

test('behavior: the migration guide names every export of ConnectKit', () => {
  const spans = [
    ...tableRows(guide('migration'), 'ConnectKit').map(([cell = '']) => cell),
    ...tableRows(guide('migration'), 'here', 'RainbowKit').map(([, , cell = '']) => cell),
  ].flatMap((cell) => codeSpans(cell).map((span) => /^\w+/.exec(span)?.[0]))
  expect(exportsOfConnectKit.filter((name) => !spans.includes(name))).toEqual([])
})

test('behavior: the messages that troubleshooting explains are those of the code', () => {
  const code = [
    'core/state/explainConfig.ts',
    'core/state/validateConfig.ts',
    'core/lib/errors.ts',
    'react/WalletKitContext.ts',
    'react/hooks/useWalletKit.ts',
  ].map((file) => readText(`${kit}/${file}`))
  const rows = [
    ...tableRows(guide('troubleshooting'), 'it says'),
    ...tableRows(guide('troubleshooting'), 'what you see', 'do this'),
  ]
  const messages = rows.flatMap(([cell = '']) => /"(.+)"/.exec(cell)?.[1] ?? [])
  expect(messages.length).toBeGreaterThan(8)
  const isInCode = (message: string) =>
    message.split('…').every((part) => code.some((text) => text.includes(part.trim())))
  expect(messages.filter((message) => !isInCode(message))).toEqual([])
})

test('behavior: the guide to policies names every host that the policy of the web app allows', () => {
  const hosts = readText('apps/server/src/http/headers.ts').match(/(?<=')(https|wss):\/\/[\w.]+(?=')/g) ?? []
  expect(hosts.length).toBeGreaterThan(6)
  const text = guide('content-security-policy')
  expect(hosts.filter((host) => !text.includes(host))).toEqual([])
})
