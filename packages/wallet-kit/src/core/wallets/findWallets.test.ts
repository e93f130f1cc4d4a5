import fc from 'fast-check'
import { custom, type EIP1193Provider } from 'viem'
import { bsc } from 'viem/chains'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { createRevoked, createTrap } from '../../../test/hostileObjects.ts'
import { announceWallet } from '../../testing/announceWallet.ts'
import { createScriptedWallet } from '../../testing/createScriptedWallet.ts'
import { memoryStorage } from '../../testing/memoryStorage.ts'
import { binanceWallet, metaMaskWallet, okxWallet, tokenPocketWallet, trustWallet } from '../../wallets/table.ts'
import { createWalletKit } from '../createWalletKit.ts'
import type { WalletKitConfig } from '../state/config.ts'

const page = window as unknown as Record<string, unknown>
afterEach(() => {
  for (const name of ['ethereum', 'okxwallet', 'binancew3w', 'tokenpocket', 'trustwallet']) delete page[name]
})

function createKit(changes: Partial<WalletKitConfig> = {}) {
  const kit = createWalletKit({
    appName: 'Test',
    chains: [bsc],
    transports: { [bsc.id]: custom({ request: async () => null }) },
    wallets: [
      { groupName: 'Popular', wallets: [metaMaskWallet, okxWallet, binanceWallet, tokenPocketWallet, trustWallet] },
    ],
    storage: memoryStorage(),
    ...changes,
  })
  onTestFinished(() => kit.destroy())
  return kit
}
const list = (kit = createKit()) => kit.getState().wallets
const installed = (kit = createKit()) =>
  list(kit)
    .filter((wallet) => wallet.installed)
    .map(({ id }) => id)

function announce(info: Record<string, unknown>, provider: EIP1193Provider = createScriptedWallet().provider) {
  onTestFinished(announceWallet({ info: { name: 'Acme', rdns: 'example.acme', ...info }, provider }))
  return provider
}
/** Dispatches any value as an announcement. */
const say = (detail: unknown) => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))

