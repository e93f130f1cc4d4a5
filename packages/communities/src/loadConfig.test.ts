import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConfigError, loadConfig } from './index.ts'

const communities = [
  {
    id: 'demo',
    name: 'Demo',
    chainId: 56,
    address: '0x000000000000000000000000000000000000beef',
    startBlock: 1,
    event: 'event Bound(address indexed member, address indexed referrer)',
    member: 'member',
    referrer: 'referrer',
  },
]
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lineage-config-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function write(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

test('behavior: a JSON file', async () => {
  const path = await write('config.json', JSON.stringify({ communities }))
  expect((await loadConfig(path)).communities).toHaveLength(1)
})

test('behavior: a JSON file with a byte order mark', async () => {
  const path = await write('marked.JSON', `\uFEFF${JSON.stringify({ communities })}`)
  expect((await loadConfig(path)).communities).toHaveLength(1)
})

test('error: a directory', async () => {
  for (const name of ['folder', 'folder.json']) {
    await mkdir(join(folder, name))
    await expect(loadConfig(join(folder, name))).rejects.toThrow(`${name} cannot be read: it is a directory`)
  }
})

test('behavior: a TypeScript module that defines its communities', async () => {
  const define = join(import.meta.dirname, 'index.ts')
  const path = await write(
    'config.ts',
    `import { defineCommunities } from ${JSON.stringify(define)}\nexport default defineCommunities(${JSON.stringify(communities)})\n`,
  )
  expect((await loadConfig(path)).communities).toHaveLength(1)
})

test.each<[title: string, name: string, text: string | undefined, message: RegExp]>([
  ['no file', 'absent.json', undefined, /absent\.json cannot be read: ENOENT/],
  ['broken JSON', 'broken.json', '{', /broken\.json cannot be read: .*JSON/],
  [
    'module without a default export',
    'bare.ts',
    'export const a = 1',
    /bare\.ts must hold an object .* default export/,
  ],
  ['list', 'list.json', '[]', /list\.json must hold an object/],
  ['module that throws', 'throws.ts', 'throw 1', /throws\.ts cannot be read: 1/],
  ['wrong content', 'wrong.json', '{"communities":[]}', /^communities: must hold at least one/],
])('error: %s', async (_, name, text, message) => {
  const path = text === undefined ? join(folder, name) : await write(name, text)
  const error = await loadConfig(path).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ConfigError)
  expect((error as ConfigError).message).toMatch(message)
})

test('error: no path', async () => {
  await expect(loadConfig(undefined)).rejects.toThrow('LINEAGE_CONFIG is not set')
})
