import { describe, expect, test } from 'vitest'
import { transform } from './transform.ts'

const rewrite = (text: string) => transform('src/a.tsx', text)
const notesOf = (text: string) => rewrite(text).notes.map(({ line, text: words }) => `${line} ${words}`)

describe('imports', () => {
  test('behavior: a file that does not name RainbowKit stays as it is', () => {
    const text = "import { useAccount } from 'wagmi'\n"
    expect(rewrite(text)).toEqual({ text, notes: [], kit: undefined })
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
    expect(notesOf(text)).toEqual(['1 Rewrite this by hand: only imports of names are rewritten.'])
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
    expect(notesOf(text)).toEqual([
      '2 Write `transports` by hand, one for each chain, such as `{ [mainnet.id]: http() }`.',
    ])
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

  test('error: names of ENS are not shown by default', () => {
    const text = `import { mainnet } from 'wagmi/chains'\n${importLine}const config = getDefaultConfig({ chains: [mainnet] })\n`
    expect(notesOf(text)).toEqual([expect.stringContaining('1 RainbowKit shows names and pictures of ENS.')])
    expect(notesOf(text.replaceAll('mainnet', 'bsc'))).toEqual([])
  })

  test('error: options that neither side has are left out, and named', () => {
    const text = `${importLine}const config = getDefaultConfig({\nchains: [bsc],\nwalletConnectParameters: {},\n})\n`
    expect(rewrite(text).text).not.toContain('walletConnectParameters')
    expect(notesOf(text)).toEqual([expect.stringContaining('4 `walletConnectParameters` is left out')])
  })

  test('behavior: the type of the configuration is kept', () =>
    expect(rewrite(`${importLine}export const config: Config = getDefaultConfig({ chains: [bsc] })\n`).text).toContain(
      'export const config: Config = createConfig({',
    ))

  test('error: a configuration inside a function is left, and named', () => {
    const text = `${importLine}function make() {\n  const config = getDefaultConfig({ chains: [bsc] })\n}\n`
    expect(rewrite(text).text).toBe(text)
    expect(notesOf(text)).toEqual([expect.stringContaining('3 Write `createWalletKit`')])
  })

  test.each(['{ connectors }', '{ wallets, connectors }', 'all'])(
    'error: only the wallets of `getDefaultWallets` have a replacement: %s',
    (pattern) => {
      const text = `import { getDefaultWallets } from '@rainbow-me/rainbowkit'\nconst ${pattern} = getDefaultWallets()\n`
      expect(rewrite(text).text).toBe(text)
      expect(notesOf(text)).toEqual([expect.stringContaining('2 Write `defaultWallets()`')])
    },
  )

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
    const text = `export const connectors = ${call};\n\nconst chains = [bsc];\nexport const config = createConfig({ connectors, chains, client });\n`
    expect(after(text)).toBe(`const chains = [bsc];
export const kit = createWalletKit({
  appName,
  chains,
  transports: { [bsc.id]: http() },
  wallets: [{ groupName: 'A', wallets: [metaMask] }],
});

export const config = createConfig({ connectors: [kitConnector(kit)],
  multiInjectedProviderDiscovery: false, chains: kit.config.chains, client });
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

  test('error: connectors among others are left, and named', () => {
    const text = `${imports}const config = createConfig({ chains, connectors: [...${call}, mock()], transports })\n`
    expect(rewrite(text).text).toContain('connectors: [...connectorsForWallets(')
    expect(notesOf(text)).toEqual([expect.stringContaining('4 Write `createWalletKit` by hand')])
  })
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

  test('error: a group without a wallet is named', () => {
    const text =
      "import { ledgerWallet } from '@rainbow-me/rainbowkit/wallets'\nuse([\n...a,\n{ groupName: 'B', wallets: [ledgerWallet] }])\nconst b = [ledgerWallet]\n"
    expect(notesOf(text).slice(1)).toEqual([
      '4 This group is left out: no wallet is left in it.',
      '5 No wallet is left in this list. Remove its group: a group without a wallet is an error.',
    ])
  })

  test('error: a field that is set on a wallet is named', () =>
    expect(
      notesOf("import { coinbaseWallet } from '@rainbow-me/rainbowkit/wallets'\ncoinbaseWallet.preference = 'all'\n"),
    ).toEqual([expect.stringContaining('2 Remove this: `coinbase` is the kit’s definition')]))
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

  test('error: such a condition on a member is named', () =>
    expect(
      notesOf(inComponent('useChainModal', 'const modal = useChainModal()\n  return modal.openChainModal && 1')),
    ).toEqual([
      expect.any(String),
      expect.stringContaining("4 Change this condition to `useConnection().status === 'connected'`"),
    ]))

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
    expect(transform('src/a.tsx', text, { path: 'b.ts', kit: 'kit' }).text).toBe(
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

test('error: the note on `WalletButton` opens the dialog, which shows the QR code', () =>
  expect(notesOf("import { WalletButton } from '@rainbow-me/rainbowkit'\nuse(WalletButton)\n")[0]).toMatch(
    /openConnectDialog.*dispatch/,
  ))

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
  ])('error: %s: %s', (text, note) =>
    expect(notesOf(`import { darkTheme } from '@rainbow-me/rainbowkit'\nexport const theme = ${text}\n`)).toEqual([
      expect.stringContaining(`2 ${note}`),
    ]),
  )

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
