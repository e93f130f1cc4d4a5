import { setImmediate } from 'node:timers/promises'
import { createForest, type Forest, type ReferralsFilter } from '@lineage/forest'
import { byAmountKind } from '@lineage/referral-api/amounts'
import { type Address, getAddress, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { atBlock, createCsvFormat, eventColumns, memberColumns } from './columns.ts'
import type { MemberEventRow } from './eventTables.ts'
import { type FilePart, readText } from './fileStream.ts'
import { streamDownline, streamEvents, streamHeld } from './files.ts'

const addressOf = (index: number) => numberToHex(index + 0xabcdef, { size: 20 })
const root = addressOf(0)
const token = { symbol: 'US"D,T', decimals: 18 }
const tokens = { ...byAmountKind(() => token), reward: { ...token, symbol: '=1+1' } }
const format = { timeZone: 'Asia/Shanghai', tokens }

/** Creates a root with a downline, each member below a random earlier one. */
function createTeam(members: number) {
  const forest = createForest()
  forest.commit(members)
  forest.load(
    Array.from({ length: members }, (_, index) => ({
      kind: 'bind' as const,
      block: index,
      logIndex: 0,
      timestamp: 1_700_000_000 + index,
      member: addressOf(index + 1),
      referrer: addressOf(Math.floor(index * ((index * 0.618_034) % 1))),
    })),
  )
  forest.addVolume({ block: members, logIndex: 0, timestamp: 1_800_000_000, member: addressOf(1), amount: 10n ** 30n })
  return forest
}

const streamCsv = (
  forest: () => Forest | undefined,
  address: Address,
  filter?: ReferralsFilter,
  order = 'asc' as 'asc' | 'desc',
) =>
  streamDownline(
    forest,
    { address, order, filter },
    {
      ...format,
      readTxs: async (binds) => binds.map(({ block }) => (block === 1 ? null : numberToHex(block, { size: 32 }))),
    },
  )

test('behavior: CSV with a byte order mark, a header line and CRLF', async () => {
  const forest = createTeam(2)
  const { value } = await streamCsv(() => forest, root)
    .getReader()
    .read()
  expect([...(value?.bytes.slice(0, 3) ?? [])]).toEqual([0xef, 0xbb, 0xbf])
  expect((await readText(streamCsv(() => forest, root))).split('\r\n')).toEqual([
    'level,address,status,referrer,depth,joinedAt,joinedAt Asia/Shanghai,directs,team,ownVolume,"ownVolume US""D,T",' +
      'teamVolume,"teamVolume US""D,T",grade,block,logIndex,tx,firstBlock,lastBlock',
    `1,${getAddress(addressOf(1))},member,${getAddress(root)},1,2023-11-14T22:13:20Z,2023-11-15 06:13:20,0,0,` +
      `${10n ** 30n},${10n ** 12n},0,0,exact,0,0,0x${'0'.repeat(64)},,`,
    `1,${getAddress(addressOf(2))},member,${getAddress(root)},1,2023-11-14T22:13:21Z,2023-11-15 06:13:21,0,0,0,0,0,0,exact,1,0,,,`,
    '',
  ])
})

test('behavior: every member once, in join order, and no cell is a formula', async () => {
  const members = 5_432
  const forest = createTeam(members)
  const lines = (await readText(streamCsv(() => forest, root))).split('\r\n')
  const rows = lines.slice(1, -1)
  expect(rows.map((row) => row.split(',')[1]?.toLowerCase())).toEqual(
    Array.from({ length: members }, (_, index) => addressOf(index + 1)),
  )
  for (const cell of rows.join().split(',')) expect(cell).toMatch(/^([0-9A-Za-z][0-9A-Za-z:. -]*)?$/)
})

test.each([undefined, { minTeam: 1 }])('behavior: the newest first, with the filter %j', async (filter) => {
  const forest = createTeam(1_234)
  const rowsOf = async (order: 'asc' | 'desc') =>
    (await readText(streamCsv(() => forest, root, filter, order))).split('\r\n').slice(1, -1)
  const rows = await rowsOf('desc')
  expect(rows.length).toBeGreaterThan(250)
  expect(rows).toEqual((await rowsOf('asc')).reverse())
})

test('behavior: without a downline there is only the header line', async () => {
  const forest = createTeam(3)
  expect((await readText(streamCsv(() => forest, addressOf(3)))).split('\r\n')).toHaveLength(2)
})

test('behavior: includes members who join while it is read', async () => {
  const forest = createTeam(3_000)
  const reader = streamCsv(() => forest, root).getReader()
  let text = ''
  const decoder = new TextDecoder()
  const next = async () => {
    const { done, value } = await reader.read()
    text += decoder.decode(value?.bytes)
    return !done
  }
  await next()
  forest.bind({ block: 4_000, logIndex: 0, timestamp: 1_800_000_000, member: addressOf(9_999), referrer: root })
  while (await next());
  expect(text.split('\r\n')).toHaveLength(1 + 3_001 + 1)
  expect(text.split('\r\n').at(-2)).toContain(getAddress(addressOf(9_999)))
})

test('behavior: computes nothing before it is read', async () => {
  const forest = createTeam(20_000)
  let asked = 0
  const stream = streamCsv(() => {
    asked++
    return forest
  }, root)
  const reader = stream.getReader()
  expect(asked).toBe(0)
  for (let piece = 0; piece < 5; piece++) await reader.read()
  expect(asked).toBeLessThanOrEqual(5)
  await reader.cancel()
  expect((await reader.read()).done).toBe(true)
  expect(asked).toBeLessThanOrEqual(5)
})

/** Creates a forest whose filter takes many steps: the given number of pages is empty. */
function createSlowFilter(forest: Forest, empty: number) {
  let pages = 0
  const filteredReferrals: Forest['filteredReferrals'] = (id, parameters) => {
    pages++
    if (pages > empty) return forest.filteredReferrals(id, { ...parameters, cursor: null })
    const count = { value: 0, relation: 'atLeast' } as const
    return { items: [], nextCursor: `page ${pages}`, count, undated: count }
  }
  return { slow: { ...forest, filteredReferrals }, pages: () => pages }
}

test('behavior: each part says how long it took, also the pages without a row', async () => {
  const { slow } = createSlowFilter(createTeam(300), 2)
  const spin = () => {
    const before = process.threadCpuUsage()
    while (process.threadCpuUsage(before).user < 10_000);
  }
  const busy = {
    ...slow,
    filteredReferrals: (...args: Parameters<typeof slow.filteredReferrals>) => {
      spin()
      return slow.filteredReferrals(...args)
    },
  }
  const works: number[] = []
  for await (const { work } of streamCsv(() => busy, root, { minTeam: 0 })) if (works.push(work) === 4) break
  expect(works.map((work) => work > 9)).toEqual([false, true, true, true])
})

test.each([1, 2, 7])('behavior: a filter with %i pages before the first member who passes it', async (empty) => {
  const { slow, pages } = createSlowFilter(createTeam(3), empty)
  const text = await readText(streamCsv(() => slow, root, { prefix: addressOf(2) }))
  expect(text.split('\r\n').slice(1, -1)).toEqual([expect.stringContaining(getAddress(addressOf(2)))])
  expect(pages()).toBe(empty + 1)
})

test('behavior: no page is read after the reader has gone, even while it is being read', async () => {
  const { slow, pages } = createSlowFilter(createTeam(3), 1_000)
  const reader = streamCsv(() => slow, root, { prefix: addressOf(2) }).getReader()
  await reader.read()
  await reader.read()
  const before = pages()
  const reading = reader.read()
  await reader.cancel()
  for (let turn = 0; turn < 5; turn++) await setImmediate()
  expect([(await reading).done, pages()]).toEqual([true, before])
})

test.each([
  ['is gone after a reorganisation', () => createForest()],
  ['belongs to a community that is gone', () => undefined],
])('error: breaks off when a member %s', async (_, after) => {
  let forest: ReturnType<typeof after> = createTeam(5_000)
  const reader = streamCsv(() => forest, root as Address).getReader()
  await reader.read()
  await reader.read()
  forest = after()
  await expect(reader.read()).rejects.toThrow('reorganisation')
})

const tx = numberToHex(7, { size: 32 })
const blockHash = numberToHex(8, { size: 32 })
const at = {
  logIndex: 3,
  blockHash,
  timestamp: 1_700_000_000,
  tx,
  grade: 'exact',
  between: null,
  member: root,
} as const
/** Rewards of a member, newest first, one per block. */
const rewards = (count: number): MemberEventRow[] =>
  Array.from({ length: count }, (_, index) => ({
    ...at,
    kind: 'reward',
    rank: 1,
    block: count - index,
    referrer: null,
    amount: String(10n ** 60n + BigInt(index)),
    from: index === 0 ? addressOf(1) : null,
  }))

const createReader = (rows: readonly MemberEventRow[]) => {
  const asked: (MemberEventRow | undefined)[] = []
  const readPage = async (last: MemberEventRow | undefined, limit: number) => {
    asked.push(last)
    const isListed = ({ block, rank }: MemberEventRow) =>
      !last || block < last.block || (block === last.block && rank <= last.rank)
    return rows.filter(isListed).slice(0, limit)
  }
  return { asked, readPage }
}
const eventsFormat = () => createCsvFormat(eventColumns(format.tokens), format.timeZone)
const linesOf = async (csv: ReadableStream<FilePart>) => (await readText(csv)).split('\r\n')

test('behavior: a header line, then each kind of event with its own cells', async () => {
  const forest = createForest()
  forest.bind({ block: 4, logIndex: 3, timestamp: 1, member: addressOf(1), referrer: root })
  forest.bind({ block: 5, logIndex: 3, timestamp: 1, member: addressOf(1), referrer: root })
  const bind = { ...at, rank: 0, member: addressOf(1), referrer: root, amount: null, from: null }
  const own = { ...at, kind: 'bind', rank: 0, referrer: null, amount: null, from: null } as const
  const rows: MemberEventRow[] = [
    { ...bind, kind: 'referral', block: 5 },
    { ...bind, kind: 'referral', block: 4 },
    { ...own, block: 3, grade: 'between', between: { from: 2, to: 3 } },
    { ...own, block: 2, grade: 'observed', between: { from: 1, to: 2 }, tx: null },
    ...rewards(2),
  ]
  const { readPage } = createReader(rows)
  const [one, two, zero] = [getAddress(addressOf(1)), getAddress(root), `0x${'0'.repeat(40)}`]
  const time = '2023-11-14T22:13:20Z,2023-11-15 06:13:20'
  expect(await linesOf(streamEvents(readPage, () => forest, eventsFormat()))).toEqual([
    'time,time Asia/Shanghai,kind,address,referrer,status,amount,decimal,token,from,block,logIndex,tx,grade,firstBlock,lastBlock',
    `${time},referral,${one},${two},duplicate,,,,,5,3,${tx},exact,,`,
    `${time},referral,${one},${two},bound,,,,,4,3,${tx},exact,,`,
    `,,bind,${two},${zero},bound,,,,,,3,${tx},between,2,3`,
    `,,bind,${two},${zero},bound,,,,,,,,observed,1,2`,
    `${time},reward,${two},,,${10n ** 60n},${10n ** 42n},"'=1+1",${one},2,3,${tx},exact,,`,
    `${time},reward,${two},,,${10n ** 60n + 1n},${10n ** 42n}.000000000000000001,"'=1+1",,1,3,${tx},exact,,`,
    '',
  ])
})

test.each([0, 1, 249, 250, 251, 1_234])('behavior: %i events, each once', async (count) => {
  const { readPage } = createReader(rewards(count))
  const lines = await linesOf(streamEvents(readPage, createForest, eventsFormat()))
  expect(lines.slice(1, -1).map((line) => Number(line.split(',')[10]))).toEqual(
    rewards(count).map(({ block }) => block),
  )
})

test('behavior: pages are read only when the reader continues', async () => {
  const { readPage, asked } = createReader(rewards(2_000))
  const reader = streamEvents(readPage, createForest, eventsFormat()).getReader()
  for (let piece = 0; piece < 4; piece++) await reader.read()
  expect(asked.length).toBeLessThanOrEqual(4)
  const before = asked.length
  await reader.cancel()
  expect((await reader.read()).done).toBe(true)
  expect(asked.length).toBe(before)
})

test.each([
  ['the database fails', () => Promise.reject(new Error('No connection.')), createForest],
  [
    'the community is not served any more',
    undefined,
    (): Forest => {
      throw new Error('No connection.')
    },
  ],
])('error: breaks off when %s', async (_, broken, forestThen) => {
  const { readPage } = createReader(rewards(1_000))
  let forest: () => Forest = createForest
  let read: typeof readPage = readPage
  const reader = streamEvents(
    (last, limit) => read(last, limit),
    () => forest(),
    eventsFormat(),
  ).getReader()
  await reader.read()
  await reader.read()
  forest = forestThen
  read = broken ?? readPage
  await expect(reader.read()).rejects.toThrow('No connection.')
})

test.each([
  ['replaces the last row that was sent', 1_000 - 249, 'breaks'],
  ['takes it back without another', 1_000 - 249, 'breaks', 'gone'],
  ['replaces rows that were sent, above all others', 1_000 - 248, 'goes on'],
] as const)('error: a reorganisation %s', async (_, fork, outcome, after?: 'gone') => {
  const old = rewards(1_000)
  const replaced = old.flatMap((row) =>
    row.block < fork ? row : after === 'gone' ? [] : { ...row, blockHash: numberToHex(9, { size: 32 }) },
  )
  const { readPage } = createReader(old)
  const { readPage: readLater } = createReader(replaced)
  const read: typeof readPage = (last, limit) => (last ? readLater : readPage)(last, limit)
  const reading = linesOf(streamEvents(read, createForest, eventsFormat()))
  if (outcome === 'goes on') expect(await reading).toHaveLength(1_002)
  else await expect(reading).rejects.toThrow('reorganisation')
})

const noTxs = async (binds: readonly unknown[]) => binds.map(() => null)
const streamAll = (forest: () => Forest, list: 'members' | 'roots' = 'members') =>
  streamHeld(forest, { list, format: createCsvFormat(atBlock(memberColumns(format.tokens), 7), 'UTC'), readTxs: noTxs })
const joinAt = (forest: Forest, block: number, referrer = root) =>
  forest.bind({ block, logIndex: 0, timestamp: 1_800_000_000, member: addressOf(block), referrer })

test('behavior: all members are as they were when the file began, whatever comes meanwhile', async () => {
  const forest = createTeam(1_000)
  const expected = await linesOf(streamAll(() => forest))
  const reader = streamAll(() => forest).getReader()
  const decoder = new TextDecoder()
  let text = decoder.decode((await reader.read()).value?.bytes)
  for (let block = 2_000; ; block++) {
    joinAt(forest, block, addressOf(block % 900))
    const { done, value } = await reader.read()
    if (done) break
    text += decoder.decode(value.bytes)
  }
  expect(text.split('\r\n')).toEqual(expected)
  expect(expected).toHaveLength(1_002)
  expect(expected[0]).toBe(
    'address,status,referrer,root,depth,joinedAt,joinedAt UTC,directs,team,ownVolume,"ownVolume US""D,T",teamVolume,' +
      '"teamVolume US""D,T",rewards,"rewards =1+1",grade,block,logIndex,tx,firstBlock,lastBlock,asOfBlock',
  )
  expect(expected[1]).toMatch(
    new RegExp(`^${getAddress(addressOf(1))},member,${getAddress(root)},${getAddress(root)},1,`),
  )
  expect(expected[1]).toMatch(/,7$/)
})

test('behavior: the roots of a forest, placeholders too', async () => {
  const forest = createTeam(600)
  joinAt(forest, 5_000, `0x${'0'.repeat(40)}`)
  const lines = await linesOf(streamAll(() => forest, 'roots'))
  expect(lines.slice(1, -1).map((line) => line.split(',').slice(0, 4))).toEqual([
    [getAddress(root), 'placeholder', '', getAddress(root)],
    [getAddress(addressOf(5_000)), 'member', '', getAddress(addressOf(5_000))],
  ])
})

test.each([
  ['a reorganisation replaces what was read', (forest: Forest) => forest.rollback(6_000)],
  ['the forest is loaded again', () => createTeam(1_000)],
])('error: the file of all members breaks off when %s', async (_, change) => {
  const before = createTeam(1_000)
  joinAt(before, 6_001)
  let forest = before
  const reader = streamAll(() => forest).getReader()
  for (let part = 0; part < 2; part++) await reader.read()
  forest = change(before) ?? before
  await expect(reader.read()).rejects.toThrow('too much has changed')
})

test.each(['read to its end', 'left', 'left before its first part'])(
  'behavior: nothing is kept for a file that was %s',
  async (outcome) => {
    const forest = createTeam(1_000)
    let released = 0
    const counted: Forest = {
      ...forest,
      release: (hold) => {
        released++
        forest.release(hold)
      },
    }
    const csv = streamAll(() => counted)
    if (outcome === 'read to its end') await readText(csv)
    else {
      const reader = csv.getReader()
      if (outcome === 'left') await reader.read()
      await reader.cancel()
    }
    expect(released).toBe(1)
  },
)

test('behavior: a bind that a call names has no log index, though its transaction is known', () => {
  const bind = { tx: numberToHex(1, { size: 32 }), logIndex: 2 ** 30, between: null }
  const none = { volume: undefined, reward: undefined }
  const read = (columns: { name: string; read: (row: never) => unknown }[]) =>
    columns.find(({ name }) => name === 'logIndex')?.read(bind as never)
  expect([read(eventColumns(none)), read(memberColumns(none))]).toEqual([null, null])
})