describe('announced wallets', () => {
  test('a wallet without a definition is listed as it announced itself, in Installed', () => {
    announce({})
    expect(list()[0]).toMatchObject({
      id: 'example.acme',
      name: 'Acme',
      groupName: 'Installed',
      groupIndex: 0,
      installed: true,
      ready: true,
      verified: true,
    })
  })

  test('without configured wallets: a wallet that announces itself connects', async () => {
    announce({})
    const kit = createKit({ wallets: 'announced' })
    expect(list(kit).map(({ id }) => id)).toEqual(['example.acme'])
    expect(await kit.connect({ walletId: 'example.acme' })).toMatchObject({ walletId: 'example.acme' })
  })

  test('MetaMask Flask is listed once, as itself, and MetaMask stays not installed', () => {
    announce({ name: 'MetaMask Flask', rdns: 'io.metamask.flask' })
    const metaMasks = list().filter(({ name }) => name.startsWith('MetaMask'))
    expect(metaMasks.map(({ id, name, installed, verified }) => [id, name, installed, verified])).toEqual([
      ['io.metamask.flask', 'MetaMask Flask', true, true],
      ['metaMask', 'MetaMask', false, true],
    ])
  })

  test('a wallet with a definition is listed once', () => {
    const provider = announce({ name: 'MetaMask', rdns: 'io.metamask' })
    announce({ name: 'MetaMask Mobile', rdns: 'io.metamask.mobile' }, provider)
    const kit = createKit()
    expect(list(kit).filter(({ name }) => name.startsWith('MetaMask'))).toEqual([
      expect.objectContaining({ id: 'metaMask', rdns: 'io.metamask', groupName: 'Installed', verified: true }),
    ])
  })

  test('behavior: announced late', () => {
    const kit = createKit()
    expect(installed(kit)).toEqual([])
    announce({ rdns: 'io.metamask' })
    expect(installed(kit)).toEqual(['metaMask'])
  })

  test('behavior: announced again, also with a new uuid: listed once', () => {
    const provider = announce({})
    announce({}, provider)
    expect(installed()).toEqual(['example.acme'])
  })

  test('behavior: two providers of one rdns both stay, marked unverified', () => {
    announce({ name: 'MetaMask', rdns: 'io.metamask' })
    announce({ name: 'MetaMask', rdns: 'io.metamask', uuid: 'second' })
    announce({ uuid: 'first' })
    announce({ uuid: 'second' })
    expect(list().filter((wallet) => wallet.installed)).toEqual([
      expect.objectContaining({ id: 'metaMask', verified: false }),
      expect.objectContaining({ id: 'io.metamask#second', verified: false }),
      expect.objectContaining({ id: 'example.acme', verified: false }),
      expect.objectContaining({ id: 'example.acme#second', verified: false }),
    ])
  })

  test.each([
    ['SDK first', ['io.metamask.mmc', 'io.metamask']],
    ['extension first', ['io.metamask', 'io.metamask.mmc']],
    ['extension, app and SDK', ['io.metamask.mobile', 'io.metamask', 'io.metamask.mmc']],
    ['extension and two SDKs', ['io.metamask', 'io.metamask.mmc', 'io.metamask.mmc']],
  ])('behavior: a wallet and its own SDK, %s: listed once, verified', async (_, names) => {
    const kit = createKit()
    const providers = names.map((rdns, index) => announce({ name: 'MetaMask', rdns, uuid: `${index}` }))
    expect(list(kit).filter((wallet) => wallet.installed)).toEqual([
      expect.objectContaining({ id: 'metaMask', rdns: 'io.metamask', verified: true }),
    ])
    await kit.connect({ walletId: 'metaMask' })
    expect(kit.provider).toBe(providers[names.indexOf('io.metamask')])
  })

  test('behavior: a wallet, its own SDK and a rival: each is marked unverified', () => {
    for (const uuid of ['first', 'second']) announce({ name: 'MetaMask', rdns: 'io.metamask', uuid })
    announce({ name: 'MetaMask', rdns: 'io.metamask.mmc' })
    expect(list().filter((wallet) => wallet.installed)).toEqual([
      expect.objectContaining({ id: 'metaMask', verified: false }),
      expect.objectContaining({ id: 'io.metamask#second', verified: false }),
      expect.objectContaining({ id: 'io.metamask.mmc', verified: false }),
    ])
  })

  test('behavior: announced again with another provider under the same uuid: the first provider stays', async () => {
    const first = announce({ uuid: 'same' })
    const kit = createKit()
    announce({ uuid: 'same' })
    expect(installed(kit)).toEqual(['example.acme'])
    await kit.connect({ walletId: 'example.acme' })
    announce({ uuid: 'same' })
    expect(kit.provider).toBe(first)
    expect(list(kit).find(({ id }) => id === 'example.acme')).toMatchObject({ verified: true })
  })

  test.each([
    ...['Rabby', '1inch Wallet', 'Café', 'Ledger – Live', '龙', '火', 'ไทย', '한글 지갑', 'かな', 'ቦርሳ'],
    ...['Cüzdanım Kırmızı', 'Große Börse', 'Łatwy Portfel', 'Ví Đồng', 'Sæl'],
  ])('behavior: %s has a name of its own: verified', (name) => {
    announce({ name: '虎', rdns: 'example.other' })
    announce({ name, rdns: 'example.own' })
    expect(list().find(({ rdns }) => rdns === 'example.own')).toMatchObject({ verified: true })
  })

  test.each([
    ...[
      'MetaMask',
      ' metamask',
      'Meta Mask',
      'ＭｅｔａＭａｓｋ',
      'MetaMask Wallet',
      'Metaмask',
      'МеtаMаsk',
      'MetaMαsk',
    ],
    ...['MetaMask™', 'MetaMask®', 'MetaMask+', 'MetaMask 2', 'MetaMask (official)', 'Metamask ✓', 'MétaMask', 'ОКХ'],
    ...['MetɑMask', 'ᴍetaMask', 'ꓟetaMask', 'Ꮇetamask', 'ⲘetaMask', 'MetaMa𐑈k', 'MetaMaꞅk'],
    ...['MetaMask WaIlet', '0KX'],
    ...['Bınance', 'BlNANCE WaIIet', 'T0kenP0cket'],
  ])('behavior: %j, with the name of another wallet: marked unverified, and not restored silently', async (name) => {
    announce({ name, rdns: 'example.evil' })
    const kit = createKit()
    expect(list(kit).find(({ rdns }) => rdns === 'example.evil')).toMatchObject({ verified: false })
    expect(list(kit).find(({ id }) => id === 'metaMask')).toMatchObject({ verified: true, installed: false })
    await kit.connect({ walletId: 'example.evil' })
    await kit.disconnect()
  })

  test('behavior: an rdns equal to the id of another wallet does not replace that wallet', () => {
    announce({ rdns: 'metaMask', uuid: 'x' })
    expect(installed()).toEqual(['metaMask#x'])
  })

  test.each([
    ['direction and control characters', 'Meta\u202eMask\u0000\u200b', 'MetaMask'],
    ['too long', 'a'.repeat(60), 'a'.repeat(40)],
    ['very long', 'b'.repeat(10_000), 'b'.repeat(40)],
    ['long and of invisible characters', '\u200b'.repeat(10_000), 'example.acme'],
    ['empty', ' \u200f ', 'example.acme'],
    ['no text', 42, 'example.acme'],
  ])('behavior: a name that is %s', (_, name, shown) => {
    announce({ name })
    expect(list()[0]?.name).toBe(shown)
  })

  test.each([
    ['a web address', 'https://tracker.example/a.png'],
    ['a page', 'data:text/html,<script>alert(1)</script>'],
    ['too large', `data:image/png;base64,${'a'.repeat(64_000)}`],
    ['of five megabytes', `data:image/svg+xml,${'<g/>'.repeat(1_250_000)}`],
    ['a script', 'javascript:alert(1)'],
    ['no text', null],
  ])('behavior: an icon that is %s is replaced by a placeholder', async (_, icon) => {
    announce({ icon })
    const [acme] = list()
    expect(acme?.id).toBe('example.acme')
    expect(typeof acme?.iconUrl === 'function' && (await acme.iconUrl())).toMatch(/^data:image\/svg\+xml,%3Csvg/)
  })

  test.each(['svg+xml', 'png', 'webp', 'jpeg', 'gif'])('an icon of type %s is shown', (type) => {
    const icon = `data:image/${type};base64,AAAA`
    announce({ icon })
    expect(list()[0]?.iconUrl).toBe(icon)
  })

  test('behavior: getters that throw', () => {
    const trap = {
      get: () => {
        throw new Error('trap')
      },
    }
    const kit = createKit()
    say(Object.defineProperty({}, 'info', trap))
    say({
      info: Object.defineProperty({ rdns: 'a.b', uuid: 'u' }, 'name', trap),
      provider: createScriptedWallet().provider,
    })
    say({ info: { rdns: 'c.d', uuid: 'u', name: 'x' }, provider: Object.defineProperty({}, 'request', trap) })
    expect(installed(kit)).toEqual(['a.b'])
  })

  test.each<[string, () => void]>([
    ['details whose properties throw', () => say(createTrap({}))],
    ['details that are a revoked proxy', () => say(createRevoked({}))],
    ['a provider whose properties throw', () => say({ info: { rdns: 'c.d', uuid: 'u' }, provider: createTrap({}) })],
    ['no uuid', () => say({ info: { rdns: 'c.d' }, provider: createScriptedWallet().provider })],
  ])('behavior: %s: not listed', (_, announce) => {
    const kit = createKit()
    announce()
    expect(installed(kit)).toEqual([])
  })

  test('several extensions: each is listed and gets its own requests', async () => {
    const providers = ['io.metamask', 'com.okex.wallet', 'example.acme'].map((rdns) => announce({ name: rdns, rdns }))
    const kit = createKit()
    expect(installed(kit)).toEqual(['metaMask', 'okx', 'example.acme'])
    for (const [index, walletId] of ['metaMask', 'okx', 'example.acme'].entries()) {
      await kit.connect({ walletId })
      expect(kit.provider).toBe(providers[index])
    }
  })

  test.each<[string, (provider: EIP1193Provider) => EIP1193Provider]>([
    ['frozen', (provider) => Object.freeze(provider)],
    ['behind a proxy', (provider) => new Proxy(provider, {})],
    [
      'behind a proxy that only has request',
      (provider) =>
        new Proxy(provider, {
          get: (target, key) => {
            if (key === 'request') return target.request
            throw new Error('trap')
          },
        }),
    ],
  ])('a provider that is %s connects', async (_, wrap) => {
    const provider = wrap(createScriptedWallet().provider)
    announce({}, provider)
    const kit = createKit()
    expect(await kit.connect({ walletId: 'example.acme' })).toMatchObject({ chainId: 56 })
    expect(kit.provider).toBe(provider)
    await kit.disconnect()
  })

  test('property: any announcement leaves the list valid', () => {
    const kit = createKit()
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.anything(), (detail, info, name) => {
        say(detail)
        say({ info, provider: { request: () => {} } })
        say({ info: { rdns: 'x.y', uuid: name, name, icon: info }, provider: { request: name } })
      }),
    )
    for (const { name, id } of list(kit)) expect(name && id).not.toBe('')
  })
})

