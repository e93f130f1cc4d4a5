import { expect, test } from 'vitest'
import { readExportedNames } from './kitExports.ts'
import { codeSpans, readText, tableRows } from './markdown.ts'

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
    ...['wagmi', 'wallet of RainbowKit'].flatMap((column) =>
      tableRows(guide('migration'), column, 'here').map(([, cell = '']) => cell),
    ),
  ]
  const names = cells.flatMap((cell) => codeSpans(cell)).map((span) => /^\w+/.exec(span)?.[0] ?? '')
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => !exported.has(name) && !options.has(name))).toEqual([])
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
