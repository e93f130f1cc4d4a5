import { type Hash, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { createTransactionReader } from './createTransactionReader.ts'
import { EventsReplacedError } from './eventTables.ts'

const positions = [{ block: 7, logIndex: 0 }, null, { block: 9, logIndex: 1 }]
const txs = [numberToHex(7, { size: 32 }), null, numberToHex(9, { size: 32 })]

const view = { source: 1, replaced: '' }

/** Creates a database whose queries end when the test decides. */
function setUp({ patience, rest }: { patience?: number; rest?: number } = {}) {
  const logged: string[] = []
  const asked: { answer: () => void; fail: () => void; replace: () => void }[] = []
  const read = createTransactionReader({
    tables: {
      findTxs: (_, found) =>
        new Promise<Hash[]>((resolve, reject) =>
          asked.push({
            replace: () => reject(new EventsReplacedError()),
            answer: () => resolve(found.map(({ block }) => numberToHex(block, { size: 32 }))),
            fail: () => reject(new Error('gone')),
          }),
        ),
    },
    log: (message) => logged.push(message),
    ...(patience !== undefined && { patience }),
    ...(rest !== undefined && { rest }),
  })
  return { read: () => read(view, positions), readNone: () => read(view, [null]), asked, logged }
}

test('behavior: one query for all positions, in their order', async () => {
  const { read, readNone, asked, logged } = setUp()
  const reading = read()
  asked[0]?.answer()
  expect(await reading).toEqual(txs)
  expect(await readNone()).toEqual([null])
  expect([asked.length, logged]).toEqual([1, []])
})

test('behavior: a slow database is not queried again until its query ends', async () => {
  const { read, readNone, asked, logged } = setUp({ patience: 1 })
  expect(await read()).toBeUndefined()
  expect(await read()).toBeUndefined()
  expect(await readNone()).toEqual([null])
  expect([asked.length, logged.length]).toEqual([1, 1])
  asked[0]?.answer()
  await new Promise(setImmediate)
  void read()
  expect(asked).toHaveLength(2)
})

test('behavior: a database that stays slow is queried again after a rest', async () => {
  const { read, asked } = setUp({ patience: 1, rest: 0 })
  expect(await read()).toBeUndefined()
  expect(await read()).toBeUndefined()
  expect(asked).toHaveLength(2)
  // Failures that come later are ignored.
  for (const { fail } of asked) fail()
})

test('behavior: transactions of another fork are left out', async () => {
  const { read, asked, logged } = setUp()
  const reading = read()
  asked[0]?.replace()
  expect(await reading).toBeUndefined()
  expect(logged).toEqual([])
})

test('error: a failed query is logged, and the next one is tried', async () => {
  const { read, asked, logged } = setUp()
  const reading = read()
  asked[0]?.fail()
  expect(await reading).toBeUndefined()
  expect(logged).toEqual(['Transactions cannot be read: gone'])
  const next = read()
  asked[1]?.answer()
  expect(await next).toEqual(txs)
})