describe('wallets that announce nothing', () => {
  const provide = (flags: Record<string, unknown> = {}) => createScriptedWallet({ flags }).provider
  const broken = () =>
    Object.defineProperty({ request: () => {} }, 'isTrust', {
      get: () => {
        throw new Error('trap')
      },
    })

  test.each<[string, () => void, string[]]>([
    [
      'a flag',
      () => {
        page.ethereum = provide({ isTokenPocket: true })
      },
      ['tokenPocket'],
    ],
    [
      'a flag of one of several',
      () => {
        page.ethereum = { ...provide(), providers: [provide({ isTrust: true }), provide()] }
      },
      ['trust', 'browserWallet'],
    ],
    [
      'two flagged among several',
      () => {
        page.ethereum = { ...provide(), providers: [provide({ isTrust: true }), provide({ isOkxWallet: true })] }
      },
      ['okx', 'trust'],
    ],
    [
      'a namespace',
      () => {
        page.okxwallet = provide()
      },
      ['okx'],
    ],
    [
      'a namespace below another',
      () => {
        page.binancew3w = { ethereum: provide() }
      },
      ['binance'],
    ],
    [
      'a namespace that holds no provider',
      () => {
        page.okxwallet = { request: 1 }
      },
      [],
    ],
    [
      'a namespace and the same provider as window.ethereum',
      () => {
        const it = provide()
        page.okxwallet = it
        page.ethereum = it
      },
      ['okx'],
    ],
    [
      'an unknown provider',
      () => {
        page.ethereum = provide({ isMetaMask: true })
      },
      ['browserWallet'],
    ],
    [
      'several unknown providers',
      () => {
        page.ethereum = { ...provide(), providers: [provide(), provide()] }
      },
      ['browserWallet', 'browserWallet#2'],
    ],
    [
      'an empty list of providers',
      () => {
        page.ethereum = { ...provide(), providers: [] }
      },
      ['browserWallet'],
    ],
    [
      'a flag that is not true',
      () => {
        page.ethereum = provide({ isTrust: 'yes' })
      },
      ['browserWallet'],
    ],
    [
      'a flag whose getter throws',
      () => {
        page.ethereum = broken()
      },
      ['browserWallet'],
    ],
    [
      'a list of providers that cannot be read',
      () => {
        page.ethereum = { ...provide(), providers: createTrap([]) }
      },
      ['browserWallet'],
    ],
    [
      'a list of providers that is a revoked proxy',
      () => {
        page.ethereum = { ...provide(), providers: createRevoked([]) }
      },
      ['browserWallet'],
    ],
    [
      'a list of providers of which one cannot be read',
      () => {
        page.ethereum = { ...provide(), providers: [createRevoked({}), provide({ isTrust: true })] }
      },
      ['trust'],
    ],
    [
      'a list of providers with an endless length',
      () => {
        const providers = [provide({ isTrust: true })]
        providers.length = 2 ** 32 - 1
        page.ethereum = { ...provide(), providers }
      },
      ['trust'],
    ],
    [
      'window.ethereum of which nothing can be asked',
      () => {
        page.ethereum = createTrap({})
      },
      [],
    ],
    [
      'window.ethereum is null',
      () => {
        page.ethereum = null
      },
      [],
    ],
  ])('behavior: %s', (_, arrange, expected) => {
    arrange()
    expect(installed()).toEqual(expected)
  })

  test('behavior: with an announced wallet, window.ethereum is not listed', () => {
    page.ethereum = provide()
    announce({})
    expect(installed()).toEqual(['example.acme'])
  })

  test('behavior: an announced provider is not found again by its flag', () => {
    page.ethereum = announce({}, provide({ isTrust: true }))
    expect(installed()).toEqual(['example.acme'])
  })

  test('behavior: injected later without an event: found when the dialog opens', () => {
    const kit = createKit()
    page.okxwallet = provide()
    void kit.openConnectDialog()
    expect(installed(kit)).toEqual(['okx'])
  })

  test('behavior: window.ethereum whose getter throws', () => {
    Object.defineProperty(window, 'ethereum', {
      configurable: true,
      get: () => {
        throw new Error('trap')
      },
    })
    expect(installed()).toEqual([])
  })
})
