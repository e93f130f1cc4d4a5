import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { migrate, type Outcome } from './migrate.ts'

const fixtures = join(import.meta.dirname, '../fixtures')

/** The number of lines that Git shows as added in each app, and its notes by line of the original file. */
const apps: Record<string, { lines: number; notes: string[] }> = {
  vite: { lines: 18, notes: ['src/wagmi.ts:4', 'src/wagmi.ts:7', 'src/wagmi.ts:7'] },
  template: { lines: 18, notes: ['src/wagmi.ts:11', 'src/wagmi.ts:14', 'src/wagmi.ts:14'] },
  next: {
    lines: 24,
    notes: [...['src/app/providers.tsx:18', 'src/wagmi.ts:5', 'src/wagmi.ts:6', 'src/wagmi.ts:25', 'src/wagmi.ts:25']],
  },
  pages: {
    lines: 27,
    notes: [
      ...['src/components/Account.tsx:1', 'src/components/Account.tsx:10', 'src/pages/_app.tsx:9'],
      ...[
        'src/pages/_app.tsx:11',
        'src/pages/_app.tsx:18',
        'src/pages/_app.tsx:22',
        'src/pages/_app.tsx:35',
        'src/pages/_app.tsx:39',
      ],
      ...['src/pages/_app.tsx:51', 'src/pages/_app.tsx:52'],
    ],
  },
  // Routes, a configuration behind an index file, and uses of wagmi.
  router: {
    lines: 20,
    notes: [
      ...['src/Guard.tsx:6', 'src/Nav.tsx:2', 'src/Nav.tsx:5', 'src/Nav.tsx:8', 'src/Nav.tsx:18'],
      'src/config/wagmi.ts:5',
      ...['src/index.css:1', 'src/index.css:3', 'src/main.tsx:13', 'src/main.tsx:13'],
    ],
  },
  // A function that creates the configuration, and a theme that is changed.
  cookies: { lines: 20, notes: ['src/app/providers.tsx:14', 'src/app/providers.tsx:15', 'src/wagmi.ts:6'] },
  // Names that are those of wagmi and the kit, constants below a function that reads them, and a provider of the tests.
  tests: { lines: 23, notes: ['src/providers.tsx:8'] },
  // Two packages, a wallet of its own, and sign-in.
  mono: {
    lines: 25,
    notes: [
      ...['src/shop/Providers.tsx:1', 'src/shop/Providers.tsx:2', 'src/shop/Providers.tsx:21'],
      ...['src/shop/Providers.tsx:25', 'src/shop/Providers.tsx:34', 'src/web3/index.ts:1'],
      ...['src/web3/theme.ts:1', 'src/web3/theme.ts:5', 'src/web3/wallets.ts:1', 'src/web3/wallets.ts:1'],
      ...[
        'src/web3/wallets.ts:2',
        'src/web3/wallets.ts:2',
        'src/web3/wallets.ts:5',
        'src/web3/wallets.ts:17',
        'src/web3/wallets.ts:18',
      ],
      'src/web3/wallets.ts:18',
    ],
  },
}

/** Apps with the default configuration. README and guide promise at most 20 lines for these. */
const ordinary = ['vite', 'template']

describe.each(Object.entries(apps))('%s', (app, { lines, notes }) => {
  let folder: string
  let dryRun: Outcome
  let outcome: Outcome
  const read = (root: string) =>
    Object.fromEntries(
      globSync('src/**/*.*', { cwd: root }).map((file) => [file, readFileSync(join(root, file), 'utf8')]),
    )
  const before = join(fixtures, app, 'before')

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'codemod-'))
    cpSync(before, folder, { recursive: true })
    dryRun = migrate(folder, true)
    expect(read(folder), 'a dry run changes nothing').toEqual(read(before))
    outcome = migrate(folder, false)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('behavior: a dry run tells the same', () => {
    expect(dryRun).toEqual(outcome)
    expect(outcome.changed).not.toEqual([])
  })

  test('behavior: the app is rewritten, and the notes name the rest by file and line', async () => {
    expect(outcome.notes.map(({ file, line }) => `${relative(folder, file)}:${line}`)).toEqual(notes)
    for (const [file, text] of Object.entries(read(folder)))
      await expect(text).toMatchFileSnapshot(join(fixtures, app, 'after', file))
  })

  test(`behavior: ${lines} lines of it are new`, () => {
    expect(countAdded(before, folder)).toBe(lines)
  })

  test('behavior: a second run changes nothing', () => {
    const after = read(folder)
    expect(migrate(folder, false).changed).toEqual([])
    expect(read(folder)).toEqual(after)
  })
})

