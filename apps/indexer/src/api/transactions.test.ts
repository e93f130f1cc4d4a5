import { type Hash, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { createTransactions } from './transactions.ts'

const positions = [{ block: 7, logIndex: 0 }, null, { block: 9, logIndex: 1 }]
const txs = [numberToHex(7, { size: 32 }), null, numberToHex(9, { size: 32 })]

/** A database that answers when it is told to. */
function setUp({ patience, rest }: { patience?: number; rest?: number } = {}) {
  const logged: string[] = []
  const asked: { answer: () => void; fail: () => void }[] = []
  const read = createTransactions({
    tables: {
      findTxs: (_, found) =>
        new Promise<Hash[]>((resolve, reject) =>
          asked.push({
            answer: () => resolve(found.map(({ block }) => numberToHex(block, { size: 32 }))),
            fail: () => reject(new Error('gone')),
          }),
        ),
    },
    log: (message) => logged.push(message),
    ...(patience !== undefined && { patience }),
    ...(rest !== undefined && { rest }),
  })
  return { read: () => read('demo', positions), readNone: () => read('demo', [null]), asked, logged }
}

test('behavior: one statement for all, each at its place', async () => {
  const { read, readNone, asked, logged } = setUp()
  const reading = read()
  asked[0]?.answer()
  expect(await reading).toEqual(txs)
  expect(await readNone()).toEqual([null])
  expect([asked.length, logged]).toEqual([1, []])
})

test('behavior: a silent database holds nobody up, is not asked again at once, and is heard when it is back', async () => {
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

test('behavior: one that stays silent is asked again after a rest', async () => {
  const { read, asked } = setUp({ patience: 1, rest: 0 })
  expect(await read()).toBeUndefined()
  expect(await read()).toBeUndefined()
  expect(asked).toHaveLength(2)
  // What becomes of them later troubles nobody.
  for (const { fail } of asked) fail()
})

test('error: a failed statement is told, and the next one is tried', async () => {
  const { read, asked, logged } = setUp()
  const reading = read()
  asked[0]?.fail()
  expect(await reading).toBeUndefined()
  expect(logged).toEqual(['A transaction cannot be read: gone'])
  const next = read()
  asked[1]?.answer()
  expect(await next).toEqual(txs)
})
