import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { migrate, type Outcome } from './migrate.ts'

const fixtures = join(import.meta.dirname, '../fixtures')

/** The notes for each app, by line of the original file. */
const apps = {
  vite: ['src/wagmi.ts:2'],
  template: ['src/wagmi.ts:5'],
  next: ['src/app/providers.tsx:18', 'src/wagmi.ts:5', 'src/wagmi.ts:6', 'src/wagmi.ts:13'],
  pages: [
    ...['src/components/Account.tsx:1', 'src/components/Account.tsx:10', 'src/components/Account.tsx:20'],
    ...['src/pages/_app.tsx:9', 'src/pages/_app.tsx:11', 'src/pages/_app.tsx:22', 'src/pages/_app.tsx:35'],
    ...['src/pages/_app.tsx:39', 'src/pages/_app.tsx:51', 'src/pages/_app.tsx:52'],
  ],
}

describe.each(Object.entries(apps))('%s', (app, notes) => {
  let folder: string
  let outcome: Outcome
  const read = (root: string) =>
    Object.fromEntries(
      globSync('src/**/*.*', { cwd: root }).map((file) => [file, readFileSync(join(root, file), 'utf8')]),
    )

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'codemod-'))
    cpSync(join(fixtures, app, 'before'), folder, { recursive: true })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('behavior: a dry run tells the same, and changes nothing', () => {
    const before = read(folder)
    outcome = migrate(folder, true)
    expect(read(folder)).toEqual(before)
    expect(outcome.changed).not.toEqual([])
  })

  test('behavior: the app is rewritten, and the notes name the rest by file and line', async () => {
    expect(migrate(folder, false)).toEqual(outcome)
    expect(outcome.notes.map(({ file, line }) => `${relative(folder, file)}:${line}`)).toEqual(notes)
    for (const [file, text] of Object.entries(read(folder)))
      await expect(text).toMatchFileSnapshot(join(fixtures, app, 'after', file))
  })

  test('behavior: a second run changes nothing', () => {
    const before = read(folder)
    expect(migrate(folder, false).changed).toEqual([])
    expect(read(folder)).toEqual(before)
  })
})

test.each(['vite', 'template'])(
  'behavior: an app with the default configuration changes by at most 20 lines: %s',
  (app) => {
    const { changed } = migrate(join(fixtures, app, 'before'), true)
    expect(changed.reduce((sum, { lines }) => sum + lines, 0)).toBeLessThanOrEqual(20)
  },
)

test.each(['false', 'true'])('behavior: the rewritten template starts, with test networks: %s', async (isEnabled) => {
  vi.stubEnv('NEXT_PUBLIC_ENABLE_TESTNETS', isEnabled)
  vi.resetModules()
  const { config } = await import(join(fixtures, 'template/after/src/wagmi.ts'))
  expect(config.chains.some(({ name }: { name: string }) => name === 'Sepolia')).toBe(isEnabled === 'true')
})

test('behavior: the rewritten code compiles, except at the lines that the notes name', () => {
  expect(compileApps()).toEqual([
    'pages/after/src/pages/_app.tsx: import { type AuthenticationStatus } from "@rainbow-me/rainbowkit";',
    'pages/after/src/pages/_app.tsx: verify: async ({ message, signature }) => {',
    'pages/after/src/components/Account.tsx: import { WalletButton } from "@rainbow-me/rainbowkit";',
    'pages/after/src/components/Account.tsx: <span style={{ background: chain.iconBackground }}>',
    'pages/after/src/components/Account.tsx: <button onClick={() => account.openAccountModal?.()}>My account</button>',
  ])
})

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
  return ours.flatMap((source) =>
    [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(({ start = 0 }) => {
      const { line } = source.getLineAndCharacterOfPosition(start)
      return `${relative(fixtures, source.fileName)}: ${source.text.split('\n')[line]?.trim()}`
    }),
  )
}
