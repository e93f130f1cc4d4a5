import { describe, expect, test } from 'vitest'
import * as wagmi from 'wagmi'
import { removedHooks } from './noteWagmi.ts'
import { transform } from './transform.ts'

const rewrite = (text: string) => transform('src/a.tsx', text)
const notesOf = (text: string) => rewrite(text).notes.map(({ line, text: words }) => `${line} ${words}`)

describe('imports', () => {
  test('behavior: a file that does not name RainbowKit stays as it is', () => {
    const text = "import { useAccount } from 'wagmi'\n"
    expect(rewrite(text)).toEqual({ text, notes: [], kit: undefined })
  })

  test('behavior: the style sheet is left out', () => {
    expect(rewrite("import '@rainbow-me/rainbowkit/styles.css'\nuse()\n")).toMatchObject({ text: 'use()\n', notes: [] })
  })

  test('error: the address of the style sheet is left, and named', () => {
    const text = "import styles from '@rainbow-me/rainbowkit/styles.css'\nuse(styles)\n"
    expect(rewrite(text).text).toBe(text)
    expect(notesOf(text)).toEqual(['1 Remove this and what uses it: the kit has no style sheet.'])
  })

  test('behavior: another name for an import is kept', () =>
    expect(
      rewrite("import { ConnectButton as Button } from '@rainbow-me/rainbowkit'\nexport const a = <Button />\n").text,
    ).toBe("import { ConnectButton as Button } from '@lineage/wallet-kit'\nexport const a = <Button />\n"))

  test('behavior: only references are renamed, not keys or properties', () =>
    expect(
      rewrite(
        "import { useAddRecentTransaction } from '@rainbow-me/rainbowkit'\na({ useAddRecentTransaction: b.useAddRecentTransaction })\nconst c = useAddRecentTransaction()\n",
      ).text,
    ).toBe(
      "import { useAddTransaction } from '@lineage/wallet-kit'\na({ useAddRecentTransaction: b.useAddRecentTransaction })\nconst c = useAddTransaction()\n",
    ))

  test('error: a name without another stays imported, a type as a type', () => {
    const text =
      "import type { WalletDetailsParams } from '@rainbow-me/rainbowkit'\nexport type Ours = WalletDetailsParams\n"
    expect(rewrite(text).text).toBe(
      "import { type WalletDetailsParams } from '@rainbow-me/rainbowkit'\nexport type Ours = WalletDetailsParams\n",
    )
    expect(notesOf(text)).toEqual(['1 The kit has no `WalletDetailsParams`. Do without it.'])
  })

  test.each([
    ['Chain', 'WalletKitChain'],
    ['Wallet', 'WalletDefinition'],
    ['WalletList', 'WalletGroup'],
    ['Theme', 'createWalletKitTheme'],
    ['Locale', 'string'],
    ['getWalletConnectConnector', 'walletConnect()'],
  ])('error: the note on %s names what to use: %s', (name, instead) =>
    expect(notesOf(`import { ${name} } from '@rainbow-me/rainbowkit'\nuse(${name})\n`)[0]).toMatch(
      new RegExp(`^1 (Use|Put) .*${instead.replace('()', '')}`),
    ),
  )

  test.each([
    "import * as kit from '@rainbow-me/rainbowkit'\nkit.darkTheme()\n",
    "export { ConnectButton } from '@rainbow-me/rainbowkit'\n",
    "const load = () => import('@rainbow-me/rainbowkit')\n",
    "jest.mock('@rainbow-me/rainbowkit')\n",
  ])('error: what reaches RainbowKit in another way is left, and named: %s', (text) => {
    expect(rewrite(text).text).toBe(text)
    expect(notesOf(text)).toEqual(['1 Rewrite this by hand, and what uses it: only `import { … }` is rewritten.'])
  })
})

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
  'attack: a name that every object has is none of RainbowKit: %s',
  (name) => {
    const imports = `import { ${name} as a } from '@rainbow-me/rainbowkit'\nuse(a)\n`
    expect(rewrite(imports).text).toBe(imports)
    expect(notesOf(imports)).toEqual([`1 The kit has no \`${name}\`. Do without it.`])
    const wallets = `import { ${name} as a } from '@rainbow-me/rainbowkit/wallets'\nuse(a)\n`
    expect(rewrite(wallets).text).toBe(wallets)
    const importHook = "import { useConnectModal } from '@rainbow-me/rainbowkit'\n"
    expect(rewrite(`${importHook}useConnectModal().${name}()\n`).text).toContain(`useConnectDialog().${name}()`)
    const { text } = rewrite(`${importHook}const { ${name}: a } = useConnectModal()\n`)
    expect(text).toContain(`const { ${name}: a } = useConnectDialog()`)
    const importTheme = "import { lightTheme } from '@rainbow-me/rainbowkit'\n"
    expect(rewrite(`${importTheme}lightTheme({ borderRadius: '${name}' })\n`).text).not.toContain('radius')
  },
)

test('behavior: chains come from wagmi', () =>
  expect(rewrite("import { polygon } from '@rainbow-me/rainbowkit/chains'\nuse(polygon)\n").text).toBe(
    "import { polygon } from 'wagmi/chains'\nuse(polygon)\n",
  ))

test('error: the provider for next-auth is left, and named', () => {
  const text = "import { RainbowKitSiweNextAuthProvider } from '@rainbow-me/rainbowkit-siwe-next-auth'\n"
  expect(rewrite(text).text).toBe(text)
  expect(notesOf(text)).toEqual([
    '1 Remove it: give `authentication` to `createWalletKit`, with an adapter for your server.',
  ])
})

