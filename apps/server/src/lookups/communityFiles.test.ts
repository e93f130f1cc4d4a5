import { zstdDecompressSync } from 'node:zlib'
import { readCsv } from '@lineage/referral-api/csv'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { getAddress, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, type Served, serve } from '../../test/serve.ts'
import { addressOf, bind, hashOf, type TestEvent, timeOf } from '../follow/test/tables.ts'

const unit = 10n ** 18n
const at = { logIndex: 1, member: addressOf(2) }
/** A root who is a placeholder, one who is a member, an irregular bind of each kind, and amounts. */
const events: TestEvent[] = [
  bind(1, 1, 0),
  bind(2, 2, 1),
  { kind: 'volume', block: 2, ...at, amount: 3n * unit + 1n },
  bind(3, 2, 1),
  bind(4, 4, 4),
  { kind: 'bind', block: 5, logIndex: 0, member: addressOf(5), referrer: zeroAddress },
  { kind: 'reward', block: 6, ...at, amount: 5n * unit, from: addressOf(1) },
  {
    kind: 'bind',
    block: 7,
    logIndex: 0,
    member: addressOf(7),
    referrer: addressOf(5),
    grade: 'between',
    firstBlock: 6,
  },
  ...Array.from({ length: 600 }, (_, index) => bind(10 + index, 10 + index, index % 3 === 0 ? 5 : 1)),
]
const members = 604
let served: Served

beforeAll(async () => {
  const unlimited = { burst: 1e9, perSecond: 1e9 }
  const limits = { lookups: unlimited, rpc: unlimited, names: unlimited, labels: unlimited, signIn: unlimited }
  served = await serve({ step: { block: 700, events, finalized: 650 }, limits })
})
afterAll(() => served.close())

const get = (path: string, headers?: Record<string, string>, method = 'GET') =>
  ask(served.url, `/v1/communities/demo/${path}`, { method, ...(headers && { headers }) })

async function readRows(path: string): Promise<Record<string, string>[]> {
  const { status, body } = await get(path)
  expect(status).toBe(200)
  const rows: Record<string, string>[] = []
  for await (const row of readCsv(new Blob([new Uint8Array(body)]).stream())) rows.push(row)
  return rows
}

async function readParquet(path: string) {
  const { body } = await get(path)
  const file = new Uint8Array(body).buffer
  const compressors = { ZSTD: (bytes: Uint8Array) => new Uint8Array(zstdDecompressSync(bytes)) }
  return { metadata: parquetMetadata(file), rows: await parquetReadObjects({ file, compressors }) }
}

test('behavior: all members in join order, with their binds, at one block', async () => {
  const rows = await readRows('members.csv?tz=Asia/Shanghai')
  const metrics = JSON.parse((await get('metrics')).body.toString())
  expect([rows.length, new Set(rows.map(({ address }) => address)).size]).toEqual([members, metrics.members])
  expect(rows[1]).toEqual({
    address: getAddress(addressOf(2)),
    status: 'member',
    referrer: getAddress(addressOf(1)),
    root: getAddress(addressOf(0)),
    depth: '2',
    joinedAt: '2023-11-14T22:13:22Z',
    'joinedAt Asia/Shanghai': '2023-11-15 06:13:22',
    directs: '0',
    team: '0',
    ownVolume: String(3n * unit + 1n),
    'ownVolume USDT': '3.000000000000000001',
    teamVolume: '0',
    'teamVolume USDT': '0',
    rewards: String(5n * unit),
    grade: 'exact',
    block: '2',
    logIndex: '0',
    tx: hashOf(2),
    firstBlock: '',
    lastBlock: '',
    asOfBlock: '700',
  })
  expect(rows.find(({ grade }) => grade === 'between')).toMatchObject({
    joinedAt: '',
    block: '',
    firstBlock: '6',
    lastBlock: '7',
    tx: hashOf(7),
  })
})

test('behavior: all events, the oldest first, with the status of each bind', async () => {
  const rows = await readRows('events.csv')
  expect(rows).toHaveLength(events.length)
  expect(rows.slice(0, 8).map(({ kind, status, block, decimal }) => [kind, status, block, decimal])).toEqual([
    ['bind', 'bound', '1', ''],
    ['bind', 'bound', '2', ''],
    ['volume', '', '2', '3.000000000000000001'],
    ['bind', 'duplicate', '3', ''],
    ['bind', 'self', '4', ''],
    ['bind', 'bound', '5', ''],
    ['reward', '', '6', ''],
    ['bind', 'bound', '', ''],
  ])
  expect(rows.at(-1)).toMatchObject({ tx: hashOf(609), asOfBlock: '700', time: '2023-11-14T22:23:29Z' })
})