test.each(ordinary)('behavior: an app with the default configuration gets at most 20 new lines: %s', (app) => {
  expect(apps[app]?.lines).toBeLessThanOrEqual(20)
})

test.each(['false', 'true'])('behavior: the rewritten template starts, with test networks: %s', async (isEnabled) => {
  vi.stubEnv('NEXT_PUBLIC_ENABLE_TESTNETS', isEnabled)
  vi.resetModules()
  const { config } = await import(join(fixtures, 'template/after/src/wagmi.ts'))
  expect(config.chains.some(({ name }: { name: string }) => name === 'Sepolia')).toBe(isEnabled === 'true')
})

test('behavior: a rewritten function makes configurations with the kit as their only connector', async () => {
  const { getConfig } = await import(join(fixtures, 'cookies/after/src/wagmi.ts'))
  for (const { connectors } of [getConfig(), getConfig()])
    expect(connectors.map(({ id }: { id: string }) => id)).toEqual(['walletKit'])
})

test('behavior: a kit is written after what it reads, and its file loads', async () => {
  const { config, kit } = await import(join(fixtures, 'tests/after/src/providers.tsx'))
  expect(config.chains).toEqual(kit.config.chains)
})

// Also reads the types of the kit, of MUI and of wagmi.
const compiles = { timeout: 240_000 }

test('behavior: the rewritten code compiles, except at the lines that the notes name', compiles, () => {
  expect(compileApps()).toEqual([
    "router/after/src/Nav.tsx: token: '0x55d398326f99059fF775485246999027B3197955',",
    'router/after/src/Nav.tsx: {data?.formatted} {data?.symbol}',
    'pages/after/src/pages/_app.tsx: import { type AuthenticationStatus } from "@rainbow-me/rainbowkit";',
    'pages/after/src/pages/_app.tsx: verify: async ({ message, signature }) => {',
    'pages/after/src/components/Account.tsx: import { WalletButton } from "@rainbow-me/rainbowkit";',
    'pages/after/src/components/Account.tsx: <span style={{ background: chain.iconBackground }}>',
    "mono/after/src/web3/wallets.ts: import { getWalletConnectConnector, type Wallet } from '@rainbow-me/rainbowkit'",
    "mono/after/src/web3/wallets.ts: { groupName: 'Popular', wallets: [metaMask, acmeWallet] },",
    "mono/after/src/web3/wallets.ts: { groupName: 'More', wallets: [() => coinbase({ appName: 'Mono' })] },",
    "mono/after/src/web3/index.ts: export { useConnectModal } from '@rainbow-me/rainbowkit'",
    "mono/after/src/web3/theme.ts: import { darkTheme, type Theme } from '@rainbow-me/rainbowkit'",
    "mono/after/src/shop/Providers.tsx: import { type AuthenticationStatus } from '@rainbow-me/rainbowkit'",
    'mono/after/src/shop/Providers.tsx: <WalletKitProvider kit={kit} theme={theme}>{children}</WalletKitProvider>',
    'mono/after/src/shop/Providers.tsx: verify: async ({ message, signature }) => {',
    "cookies/after/src/app/providers.tsx: import { darkTheme, lightTheme } from '@rainbow-me/rainbowkit';",
  ])
})

/** Returns the number of lines that Git shows as added between two folders. */
function countAdded(before: string, after: string): number {
  const { stdout } = spawnSync('git', ['diff', '--no-index', '--numstat', before, after], { encoding: 'utf8' })
  return stdout.split('\n').reduce((sum, line) => sum + Number.parseInt(line || '0', 10), 0)
}

/** Compiles the rewritten apps. Returns the lines with errors, each with its file. */
function compileApps(): string[] {
  const program = ts.createProgram(
    globSync('*/after/src/**/*.{ts,tsx}', { cwd: fixtures }).map((file) => join(fixtures, file)),
    {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.Preserve,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      customConditions: ['@lineage/source'],
      allowImportingTsExtensions: true,
      jsx: ts.JsxEmit.ReactJSX,
      lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      types: ['node'],
      typeRoots: [join(fixtures, '../node_modules/@types')],
      paths: { '@/*': [join(fixtures, 'next/after/src/*')] },
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      noEmit: true,
    },
  )
  const ours = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(fixtures))
  const lines = ours.flatMap((source) =>
    [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(({ start = 0 }) => {
      const { line } = source.getLineAndCharacterOfPosition(start)
      return `${relative(fixtures, source.fileName)}: ${source.text.split('\n')[line]?.trim()}`
    }),
  )
  return [...new Set(lines)]
}