describe('the adapter of sign-in', () => {
  const text =
    "import { createAuthenticationAdapter } from '@rainbow-me/rainbowkit'\nconst a = useMemo(() => createAuthenticationAdapter({ verify, getMessageBody }), [])\n"

  test('behavior: the body of an arrow function stays an expression', () => {
    expect(rewrite(text).text).toBe(
      "import { type AuthenticationAdapter } from '@lineage/wallet-kit/core'\nconst a = useMemo(() => ({ verify, getMessageBody } satisfies AuthenticationAdapter), [])\n",
    )
    expect(notesOf(text)).toHaveLength(3)
  })

  test('error: an adapter without `getSession` does not restore the session', () => {
    expect(notesOf(text)[1]).toContain('Add `getSession`')
    expect(notesOf(text.replace('verify,', 'verify, getSession,'))).toHaveLength(2)
  })

  test('behavior: JavaScript gets no types', () =>
    expect(transform('src/a.jsx', text).text).toBe('const a = useMemo(() => ({ verify, getMessageBody }), [])\n'))
})

describe('the configuration', () => {
  const importLine = "import { getDefaultConfig } from '@rainbow-me/rainbowkit'\n"

  test('error: options in a variable are left with their import, and named', () => {
    const text = `${importLine}export const config = getDefaultConfig(options)\n`
    expect(rewrite(text).text).toBe(text)
    expect(notesOf(text)).toHaveLength(1)
    expect(rewrite(text).kit).toBeUndefined()
  })

  test('error: chains that are not written out have no transports', () => {
    const text = `${importLine}const config = getDefaultConfig({ appName: 'A', projectId: 'p', chains })\n`
    expect(rewrite(text).text).toContain('transports: {}')
    expect(notesOf(text)).toContain(
      '2 Write `transports` by hand, one for each chain, such as `{ [mainnet.id]: http() }`.',
    )
  })

  test.each([
    ['[mainnet, ...(isTest ? [sepolia] : [])]', ['mainnet', 'sepolia']],
    ['[mainnet, ...(isTest && [sepolia])]', ['mainnet', 'sepolia']],
    ['[{ ...mainnet, iconUrl }]', ['mainnet']],
    ['[isTest ? sepolia : mainnet] as const', ['sepolia', 'mainnet']],
    ['[...others, mainnet]', ['base', 'mainnet']],
    ['[all.base]', ['all.base']],
    ['others', ['base']],
  ])('behavior: transports of chains written as %s', (chains, names) =>
    expect(
      rewrite(
        `${importLine}const others = [base]\nconst config = getDefaultConfig({ appName: 'A', chains: ${chains} })\n`,
      ).text,
    ).toContain(`transports: { ${names.map((name) => `[${name}.id]: http()`).join(', ')} }`),
  )

  test.each(['[{ id: 5 }]', '[{ ...mainnet, id: 1337 }]', '[...elsewhere]', '[]', 'f()'])(
    'error: chains whose ids are not known have no transports: %s',
    (chains) =>
      expect(rewrite(`${importLine}const config = getDefaultConfig({ chains: ${chains} })\n`).text).toContain(
        'transports: {}',
      ),
  )

  const ens = expect.stringContaining('RainbowKit shows names and pictures of ENS')
  const icon = expect.stringContaining('The kit brings an icon for BNB Smart Chain')
  test.each([
    ["import { mainnet as eth } from 'wagmi/chains'", '[eth]', [ens, icon]],
    ["import * as all from 'viem/chains'", '[all.mainnet]', [ens, icon]],
    ["import { chains } from './chains'", 'chains', [ens, icon]],
    ["import { base } from 'wagmi/chains'", '[base]', [icon]],
    ["import { mainnet } from 'wagmi/chains'", '[{ ...mainnet, iconUrl }]', [ens]],
    ["import { bsc } from 'wagmi/chains'", '[bsc]', []],
  ])('error: names and icons that are not shown by default: %s %s', (imports, chains, notes) =>
    expect(
      notesOf(`${imports}\n${importLine}const config = getDefaultConfig({ chains: ${chains}, transports, wallets })\n`),
    ).toEqual(notes),
  )

  test('error: options that neither side has are left out, and named', () => {
    const text = `${importLine}const config = getDefaultConfig({\nchains: [bsc],\nwalletConnectParameters: {},\nwallets,\n})\n`
    expect(rewrite(text).text).not.toContain('walletConnectParameters')
    expect(notesOf(text)).toEqual([expect.stringContaining('4 `walletConnectParameters` is left out')])
  })

  test('behavior: the type of the configuration is kept', () =>
    expect(rewrite(`${importLine}export const config: Config = getDefaultConfig({ chains: [bsc] })\n`).text).toContain(
      'export const config: Config = createConfig({',
    ))

  test.each([
    'function getConfig() {\n  return CALL\n}',
    'export const getConfig = () => CALL',
    'const getConfig = () => {\n  return CALL\n}',
  ])('behavior: a function that only returns the configuration is kept: %s', (code) => {
    const { text, notes } = rewrite(
      `${importLine}${code.replace('CALL', 'getDefaultConfig({ chains: [bsc], wallets })')}\n`,
    )
    expect(text).toContain('export const kit = createWalletKit({\n  chains: [bsc],')
    expect(text).toContain(code.slice(0, code.indexOf('CALL')))
    expect(text).toContain('createConfig({')
    expect(notes).toEqual([])
  })

  test.each(['as Config', 'satisfies Config'])('behavior: a type after the configuration is kept: %s', (type) =>
    expect(rewrite(`${importLine}export const config = getDefaultConfig({ chains: [bsc] }) ${type}\n`).text).toMatch(
      new RegExp(`createConfig\\(\\{[^}]*\\}\\) ${type}\\n$`),
    ),
  )

  test('behavior: names that wagmi has in this file are used', () => {
    const { text } = rewrite(
      `import { createConfig as make, http as fromUrl } from 'wagmi'\n${importLine}const config = getDefaultConfig({ chains: [bsc] })\n`,
    )
    expect(text).toContain('transports: { [bsc.id]: fromUrl() }')
    expect(text).toContain('const config = make({')
    expect(text.match(/from 'wagmi'/g)).toHaveLength(1)
  })

  test('behavior: the `http` of viem is used if the file imports it', () => {
    const { text } = rewrite(
      `import { createPublicClient, http } from 'viem'\n${importLine}const config = getDefaultConfig({ chains: [bsc] })\n`,
    )
    expect(text).toContain('transports: { [bsc.id]: http() }')
    expect(text).toContain("import { createConfig } from 'wagmi'")
  })

  test.each(['http', 'createConfig', 'createWalletKit', 'kitConnector', 'defaultWallets'])(
    'behavior: `%s` is imported under another name where the file has its own',
    (name) => {
      const { text } = rewrite(
        `${importLine}function ${name}() {}\nexport const config = getDefaultConfig({ chains: [bsc] })\n`,
      )
      const alias = new RegExp(`\\b${name} as (\\w+)`).exec(text)?.[1]
      expect(alias).toMatch(/^(wagmi|lineage)[A-Z]/)
      expect(text).toContain(`${alias}(`)
      expect(text.match(new RegExp(`\\b${name}\\(`, 'g'))).toHaveLength(1)
    },
  )

  test('behavior: a function of the name `createConfig` does not call itself', () => {
    const { text } = rewrite(
      `${importLine}export function createConfig() {\n  return getDefaultConfig({ chains: [bsc], transports, wallets })\n}\n`,
    )
    expect(text).toContain("import { createConfig as wagmiCreateConfig } from 'wagmi'")
    expect(text).toContain('return wagmiCreateConfig({')
  })

  test('behavior: wallets of the name `defaultWallets` are not read from themselves', () => {
    const { text } = rewrite(
      "import { getDefaultWallets } from '@rainbow-me/rainbowkit'\nconst { wallets: defaultWallets } = getDefaultWallets()\n",
    )
    expect(text).toBe(
      "import { defaultWallets as lineageDefaultWallets } from '@lineage/wallet-kit/wallets'\nconst defaultWallets = lineageDefaultWallets()\n",
    )
  })

  test.each([
    ['options', "const projectId = 'p' // of the relay", 'projectId'],
    ['a pattern', 'const { projectId } = env', 'projectId'],
    ['a function', "const id = 'p'\nfunction read() {\n  return id\n}", 'projectId: read()'],
    ['an exported constant', "export const projectId = 'p'", 'projectId'],
  ])('behavior: a kit outside of its function is written after what it reads: %s', (_, constants, option) => {
    const code = `export function getConfig() {\n  return getDefaultConfig({ ${option}, chains: [bsc], wallets })\n}\n`
    const { text, notes } = rewrite(`${importLine}${code}\n${constants}\n\nexport const config = getConfig()\n`)
    const [declaration = ''] = constants.split('\n')
    expect(text).toContain(`${declaration}\nexport const kit = createWalletKit({`)
    expect(text).toContain('export const config = getConfig()\n')
    expect(notes).toEqual([])
  })

  test('behavior: a kit before its function stays there if it reads nothing below', () => {
    const code = 'export function getConfig() {\n  return getDefaultConfig({ projectId, chains: [bsc], wallets })\n}\n'
    expect(rewrite(`${importLine}const projectId = 'p'\n${code}const wallet = 1\n`).text).toMatch(
      /'p'\nexport const kit = [\s\S]*\}\)\nexport function getConfig/,
    )
  })

  test('error: further configurations in a file are named', () => {
    const text = `${importLine}const a = getDefaultConfig({ chains: [bsc], wallets })\nconst b = getDefaultConfig({ chains: [bsc], wallets })\n`
    expect(notesOf(text)).toEqual(['3 Rewrite `getDefaultConfig` by hand: the kit has it in another form.'])
  })

  test.each([
    'function make(chain) {\n  return CALL\n}',
    'function make() {\n  const config = CALL\n}',
    'const make = async () => CALL',
    'const [config] = useState(() => CALL)',
    'const a = 1, config = CALL',
  ])('error: a configuration in another place is left, and named: %s', (code) => {
    const text = `${importLine}${code.replace('CALL', 'getDefaultConfig({ chains: [bsc], wallets })')}\n`
    expect(rewrite(text).text).toBe(text)
    expect(notesOf(text)).toEqual([expect.stringContaining('Write `createWalletKit`')])
  })

  const importWallets =
    "import { getDefaultWallets } from '@rainbow-me/rainbowkit'\nimport { createConfig } from 'wagmi'\n"
  test.each(['{ wallets, connectors }', 'all'])(
    'error: the wallets and the connectors of `getDefaultWallets` have a replacement only alone: %s',
    (pattern) => {
      const text = `${importWallets}const ${pattern} = getDefaultWallets({ appName })\nconst config = createConfig({ connectors, chains: [bsc] })\n`
      expect(rewrite(text).text).toBe(text)
      expect(notesOf(text)).toEqual([expect.stringContaining('3 Write `defaultWallets()`')])
    },
  )

  test.each(['{ connectors }', '{ connectors: list }'])(
    'behavior: the default connectors become a kit: %s',
    (pattern) => {
      const name = pattern.includes('list') ? 'list' : 'connectors'
      const text = `${importWallets}const ${pattern} = getDefaultWallets({ appName, projectId })\n\nconst config = createConfig({ connectors: ${name}, chains: [bsc], transports })\n`
      expect(rewrite(text).text).toBe(`import { createWalletKit } from '@lineage/wallet-kit/core'
import { kitConnector } from '@lineage/wallet-kit/wagmi'
import { defaultWallets } from '@lineage/wallet-kit/wallets'
import { createConfig } from 'wagmi'
export const kit = createWalletKit({
  appName,
  projectId,
  chains: [bsc],
  transports,
  wallets: defaultWallets(),
})

const config = createConfig({ connectors: [kitConnector(kit)],
  multiInjectedProviderDiscovery: false, chains: kit.config.chains, transports: kit.config.transports })
`)
      expect(notesOf(text)).toEqual([expect.stringContaining('3 RainbowKit’s default wallets have Base Account')])
    },
  )

  test('error: default connectors that a configuration elsewhere uses are named', () => {
    const text =
      "import { getDefaultWallets } from '@rainbow-me/rainbowkit'\nexport const { connectors } = getDefaultWallets({ appName })\n"
    expect(rewrite(text).text).toBe(text)
    expect(notesOf(text)).toEqual([expect.stringContaining('2 Write `createWalletKit` by hand')])
  })

  test('behavior: a file with a `kit` of its own gets another name', () =>
    expect(
      rewrite(`${importLine}const kit = 1\nconst config = getDefaultConfig({ appName: 'A', chains: [bsc] })\n`).kit,
    ).toBe('walletKit'))
})

