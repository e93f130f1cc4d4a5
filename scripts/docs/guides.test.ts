import { expect, test } from 'vitest'
import { transform } from '../../packages/wallet-kit-codemod/src/transform.ts'
import { readExportedNames } from './kitExports.ts'
import { codeBlocks, codeSpans, readText, sideOfDiff, tableRows } from './markdown.ts'

const guide = (name: string) => readText(`apps/docs/pages/guide/${name}.md`)
const kit = 'packages/wallet-kit/src'

test('behavior: the migration guide names only exports of the kit', () => {
  const exported = new Set(readExportedNames())
  const options = new Set(
    readText(`${kit}/core/state/config.ts`)
      .match(/^ {2}\w+(?=\??:)/gm)
      ?.map((name) => name.trim()),
  )
  const cells = [
    ...tableRows(guide('migration'), 'here').map(([cell = '']) => cell),
    ...tableRows(guide('migration'), 'wagmi', 'here').map(([, cell = '']) => cell),
  ]
  const names = cells.flatMap((cell) => codeSpans(cell)).map((span) => /^\w+/.exec(span)?.[0] ?? '')
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => !exported.has(name) && !options.has(name))).toEqual([])
})

test('behavior: the guide to migration has every name that the codemod replaces', () => {
  const text = guide('migration')
  const names = readText('packages/wallet-kit-codemod/src/names.ts').match(
    /(?<=^ {2})(use\w+|\w+Provider|\w+Button)(?=: \{ entry)/gm,
  )
  expect(names?.length).toBeGreaterThan(4)
  expect(names?.filter((name) => !text.includes(name))).toEqual([])
})

test('behavior: the diffs of the migration guide are what the codemod does', () => {
  const diffs = codeBlocks(guide('migration')).filter(({ language }) => language === 'diff')
  const changed = diffs.map(({ code }) => {
    const before = sideOfDiff(code, '-')
    const path = /^\/\/ (\S+)/.exec(before)?.[1] ?? ''
    return transform(path, before, () => ({ path: 'src/wagmi.ts', kit: 'kit', source: './wagmi' })).text
  })
  expect(changed).toHaveLength(2)
  expect(changed).toEqual(diffs.map(({ code }) => sideOfDiff(code, '+')))
})

test('behavior: the messages that troubleshooting explains are those of the code', () => {
  const code = [...['core/state/validateConfig.ts', 'react/WalletKitContext.ts', 'react/hooks/useWalletKit.ts']].map(
    (file) => readText(`${kit}/${file}`),
  )
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
  const hosts = readText('apps/server/src/http/securityHeaders.ts').match(/(?<=')(https|wss):\/\/[\w.]+(?=')/g) ?? []
  expect(hosts.length).toBeGreaterThan(6)
  const text = guide('content-security-policy')
  expect(hosts.filter((host) => !text.includes(host))).toEqual([])
})
