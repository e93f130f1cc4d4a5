import { createForest, type Forest } from '@lineage/forest'
import { getAddress, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { rowsPerPage, streamEvents } from './csv.ts'
import type { MemberEventPosition, MemberEventRow } from './eventTables.ts'

const addressOf = (index: number) => numberToHex(index + 0xabcdef, { size: 20 })
const member = addressOf(0)
const tx = numberToHex(7, { size: 32 })
const blockHash = numberToHex(8, { size: 32 })
const at = { logIndex: 3, blockHash, timestamp: 1_700_000_000, tx, member }
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
  const asked: MemberEventPosition[] = []
  const readPage = async (before: MemberEventPosition, limit: number) => {
    asked.push(before)
    return rows
      .filter(({ block, rank }) => block < before.block || (block === before.block && rank < before.rank))
      .slice(0, limit)
  }
  return { asked, readPage, first: rows.slice(0, rowsPerPage) }
}
const linesOf = async (stream: ReadableStream<Uint8Array>) => (await new Response(stream).text()).split('\r\n')

test('behavior: a header line, then each kind of event with its own cells', async () => {
  const forest = createForest()
  forest.bind({ block: 4, logIndex: 3, timestamp: 1, member: addressOf(1), referrer: member })
  forest.bind({ block: 5, logIndex: 3, timestamp: 1, member: addressOf(1), referrer: member })
  const bind = { ...at, rank: 0, member: addressOf(1), referrer: member, amount: null, from: null }
  const rows: MemberEventRow[] = [
    { ...bind, kind: 'referral', block: 5 },
    { ...bind, kind: 'referral', block: 4 },
    { ...at, kind: 'bind', rank: 0, block: 3, referrer: null, amount: null, from: null },
    ...rewards(2),
  ]
  const { first, readPage } = createReader(rows)
  const [one, two, zero] = [getAddress(addressOf(1)), getAddress(member), `0x${'0'.repeat(40)}`]
  const time = '2023-11-14T22:13:20Z'
  expect(await linesOf(streamEvents(first, readPage, () => forest))).toEqual([
    'time,kind,address,referrer,status,amount,from,block,logIndex,tx',
    `${time},referral,${one},${two},duplicate,,,5,3,${tx}`,
    `${time},referral,${one},${two},bound,,,4,3,${tx}`,
    `${time},bind,${two},${zero},bound,,,3,3,${tx}`,
    `${time},reward,${two},,,${10n ** 60n},${one},2,3,${tx}`,
    `${time},reward,${two},,,${10n ** 60n + 1n},,1,3,${tx}`,
    '',
  ])
})

test.each([0, 1, 249, 250, 251, 1_234])('behavior: %i events, each once', async (count) => {
  const { first, readPage } = createReader(rewards(count))
  const lines = await linesOf(streamEvents(first, readPage, createForest))
  expect(lines.slice(1, -1).map((line) => Number(line.split(',')[7]))).toEqual(rewards(count).map(({ block }) => block))
})

test('behavior: pages are read only when the reader continues', async () => {
  const { first, readPage, asked } = createReader(rewards(2_000))
  const reader = streamEvents(first, readPage, createForest).getReader()
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
  const { first, readPage } = createReader(rewards(1_000))
  let forest: () => Forest = createForest
  let read: typeof readPage = readPage
  const reader = streamEvents(
    first,
    (before, limit) => read(before, limit),
    () => forest(),
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
  const { first } = createReader(old)
  const reading = linesOf(streamEvents(first, createReader(replaced).readPage, createForest))
  if (outcome === 'goes on') expect(await reading).toHaveLength(1_002)
  else await expect(reading).rejects.toThrow('reorganisation')
})