describe('connectorsForWallets', () => {
  const imports =
    "import { connectorsForWallets } from '@rainbow-me/rainbowkit'\nimport { metaMaskWallet } from '@rainbow-me/rainbowkit/wallets'\nimport { createConfig } from 'wagmi'\n"
  const call =
    "connectorsForWallets([{ groupName: 'A', wallets: [metaMaskWallet] }], { appName, walletConnectParameters: {} })"
  const after = (text: string) => rewrite(`${imports}${text}`).text.split('\n').slice(4).join('\n')

  test('behavior: the kit is written after the chains that it reads, and reads them without transports', () => {
    const text = `export const connectors = ${call}\n\nconst chains = [bsc]\nexport const config = createConfig({ connectors, chains, client })\n`
    expect(after(text)).toBe(`const chains = [bsc]
export const kit = createWalletKit({
  appName,
  chains,
  transports: { [bsc.id]: http() },
  wallets: [{ groupName: 'A', wallets: [metaMask] }],
})

export const config = createConfig({ connectors: [kitConnector(kit)],
  multiInjectedProviderDiscovery: false, chains: kit.config.chains, client })
`)
    expect(notesOf(`${imports}${text}`)).toEqual([
      expect.stringContaining('4 `walletConnectParameters` is left out'),
      expect.stringContaining('4 `connectors` is gone'),
      expect.stringContaining('7 The kit reads each chain from its public node'),
    ])
  })

  test('behavior: the call stands among the options', () =>
    expect(
      after(`const config = createConfig({ chains, connectors: ${call}, transports })\n`),
    ).toBe(`export const kit = createWalletKit({
  appName,
  chains,
  transports,
  wallets: [{ groupName: 'A', wallets: [metaMask] }],
})

const config = createConfig({ chains: kit.config.chains, connectors: [kitConnector(kit)],
  multiInjectedProviderDiscovery: false, transports: kit.config.transports })
`))

  test.each([
    `const config = createConfig({ chains: [bsc], connectors: [...${call}, mock()], transports })\n`,
    `const list = ${call}\n\nconst config = createConfig({ chains: [bsc], connectors: [...list, mock()], transports })\n`,
  ])('behavior: other connectors are kept beside the kit’s: %s', (text) => {
    expect(after(text)).toContain(
      'connectors: [kitConnector(kit), mock()],\n  multiInjectedProviderDiscovery: false, transports: kit.config.transports',
    )
    expect(notesOf(`${imports}${text}`)).toEqual([expect.stringContaining('`walletConnectParameters` is left out')])
  })

  test('behavior: a kit outside of its function is written after the chains and the wallets that it reads', () => {
    const text = `export const getConfig = () => createConfig({ connectors: ${call.replace('metaMaskWallet', '...wallets')}, chains, transports })\nconst wallets = [metaMaskWallet]\nconst chains = [bsc]\nconst other = 1\n`
    expect(after(text)).toMatch(/const chains = \[bsc\]\n\nexport const kit = [\s\S]*\}\)\nconst other = 1\n$/)
  })

  test('error: connectors in another form are named, and announced wallets are listed once', () => {
    const text = `const list = ${call}\nconst config = createConfig({ chains: [bsc], connectors: isTest ? [] : list, transports })\n`
    expect(after(text)).toContain('createConfig({ multiInjectedProviderDiscovery: false,\n  chains')
    expect(notesOf(`${imports}${text}`)).toEqual([
      expect.stringContaining('`walletConnectParameters` is left out'),
      expect.stringContaining('5 Put `kitConnector(kit)` among the connectors'),
      expect.stringContaining('5 `list` is gone'),
    ])
  })

  test('behavior: wagmi’s own discovery is switched off', () =>
    expect(
      after(`const config = createConfig({ connectors: ${call}, multiInjectedProviderDiscovery: true, chains })\n`),
    ).toContain('connectors: [kitConnector(kit)], multiInjectedProviderDiscovery: false, chains'))

  test('error: other uses of the connectors are named', () =>
    expect(
      notesOf(`${imports}const list = ${call}\nconst config = createConfig({ connectors: list, chains })\nuse(list)\n`),
    ).toContain('6 `list` is gone. Use `config.connectors` of wagmi’s configuration.'))
})

