import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate } from './migrate.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'codemod-'))
  mkdirSync(join(folder, 'app'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const before = "import { useConnectModal } from '@rainbow-me/rainbowkit'\nuseConnectModal()\n"
const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
const read = (file: string) => readFileSync(join(folder, file), 'utf8')
const notesOf = () => migrate(join(folder, 'app'), false).notes.map(({ file, text }) => `${basename(file)} ${text}`)

test('attack: links to files and folders elsewhere are not followed', () => {
  write('other.ts', before)
  mkdirSync(join(folder, 'others'))
  write('others/one.ts', before)
  symlinkSync(join(folder, 'other.ts'), join(folder, 'app/link.ts'))
  symlinkSync(join(folder, 'others'), join(folder, 'app/links'))
  expect(migrate(join(folder, 'app'), false)).toEqual({ changed: [], notes: [] })
  expect([read('other.ts'), read('others/one.ts')]).toEqual([before, before])
})

test('error: a file that cannot be rewritten is named, and the others are', () => {
  const deep = `${before}export const deep = ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`
  write('app/a.ts', deep)
  write('app/b.ts', before)
  write('app/c.ts', `${before}const = 1\n`)
  const notes = notesOf()
  expect(notes.filter((it) => /^[ac]\.ts It could not be rewritten: /.test(it))).toHaveLength(2)
  expect(read('app/a.ts')).toBe(deep)
  expect(read('app/b.ts')).toContain("from '@lineage/wallet-kit'")
})

test.each([
  ['app/page.tsx', '', "import { kit } from './lib/wagmi'"],
  ['app/a/page.tsx', "import './b.js'\n", "import { kit } from '../lib/wagmi.js'"],
  ['app/a/page.tsx', "import './b.ts'\n", "import { kit } from '../lib/wagmi.ts'"],
])('behavior: the provider imports the kit: %s %s', (file, other, line) => {
  mkdirSync(join(folder, 'app/lib'))
  mkdirSync(join(folder, 'app/a'))
  write(
    'app/lib/wagmi.ts',
    "import { getDefaultConfig } from '@rainbow-me/rainbowkit'\nexport const config = getDefaultConfig({ chains: [bsc], wallets })\n",
  )
  const provider =
    "import { RainbowKitProvider } from '@rainbow-me/rainbowkit'\nexport const a = <RainbowKitProvider />\n"
  write(file, other + provider)
  expect(notesOf()).toEqual([])
  expect(read(file)).toContain(`${line}\n`)
  write('app/a/package.json', '{}')
  write('app/a/other.tsx', provider)
  expect(notesOf()).toEqual([expect.stringContaining('other.tsx Import `kit` of ')])
})

test('error: styles for RainbowKit are named, in style sheets and in code', () => {
  write(
    'app/a.css',
    "@import '@rainbow-me/rainbowkit/styles.css';\n[data-rk] { color: var(--rk-colors-accentColor) }\n",
  )
  write('app/b.ts', "document.querySelector('[data-rk]')\n")
  write('app/c.css', '[data-rkx] { --rkx: 0 }\n')
  expect(notesOf()).toEqual([
    'a.css Remove this: the kit has no style sheet.',
    'a.css The kit has no `data-rk` and no `--rk-…`. Change how it looks with a theme.',
    'b.ts The kit has no `data-rk` and no `--rk-…`. Change how it looks with a theme.',
  ])
})

test('behavior: with two configurations a provider imports the kit of its own', () => {
  const config =
    "import { getDefaultConfig } from '@rainbow-me/rainbowkit'\nexport const config = getDefaultConfig({ chains: [bsc], wallets })\n"
  const provider =
    "import { RainbowKitProvider } from '@rainbow-me/rainbowkit'\nexport const a = <RainbowKitProvider />\n"
  write('app/a.ts', config)
  write('app/b.ts', config)
  write('app/B.tsx', `import { config } from './b'\n${provider}`)
  write('app/C.tsx', provider)
  expect(notesOf()).toEqual(['C.tsx Import the kit that you make with `createWalletKit`.'])
  expect(read('app/B.tsx')).toContain("import { config, kit } from './b'")
})

test('behavior: a kit in the file of a provider is exported if another file takes it', () => {
  const providers =
    "import { getDefaultConfig, RainbowKitProvider } from '@rainbow-me/rainbowkit'\nexport const config = getDefaultConfig({ chains: [bsc], wallets })\nexport const a = <RainbowKitProvider />\n"
  const other = "import { RainbowKitProvider } from '@rainbow-me/rainbowkit'\nimport { config } from './providers'\n"
  write('app/providers.tsx', providers)
  write('app/testUtils.tsx', `${other}export const a = <RainbowKitProvider />\n`)
  expect(notesOf()).toEqual([])
  expect(read('app/testUtils.tsx')).toContain("import { config, kit } from './providers'")
  expect(read('app/providers.tsx')).toContain('\nexport const kit = createWalletKit({')
  write('app/providers.tsx', providers)
  write('app/testUtils.tsx', `${other}useConnectModal(config)\n`)
  migrate(join(folder, 'app'), false)
  expect(read('app/providers.tsx')).toContain('\nconst kit = createWalletKit({')
})