test('behavior: the days and the roots', async () => {
  const days = await readRows('series.csv')
  expect(days).toEqual([
    {
      day: '2023-11-14',
      members: String(members - 1),
      totalMembers: String(members - 1),
      volume: String(3n * unit + 1n),
      'volume USDT': '3.000000000000000001',
      rewards: String(5n * unit),
      asOfBlock: '700',
    },
  ])
  const roots = await readRows('roots.csv')
  expect(roots.map(({ address, status, team, asOfBlock }) => [address, status, team, asOfBlock])).toEqual([
    [getAddress(addressOf(0)), 'placeholder', '402', '700'],
    [getAddress(addressOf(5)), 'member', '201', '700'],
  ])
})

test.each([
  ['team', 'desc', [0, 5]],
  ['team', 'asc', [5, 0]],
  ['joined', 'asc', [5, 0]],
  ['volume', 'desc', [0, 5]],
])('behavior: a list of the roots by %s, %s, page by page', async (sort, order, expected) => {
  const found: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await get(`roots?sort=${sort}&order=${order}&limit=1&tx=true${cursor}`)
    const { items, nextCursor, count } = JSON.parse(body.toString())
    expect([items.length, count]).toEqual([1, 2])
    found.push(items[0].address)
    if (nextCursor === null) break
    cursor = `&cursor=${nextCursor}`
  }
  expect(found).toEqual(expected.map((index) => getAddress(addressOf(index))))
})

test.each(['members', 'events', 'series'])('behavior: %s as Parquet have the cells of the CSV', async (contents) => {
  const rows = await readRows(`${contents}.csv`)
  const parquet = await readParquet(`${contents}.parquet`)
  const toCell = (value: unknown) =>
    value === null || value === undefined
      ? ''
      : value instanceof Date
        ? value.toISOString().replace('.000Z', 'Z')
        : String(value)
  const isNumber = (name: string) => name === 'decimal' || name.endsWith(' USDT')
  const cells = parquet.rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, isNumber(name) ? value : toCell(value)])),
  )
  const expected = rows.map((row) => {
    const kept = Object.entries(row).filter(([name]) => !name.endsWith(' UTC'))
    const day = (name: string, text: string) => (name === 'day' ? `${text}T00:00:00Z` : text)
    return Object.fromEntries(
      kept.map(([name, text]) => [name, isNumber(name) ? (text === '' ? undefined : Number(text)) : day(name, text)]),
    )
  })
  expect(cells.map((row) => JSON.stringify(row, (_, value) => value ?? undefined))).toEqual(
    expected.map((row) => JSON.stringify(row)),
  )
  expect(Object.fromEntries((parquet.metadata.key_value_metadata ?? []).map(({ key, value }) => [key, value]))).toEqual(
    {
      community: 'demo',
      contract: expect.stringMatching(/^0x/),
      contents,
      asOfBlock: '700',
      asOfTime: new Date(timeOf(700) * 1000).toISOString(),
    },
  )
})

test.each([
  ['members.csv', 'text/csv; charset=utf-8; header=present', 'demo-members-700.csv'],
  ['events.parquet', 'application/vnd.apache.parquet', 'demo-events-700.parquet'],
])(
  'behavior: the head of %s names the block; a part is not sent, but a file that is known is not sent again',
  async (path, type, name) => {
    const { headers, body } = await get(path, {}, 'HEAD')
    expect(headers).toMatchObject({
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      'accept-ranges': 'none',
      etag: expect.any(String),
    })
    expect(body).toHaveLength(0)
    const whole = await get(path, { range: 'bytes=0-9' })
    expect([whole.status, whole.body.length > 1_000]).toEqual([200, true])
    const again = await get(path, { 'if-none-match': String(headers.etag) })
    expect([again.status, again.body.length]).toEqual([304, 0])
  },
)

test('error: a parameter that a file does not have, and a community that is not there', async () => {
  expect((await get('members.csv?asOf=5')).status).toBe(400)
  expect((await get('members.parquet?tz=UTC')).status).toBe(400)
  expect((await get('roots?sort=depth')).status).toBe(400)
  expect((await ask(served.url, '/v1/communities/none/members.csv')).status).toBe(404)
})