describe('lists of wallets', () => {
  const lists = (text: string) =>
    rewrite(
      `import { injectedWallet, ledgerWallet, trustWallet } from '@rainbow-me/rainbowkit/wallets'\nexport const it = ${text}\n`,
    ).text.split('it = ')[1]

  test.each([
    ['[trustWallet, ledgerWallet, ]', '[trust, ]'],
    ['[trustWallet, ledgerWallet, injectedWallet]', '[trust]'],
    ['[ledgerWallet, injectedWallet, trustWallet]', '[trust]'],
    ['[ledgerWallet, trustWallet, injectedWallet]', '[trust]'],
    ["[...a, { groupName: 'B', wallets: [ledgerWallet] }]", '[...a]'],
    ["[{ groupName: 'B', wallets: [injectedWallet, ledgerWallet,] }, a]", '[a]'],
    ["[{ groupName: 'B', wallets: [injectedWallet] }]", "'announced'"],
    ['[ledgerWallet, ]', '[]'],
  ])('behavior: %s', (before, after) => expect(lists(before)).toBe(`${after}\n`))

  test.each([
    ["import { coinbaseWallet } from '@rainbow-me/rainbowkit/wallets'", '`coinbase` is reached by its extension alone'],
    ["import { base } from '@rainbow-me/rainbowkit/wallets'", '`baseAccount` is reached by its SDK alone'],
    [
      "import { getDefaultConfig } from '@rainbow-me/rainbowkit'; const a = getDefaultConfig({ chains: [bsc] })",
      'RainbowKit’s default wallets have Base Account',
    ],
    [
      "import { getDefaultWallets } from '@rainbow-me/rainbowkit'; const { wallets } = getDefaultWallets()",
      'RainbowKit’s default wallets have Base Account',
    ],
  ])('error: a wallet that needs an SDK is named: %s', (text, note) =>
    expect(notesOf(text)).toEqual([expect.stringContaining(`1 ${note}`)]),
  )

  test('behavior: Base Account has two names in RainbowKit', () =>
    expect(
      rewrite("import { base as baseWallet } from '@rainbow-me/rainbowkit/wallets'\nexport const it = [baseWallet]\n")
        .text,
    ).toBe("import { baseAccount } from '@lineage/wallet-kit/wallets'\nexport const it = [baseAccount]\n"))

  test('error: a group without a wallet is named', () => {
    const text =
      "import { ledgerWallet } from '@rainbow-me/rainbowkit/wallets'\nuse([\n...a,\n{ groupName: 'B', wallets: [ledgerWallet] }])\nconst b = [ledgerWallet]\n"
    expect(notesOf(text).slice(1)).toEqual([
      '4 This group is left out: no wallet is left in it.',
      '5 No wallet is left in this list. Remove its group: a group without a wallet is an error.',
    ])
  })

  test.each([
    ['[trustWallet, acme]', '2 Make this wallet a `WalletDefinition`'],
    ['[(options) => acme(options)]', '2 Make this wallet a `WalletDefinition`'],
  ])('error: a wallet of the app in a group is named: %s', (wallets, note) =>
    expect(
      notesOf(
        `import { trustWallet } from '@rainbow-me/rainbowkit/wallets'\nexport const a = [{ groupName: 'A', wallets: ${wallets} }]\n`,
      ),
    ).toEqual([expect.stringContaining(note)]),
  )

  test('error: a wallet that is called is named', () =>
    expect(
      notesOf(
        "import { trustWallet } from '@rainbow-me/rainbowkit/wallets'\nconst a = () => trustWallet({ projectId: 'p' })\n",
      ),
    ).toEqual([expect.stringContaining('2 Do not call `trust`')]))

  test('error: a field that is set on a wallet is named', () =>
    expect(
      notesOf(
        "import { metaMaskWallet } from '@rainbow-me/rainbowkit/wallets'\nmetaMaskWallet.enableAnalytics = false\n",
      ),
    ).toEqual([expect.stringContaining('2 Remove this: `metaMask` is the kit’s definition')]))
})

