import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { packPackage } from '../../../scripts/lib/installExamples.ts'
import { publicTypes, snapshotOf } from './publicTypes.ts'

const run = promisify(execFile)
const kit = join(import.meta.dirname, '..')
// Inside the kit, so that React, MUI and viem are resolved like in an app.
const folder = join(kit, 'reports/packed')
const installed = join(folder, 'package')

let tarball: string
beforeAll(async () => {
  tarball = await packPackage('wallet-kit', folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('behavior: in Node, the relay client writes no log', async () => {
  const code = `
    import { EthereumProvider } from ${JSON.stringify(join(installed, 'dist/relayClient.js'))}
    const storage = { getKeys: async () => [], getEntries: async () => [], getItem: async () => undefined, setItem: async () => {}, removeItem: async () => {} }
    await EthereumProvider.init({ projectId: 'test', storage, logger: 'silent' })
    process.exit()`
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', code])
  expect(stdout + stderr).toBe('')
})

test('publint finds nothing', async () => {
  const { messages, pkg } = await publint({ pkgDir: installed, pack: false, strict: true })
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
})

test('behavior: the entries with components are marked for the client, the others can run on a server', () => {
  const isClient = (entry: string) => /^['"]use client['"]/.test(readFileSync(join(installed, 'dist', entry), 'utf8'))
  const entries = readdirSync(join(installed, 'dist')).filter((file) => /^[a-z-]+\.js$/.test(file))
  expect(entries.filter(isClient)).toEqual(['hooks.js', 'index.js', 'parts.js'])
  const others = ['core.js', 'siwe.js', 'siwe-server.js', 'testing.js', 'wagmi.js', 'wallets.js']
  expect(entries).toEqual(expect.arrayContaining(others))
})

test('behavior: Parcel, which does not read `exports`, finds every entry, and no global of Node to bring a copy of', () => {
  const { alias, exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  const { '.': _, ...others } = exports as Record<string, { default: string }>
  expect(alias).toEqual(Object.fromEntries(Object.entries(others).map(([entry, it]) => [entry, it.default])))
  const scripts = readdirSync(join(installed, 'dist')).filter((file) => file.endsWith('.js'))
  const globalsIn = (file: string) =>
    readFileSync(join(installed, 'dist', file), 'utf8').match(
      /(?<![.\w$])(?:Buffer|process(?!\.env\.NODE_ENV))[.<].*/g,
    ) ?? []
  expect(scripts.flatMap(globalsIn).map((code) => code.slice(0, 80))).toEqual([])
})

test('behavior: with the splitting of esbuild, the start of a page has none of viem that only later parts need', async () => {
  const entry = "import { createWalletKit } from './dist/core.js'; window.createWalletKit = createWalletKit"
  const { metafile } = await build({
    stdin: { contents: entry, resolveDir: installed },
    ...{
      bundle: true,
      splitting: true,
      format: 'esm',
      outdir: folder,
      write: false,
      metafile: true,
      logLevel: 'error',
    },
  })
  const startOf = (path: string): string[] =>
    (metafile.outputs[path]?.imports ?? []).flatMap(({ path, kind }) =>
      kind === 'import-statement' ? [path, ...startOf(path)] : [],
    )
  const start = Object.keys(metafile.outputs).filter((path) => path.endsWith('stdin.js'))
  const inputs = [...start, ...start.flatMap(startOf)].flatMap((path) =>
    Object.entries(metafile.outputs[path]?.inputs ?? {}),
  )
  const ofViem = inputs.filter(
    ([file, { bytesInOutput }]) => /node_modules\/(viem|ox)\//.test(file) && bytesInOutput > 0,
  )
  expect(inputs.length).toBeGreaterThan(0)
  expect(ofViem.map(([file]) => file)).toEqual([])
})

test('its types are found by every way in which ESM is resolved, also by the old one for bundlers', async () => {
  const attw = join(kit, 'node_modules/.bin/attw')
  // Exits with an error if it finds a problem.
  await run(attw, [tarball, '--profile', 'strict', '--ignore-rules', 'cjs-resolves-to-esm'])
})

test('behavior: an app that emits declarations can name the type of every export, of every result, and of its kit', async () => {
  const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  // A package of its own, with the kit in `node_modules`: an app cannot import a file that is no entry.
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  cpSync(installed, join(folder, 'node_modules/@lineage/wallet-kit'), { recursive: true })
  const files = Object.keys(exports).map((entry, index) => {
    const file = join(folder, `app${index}.ts`)
    writeFileSync(file, appOf(join('@lineage/wallet-kit', entry)))
    return file
  })
  const options = { module: 'nodenext', lib: 'es2023,dom', types: '', outDir: join(folder, 'app') }
  const values = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  const flags = ['--ignoreConfig', '--strict', '--skipLibCheck', '--declaration', '--emitDeclarationOnly']
  const { stdout } = await run('pnpm', ['exec', 'tsc', ...flags, ...values, ...files], { cwd: kit }).catch((it) => it)
  expect(stdout).toBe('')
})

const components = ['react', '@types/react']

/** An app whose hooks know its kit: they accept the wallet ids of the state, and no wrong literal. */
const registered = `
  import { useConnectDialog, useWalletKit, useWalletKitState } from '@lineage/wallet-kit'
  import { createWalletKit } from '@lineage/wallet-kit/core'
  import { defaultWallets } from '@lineage/wallet-kit/wallets'
  import { bsc } from 'viem/chains'
  export const kit = createWalletKit({
    appName: 'App', chains: [bsc], transports: { [bsc.id]: 'https://localhost' }, wallets: defaultWallets(),
  })
  declare module '@lineage/wallet-kit' {
    interface Register { kit: typeof kit }
  }
  export function useFirst() {
    const walletId = useWalletKitState(({ wallets }) => wallets[0]?.id)
    const [{ open }, { connect }] = [useConnectDialog(), useWalletKit()]
    return walletId && [open({ walletId }), connect({ walletId })]
  }
  // @ts-expect-error none of the wallets has this id
  export const useWrong = () => useConnectDialog().open({ walletId: 'metamask' })
`

/** The names of options that may be left out and refuse `undefined`, which `exactOptionalPropertyTypes` tells apart. */
const refused = `
  type Refused<options> = {
    [key in keyof options]-?: {} extends Pick<options, key>
      ? Record<key, undefined> extends Pick<options, key> ? never : key
      : never
  }[keyof options]
`
const omitted = `${refused}
  import type * as core from '@lineage/wallet-kit/core'
  import type { EnsNamesOptions } from '@lineage/wallet-kit/ens'
  import type { SiweAuthenticationOptions } from '@lineage/wallet-kit/siwe'
  import type { SiweServerOptions, TokenBucketsOptions } from '@lineage/wallet-kit/siwe-server'
  import type { ScriptedWalletOptions } from '@lineage/wallet-kit/testing'
  import type * as wallets from '@lineage/wallet-kit/wallets'
  type Downloads = NonNullable<core.WalletDefinition['downloadUrls']>
  type Links = NonNullable<core.WalletDefinition['relayLinks']>
  export const none: never[] = [
    {} as Refused<core.WalletKitConfig>, {} as Refused<core.NamesConfig>, {} as Refused<core.WalletDefinition>,
    {} as Refused<core.AuthenticationConfig>, {} as Refused<core.AuthenticationAdapter>,
    {} as Refused<core.ConnectParameters>, {} as Refused<core.SendCallsParameters>,
    {} as Refused<Downloads>, {} as Refused<Links>, {} as Refused<EnsNamesOptions>,
    {} as Refused<Pick<core.WalletKitChain, 'iconUrl'>>, {} as Refused<core.OpenConnectParameters>,
    {} as Refused<SiweAuthenticationOptions>, {} as Refused<SiweServerOptions>, {} as Refused<TokenBucketsOptions>,
    {} as Refused<ScriptedWalletOptions>, {} as Refused<wallets.SafeOptions>,
    {} as Refused<wallets.WalletConnectOptions>, {} as Refused<wallets.WalletConnectRegistryOptions>,
  ]
`
const omittedProps = `${refused}
  import type * as entry from '@lineage/wallet-kit'
  import type { PartProps } from '@lineage/wallet-kit/parts'
  type Forms = Extract<entry.Messages['pendingTransactions'], object>
  export const none: never[] = [
    {} as Refused<entry.WalletKitProviderProps>, {} as Refused<entry.ConnectButtonProps>, {} as Refused<entry.Messages>,
    {} as Refused<entry.WalletKitThemeOptions>, {} as Refused<Forms>, {} as Refused<PartProps<'h2', object>>,
  ]
  // A reference to an element is null before React has drawn it, and a wallet of the app may be none.
  export const element = { container: null } satisfies Partial<entry.WalletKitProviderProps>
  export const openAny = (
    { open }: entry.UseConnectDialogReturnType,
    kit: entry.UseWalletKitReturnType,
    wallet?: { walletId: 'metaMask' },
  ) => [open(wallet), kit.openConnectDialog(wallet)]
  export const onClick: (event: { nativeEvent: object }) => void = ({} as entry.UseConnectDialogReturnType).open
`
const omittedHooks = `${refused}
  import type * as hooks from '@lineage/wallet-kit/hooks'
  export const none: never[] = [
    {} as Refused<hooks.UseBalanceParameters>, {} as Refused<hooks.KitQueryOptions>, {} as Refused<hooks.TransactionOptions>,
    {} as Refused<hooks.UseTransactionReceiptParameters>, {} as Refused<hooks.UseTransactionStatusParameters>,
    {} as Refused<hooks.UseCapabilitiesParameters>, {} as Refused<hooks.SignMessageVariables>,
  ]
`

// Errors in wagmi's own types are ignored: some of them do not compile with these options.
test.each([
  { names: ['core', 'wallets', 'siwe', 'siwe-server', 'ens', 'testing'], peers: [], code: omitted },
  { names: ['siwe-server'], peers: ['@types/node'], lib: 'es2023' },
  { names: ['.', 'parts'], peers: components, code: registered + omittedProps },
  { names: ['hooks'], peers: [...components, '@tanstack/react-query'], code: omittedHooks },
  { names: ['mui'], peers: ['@mui/material'] },
  { names: ['wagmi'], peers: ['wagmi'] },
])(
  'behavior: with only its peers, $peers, the types of $names compile, and an option takes `undefined`',
  async ({ names, peers, lib = 'es2023,dom', code = '' }) => {
    // Outside of the repository, whose packages would be found.
    const app = mkdtempSync(join(tmpdir(), 'wallet-kit-types-'))
    onTestFinished(() => rmSync(app, { recursive: true, force: true }))
    const modules = join(app, 'node_modules')
    cpSync(installed, join(modules, '@lineage/wallet-kit'), { recursive: true })
    for (const name of ['viem', ...peers]) {
      mkdirSync(dirname(join(modules, name)), { recursive: true })
      symlinkSync(realpathSync(join(kit, 'node_modules', name)), join(modules, name))
    }
    writeFileSync(join(app, 'package.json'), '{ "type": "module" }')
    const imports = names.map((name, index) => `export * as entry${index} from '${join('@lineage/wallet-kit', name)}'`)
    writeFileSync(join(app, 'app.ts'), [...imports, code].join('\n'))
    const types = peers.includes('@types/node') ? 'node' : ''
    const options = { module: 'nodenext', target: 'es2022', skipLibCheck: 'false', types, lib }
    const values = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
    const tsc = join(kit, 'node_modules/.bin/tsc')
    const flags = ['--ignoreConfig', '--strict', '--exactOptionalPropertyTypes', '--noEmit']
    const { stdout } = await run(tsc, [...flags, ...values, 'app.ts'], { cwd: app }).catch((it) => it)
    const problems = (stdout as string).split('\n').filter((line) => /^(app\.ts|node_modules\/@lineage)/.test(line))
    expect(problems).toEqual([])
  },
)

/** An app that exports the values of an entry, what its functions take and return, and a kit. */
const appOf = (entry: string) => `
  import * as entry from '${entry}'
  import { createWalletKit } from '@lineage/wallet-kit/core'
  import { defaultWallets } from '@lineage/wallet-kit/wallets'
  import { bsc } from 'viem/chains'
  declare function signaturesOf<values>(values: values): {
    [name in keyof values]: values[name] extends (...parameters: infer given) => infer result ? [given, result] : 0
  }
  export const values = { ...entry }
  export const signatures = signaturesOf(entry)
  export const kit = createWalletKit({
    appName: 'App', chains: [bsc], transports: { [bsc.id]: 'https://localhost' }, wallets: defaultWallets(),
  })
`

test('behavior: depends on neither wagmi nor another kit, and the README names its range of viem', () => {
  const described = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  const { dependencies, peerDependencies, peerDependenciesMeta } = described
  const needed = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional)
  expect(needed).toEqual(['viem'])
  const names = [...Object.keys(dependencies), ...needed]
  expect(names.filter((name) => /wagmi|rainbowkit|connectkit|appkit|web3modal/.test(name))).toEqual([])
  expect(peerDependencies.viem).toMatch(/^\^2\.\d+\.0$/)
  expect(readFileSync(join(installed, 'README.md'), 'utf8')).toContain(`\`${peerDependencies.viem}\``)
})

test('behavior: contains no source, and the text of every licence', () => {
  expect(readdirSync(installed).sort()).toEqual([
    'CHANGELOG.md',
    'ICONS-LICENSE.txt',
    'LICENSE',
    'README.md',
    'dist',
    'package.json',
  ])
  const texts = readFileSync(join(installed, 'dist/relayClient.LICENSES.txt'), 'utf8').split(`\n${'-'.repeat(80)}\n\n`)
  const names = texts.map((text) => /^(\S+) /.exec(text)?.[1])
  expect(names).toEqual(expect.arrayContaining(['@walletconnect/core', '@walletconnect/sign-client', 'es-toolkit']))
  expect(new Set(names).size).toBe(names.length)
  for (const text of texts) expect(text.length).toBeGreaterThan(500)
  expect(names.filter((name) => /reown|appkit|lit/.test(name ?? ''))).toEqual([])
})

test('behavior: a release publishes every entry with its types, the texts and the licences', async () => {
  const { stdout } = await run('pnpm', ['publish', '--dry-run', '--no-git-checks', '--json'], { cwd: kit })
  const paths = new Set(JSON.parse(stdout).files.map(({ path }: { path: string }) => `./${path}`))
  const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  for (const target of Object.values<Record<string, string>>(exports).flatMap((entry) => Object.values(entry)))
    expect(paths, target).toContain(target)
  for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE', 'ICONS-LICENSE.txt', 'dist/relayClient.LICENSES.txt'])
    expect(paths).toContain(`./${file}`)
})

const entries = readdirSync(join(kit, 'src/exports')).filter((file) => !file.includes('.test.'))
const declarationsOf = (file: string) => join(installed, 'dist', file.replace(/\.ts$/, '.d.ts'))

// After an intended change: pnpm -F @lineage/wallet-kit test:package -u
describe('behavior: the public types are those of the snapshot', () => {
  let types: Map<string, string>
  beforeAll(() => {
    types = publicTypes(entries.map(declarationsOf))
  })

  test.each(entries)('%s', async (file) => {
    const entry = declarationsOf(file)
    await expect(types.get(entry)).toMatchFileSnapshot(snapshotOf(entry))
  })
})
