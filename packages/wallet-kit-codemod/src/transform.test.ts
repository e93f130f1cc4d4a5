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
    const text = "import type { Theme } from '@rainbow-me/rainbowkit'\nexport type Ours = Theme\n"
    expect(rewrite(text).text).toBe("import { type Theme } from '@rainbow-me/rainbowkit'\nexport type Ours = Theme\n")
    expect(notesOf(text)).toEqual(['1 The kit has no `Theme`. Do without it.'])
  })

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
    expect(notesOf(text)).toHaveLength(2)
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

  test('behavior: a file with a `kit` of its own gets another name', () =>
    expect(
      rewrite(`${importLine}const kit = 1\nconst config = getDefaultConfig({ appName: 'A', chains: [bsc] })\n`).kit,
    ).toBe('walletKit'))
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
  ])('behavior: %s', (before, after) => expect(theme(before)).toBe(after))

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