test('behavior: names that the file has another use for keep those of RainbowKit', () => {
  const { text } = rewrite(`import { safe } from 'wagmi/connectors'
import { useChainModal, useConnectModal } from '@rainbow-me/rainbowkit'
import { safeWallet, trustWallet } from '@rainbow-me/rainbowkit/wallets'
const useConnectDialog = () => useConnectModal().openConnectModal
const wallets = [safeWallet, trustWallet]
useChainModal()
`)
  expect(text).toBe(`import { safe } from 'wagmi/connectors'
import { useConnectDialog as useConnectModal, useNetworkDialog } from '@lineage/wallet-kit'
import { safe as safeWallet, trust } from '@lineage/wallet-kit/wallets'
const useConnectDialog = () => useConnectModal().open
const wallets = [safeWallet, trust]
useNetworkDialog()
`)
})

test('behavior: the kit is imported under another name where the file has a `kit`', () => {
  const text =
    "import { RainbowKitProvider } from '@rainbow-me/rainbowkit'\nexport const App = ({ kit }) => <RainbowKitProvider>{kit}</RainbowKitProvider>\n"
  expect(transform('a.tsx', text, () => ({ path: 'b.ts', kit: 'kit', source: './b' })).text).toBe(
    "import { WalletKitProvider } from '@lineage/wallet-kit'\nimport { kit as walletKit } from './b'\nexport const App = ({ kit }) => <WalletKitProvider kit={walletKit}>{kit}</WalletKitProvider>\n",
  )
})

test.each(['\r\n', '\n'])('behavior: the ends of lines are kept: %j', (end) => {
  const text = [
    '// App',
    "import { getDefaultConfig } from '@rainbow-me/rainbowkit'",
    'const config = getDefaultConfig({ chains: [bsc] })',
    '',
  ]
  const after = rewrite(text.join(end)).text
  expect(after.split(end)).toHaveLength(17)
  expect(after.split(end).join('')).not.toMatch(/[\r\n]/)
})

describe('hooks', () => {
  const inComponent = (hook: string, use: string) =>
    `import { ${hook} } from '@rainbow-me/rainbowkit'\nfunction A() {\n  ${use}\n}\n`

  test.each([
    'const { openConnectModal } = useConnectModal(); return <p>{openConnectModal && <b onClick={openConnectModal} />}</p>',
    'const { openConnectModal: go } = useConnectModal(); return a && go ? 1 : 2',
    'const { openConnectModal } = useConnectModal(); if (openConnectModal) openConnectModal()',
    'const { openConnectModal } = useConnectModal(); return <button disabled={!openConnectModal} />',
    'const { openConnectModal = undefined } = useConnectModal(); return openConnectModal !== undefined',
    'const { openConnectModal } = useConnectModal(); return Boolean(openConnectModal)',
    'const open = useConnectModal().openConnectModal; return open ? 1 : 2',
    'return useConnectModal().openConnectModal ? 1 : 2',
  ])('error: a condition that has lost its meaning is named: %s', (use) =>
    expect(notesOf(inComponent('useConnectModal', use))).toEqual([
      expect.stringContaining("3 Change this condition to `useConnection().status === 'disconnected'`"),
    ]),
  )

  test('error: such a condition on a member is named, and the member renamed', () => {
    const text = inComponent('useChainModal', 'const modal = useChainModal()\n  return modal.openChainModal && 1')
    expect(rewrite(text).text).toContain('return modal.open && 1')
    expect(notesOf(text)).toEqual([
      expect.stringContaining("4 Change this condition to `useConnection().status === 'connected'`"),
    ])
  })

  test.each([
    'use(useChainModal())',
    'const { ...modal } = useChainModal()',
    'const modal = useChainModal(); use(modal)',
  ])('error: fields that are read elsewhere are named: %s', (use) =>
    expect(notesOf(inComponent('useChainModal', use))).toEqual([
      '3 Rename the fields that are read here: `openChainModal` is now `open`, `chainModalOpen` is now `isOpen`.',
    ]),
  )

  test.each([
    'const { openConnectModal } = useConnectModal(); openConnectModal?.()',
    'const { connectModalOpen } = useConnectModal(); return connectModalOpen && 1',
    'const { openConnectModal } = useConnectModal(); return ready && openConnectModal',
  ])('behavior: other uses need no note: %s', (use) => expect(notesOf(inComponent('useConnectModal', use))).toEqual([]))

  test('behavior: a field under its new name is written once', () =>
    expect(
      rewrite(inComponent('useConnectModal', 'const { openConnectModal: open } = useConnectModal()')).text,
    ).toContain('const { open } = useConnectDialog()'))

  test('error: a hash of type `string` is named', () => {
    const text = (type: string) =>
      inComponent(
        'useAddRecentTransaction',
        `const add = useAddRecentTransaction()\n  const pay = (hash: ${type}) => add({ hash })`,
      )
    expect(notesOf(text('string'))).toEqual([expect.stringContaining('4 `hash` is a `string` here.')])
    expect(notesOf(text('Hash'))).toEqual([])
  })
})

describe('avatars', () => {
  test('behavior: the prop is kept, and the component gets the kit’s type and names', () => {
    const text =
      "import { type AvatarComponent, RainbowKitProvider } from '@rainbow-me/rainbowkit'\nimport { useState } from 'react'\nconst Face: AvatarComponent = ({ ensImage, size }) => <img src={ensImage} width={size} />\nexport const a = <RainbowKitProvider avatar={Face} />\n"
    expect(transform('src/a.tsx', text, () => ({ path: 'b.ts', kit: 'kit', source: undefined })).text).toBe(
      "import { type AvatarProps, WalletKitProvider } from '@lineage/wallet-kit'\nimport { useState, type ComponentType } from 'react'\nconst Face: ComponentType<AvatarProps> = ({ avatar: ensImage, size }) => <img src={ensImage} width={size} />\nexport const a = <WalletKitProvider kit={kit} avatar={Face} />\n",
    )
    expect(notesOf(text)[1]).toBe(
      '4 Your component gets `avatar` in place of `ensImage`, and `undefined` in place of `null`.',
    )
  })

  test('behavior: a type that is imported already is not imported again', () =>
    expect(
      rewrite(
        "import { AvatarComponent } from '@rainbow-me/rainbowkit'\nimport type { ComponentType } from 'react'\nexport type A = [AvatarComponent, ComponentType]\n",
      ).text.match(/import/g),
    ).toHaveLength(2))

  test('error: a picture that is read from the props is named', () =>
    expect(
      notesOf(
        "import type { AvatarComponent } from '@rainbow-me/rainbowkit'\nconst Face: AvatarComponent = (props) => <img src={props.ensImage} />\n",
      ),
    ).toEqual([expect.stringContaining('2 Your component gets `avatar`')]))

  test('error: spread props may hold an avatar', () =>
    expect(
      notesOf(
        "import { RainbowKitProvider } from '@rainbow-me/rainbowkit'\nexport const a = <RainbowKitProvider {...b} />\n",
      )[1],
    ).toContain('`avatar`'))
})

test('error: an icon of a chain from a function is named', () => {
  const text =
    "import type { Chain } from '@rainbow-me/rainbowkit'\nconst a = { id: 1, iconUrl: async () => icon } as Chain\n"
  expect(notesOf(text)[1]).toBe('2 Write the `iconUrl` of a chain as a string: the kit calls no function for it.')
  expect(notesOf(text.replace('async () => icon', 'icon'))).toHaveLength(1)
  expect(notesOf(text.replace('id: 1', 'createConnector'))).toHaveLength(1)
})

test('error: the note on `WalletButton` opens the dialog, which shows the QR code', () =>
  expect(notesOf("import { WalletButton } from '@rainbow-me/rainbowkit'\nuse(WalletButton)\n")[0]).toMatch(
    /openConnectDialog.*dispatch/,
  ))

test('behavior: a type of the kit is imported under another name where the file has its own', () => {
  const { text } = rewrite(
    "import type { AvatarComponent } from '@rainbow-me/rainbowkit'\ntype AvatarProps = { size: number }\nconst Face: AvatarComponent = (props: AvatarProps) => <Circle {...props} />\n",
  )
  expect(text).toContain('import { type AvatarProps as LineageAvatarProps }')
  expect(text).toContain('const Face: ComponentType<LineageAvatarProps> = (props: AvatarProps)')
})

describe('themes', () => {
  const theme = (text: string) =>
    rewrite(`import { darkTheme, lightTheme } from '@rainbow-me/rainbowkit'\nconst theme = ${text}\n`).text.split(
      '= ',
    )[1]

  test.each([
    ['darkTheme()', "createWalletKitTheme({ colorScheme: 'dark' })\n"],
    [
      "lightTheme({ accentColor: '#123456', fontStack: 'system' })",
      "createWalletKitTheme({ accent: '#123456', colorScheme: 'light' })\n",
    ],
    ['{ lightMode: lightTheme(), darkMode: darkTheme() }', 'createWalletKitTheme()\n'],
    ["darkTheme({ borderRadius: 'none' })", "createWalletKitTheme({ radius: 0, colorScheme: 'dark' })\n"],
    [
      "lightTheme({ ...lightTheme.accentColors.purple, borderRadius: 'small' })",
      "createWalletKitTheme({ accent: '#5F5AFA', radius: 4, colorScheme: 'light' })\n",
    ],
    [
      'darkTheme({ accentColor: darkTheme.accentColors.pink.accentColor })',
      "createWalletKitTheme({ accent: '#FF7AB8', colorScheme: 'dark' })\n",
    ],
    [
      "darkTheme({ ...darkTheme.accentColors.pink, accentColor: 'red' })",
      "createWalletKitTheme({ accent: 'red', colorScheme: 'dark' })\n",
    ],
  ])('behavior: %s', (before, after) => expect(theme(before)).toBe(after))

  test.each([
    ['darkTheme({ ...options })', 'What is spread here is left out.'],
    ['{ lightMode: light, darkMode: dark }', 'Give one theme in place of this pair'],
    ['{ ...darkTheme(), colors }', 'Write this theme by hand'],
    ['darkTheme().colors', 'Write this theme by hand'],
    ['[darkTheme]', 'Write this theme by hand'],
    ['merge(darkTheme(), { colors })', 'Write this theme by hand'],
    ['merge(darkTheme({ accentColor }) as Theme, { colors })', 'Write this theme by hand'],
  ])('error: %s: %s', (text, note) =>
    expect(notesOf(`import { darkTheme } from '@rainbow-me/rainbowkit'\nexport const theme = ${text}\n`)).toEqual([
      expect.stringContaining(`2 ${note}`),
    ]),
  )

  test.each([
    'my.colors.accentColor = 1',
    'const other = my; use(other?.radii)',
    'const { colors } = my',
    'const all = { ...my }',
    'merge(my, { colors })',
  ])('error: a theme that is changed by way of its variable is left, and named: %s', (change) => {
    const text = `import { darkTheme } from '@rainbow-me/rainbowkit'\nconst my = isDark ? darkTheme() : undefined\n${change}\n`
    expect(rewrite(text).text).toBe(text)
    expect(notesOf(text)).toEqual([
      '2 Rewrite `darkTheme` by hand: the kit has it in another form.',
      expect.stringContaining('3 Write this theme by hand'),
    ])
  })

  test('attack: variables that stand for each other end the search', () =>
    expect(
      notesOf(
        "import { darkTheme } from '@rainbow-me/rainbowkit'\nlet a = darkTheme()\n{ const b = a; const c = b; { const b = c } }\n",
      ),
    ).toEqual([]))

  test.each([
    ['null', 'Remove this'],
    ['{ colors }', 'Write this theme by hand'],
  ])('error: a theme of the provider that is %s is named', (theme, note) =>
    expect(
      notesOf(
        `import { RainbowKitProvider } from '@rainbow-me/rainbowkit'\n\nexport const a = <RainbowKitProvider theme={${theme}} />\n`,
      ),
    ).toContainEqual(expect.stringContaining(`3 ${note}`)),
  )

  test('error: an accent that is no colour of its own is named', () => {
    const text = (color: string) =>
      `import { darkTheme } from '@rainbow-me/rainbowkit'\nconst a = darkTheme({ accentColor: '${color}' })\n`
    expect(notesOf(text('var(--brand)'))).toEqual([expect.stringContaining('2 Write this colour as hex')])
    for (const color of ['#fff', 'rgb(1 2 3)', 'hsl(1 2% 3%)']) expect(notesOf(text(color))).toEqual([])
  })

  test('error: names that the kit does not have are reported', () =>
    expect(
      notesOf("import { darkTheme } from '@rainbow-me/rainbowkit'\ndarkTheme({\n  overlayBlur: 'small',\n})\n"),
    ).toEqual([
      '3 `overlayBlur` is left out. The options are `accent`, `radius`, `overlay`, `fontFamily` and `colorScheme`.',
    ]))
})

test('error: a wallet without a definition that is used outside of a list stays, and is named', () => {
  const text = "import { ledgerWallet } from '@rainbow-me/rainbowkit/wallets'\nuse(ledgerWallet)\n"
  expect(rewrite(text).text).toBe(text)
  expect(notesOf(text)).toHaveLength(2)
})

test('error: a provider in a file without the kit is named', () =>
  expect(
    notesOf("import { RainbowKitProvider } from '@rainbow-me/rainbowkit'\nexport const a = <RainbowKitProvider />\n"),
  ).toEqual(['1 Import the kit that you make with `createWalletKit`.']))

test('error: a provider that is not written as an element is named', () =>
  expect(
    notesOf(
      "import { RainbowKitProvider } from '@rainbow-me/rainbowkit'\ncreateElement(RainbowKitProvider, {}, children)\ntype A = typeof RainbowKitProvider\n",
    ),
  ).toEqual([expect.stringContaining('2 Give `WalletKitProvider` the prop `kit`')]))

test.each([
  ['return TAGS', 'return <>{children}</>'],
  ['const a = <div>TAGS</div>', 'const a = <div>{children}</div>'],
  ['const a = <>TAGS</>', 'const a = <>{children}</>'],
  ['const a = isOn ? TAGS : null', 'const a = isOn ? <>{children}</> : null'],
])('behavior: the children of the provider of sign-in stay an expression: %s', (before, after) => {
  const tags = '<RainbowKitAuthenticationProvider status={status}>{children}</RainbowKitAuthenticationProvider>'
  const code = `import { RainbowKitAuthenticationProvider } from '@rainbow-me/rainbowkit'\nfunction A() { ${before.replace('TAGS', tags)} }\n`
  expect(rewrite(code).text).toBe(`function A() { ${after} }\n`)
})

describe('wagmi', () => {
  const inApp = (text: string) =>
    transform('src/a.tsx', text, () => undefined).notes.map(({ line, text }) => `${line} ${text}`)
  const list = expect.stringContaining('2 wagmi’s list of connectors now has one entry')
  const connector = expect.stringContaining('2 `connector` is now the kit')

  test.each([
    ['useConnect', 'const { connect, connectors } = useConnect()', list],
    ['useConnect', 'const all = useConnect(); use(all.connectors)', list],
    ['useConnectors', 'const all = useConnectors()', list],
    ['useConfig', 'use(useConfig().connectors)', list],
    ['useAccount', 'const { connector: wallet } = useAccount()', connector],
    ['useAccount', 'const account = useAccount(); use(account?.connector?.name)', connector],
    ['useConnection', 'use(useConnection().connector)', connector],
    ['useBalance', 'useBalance({ address, token })', expect.stringContaining('2 wagmi 3 ignores `token`')],
    ['useBalance', 'use(useBalance().data?.formatted)', expect.stringContaining('2 wagmi 3 returns no `formatted`')],
  ])('error: what has another value now is named: %s: %s', (name, use, note) => {
    expect(inApp(`import { ${name} } from 'wagmi'\n${use}\n`)).toEqual([note])
    expect(inApp(`import { ${name} as own } from 'wagmi'\n${use.replaceAll(`${name}(`, 'own(')}\n`)).toEqual([note])
    expect(inApp(`import { ${name} } from './wagmi'\n${use}\n`)).toEqual([])
  })

  test('error: actions are named, too', () =>
    expect(
      inApp(
        "import { getAccount, getConnectors } from '@wagmi/core'\nuse(getAccount(config).connector); getConnectors(config)\n",
      ),
    ).toEqual([connector, list]))

  test('error: connectors of wagmi are named', () =>
    expect(inApp("import { injected } from 'wagmi/connectors'\n")).toEqual([
      expect.stringContaining('1 A connection made with these'),
    ]))

  test('behavior: uses that keep their meaning have no note, nor has an app without a configuration', () => {
    expect(
      inApp("import { useAccount, useConnect } from 'wagmi'\nuse(useAccount().address, useConnect().connect)\n"),
    ).toEqual([])
    expect(notesOf("import { useConnectors } from 'wagmi'\nuseConnectors()\n")).toEqual([])
  })

  test.each(Object.entries(removedHooks))('error: wagmi 3 has no %s, but %s', (name, instead) => {
    expect(inApp(`import { ${name} } from 'wagmi'\n`)).toEqual([`1 wagmi 3 has no \`${name}\`. Use \`${instead}\`.`])
    expect(wagmi).not.toHaveProperty(name)
    expect(wagmi).toHaveProperty(instead)
  })
})
