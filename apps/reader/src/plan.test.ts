import * as fc from 'fast-check'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { hashAt } from '../test/blocks.ts'
import type { Header } from './nodes/rpc.ts'
import { planStep } from './plan.ts'

/** Returns the headers of a chain; those from `forkedAt` on are of another fork. */
const chainOf = (from: number, to: number, forkedAt = Number.POSITIVE_INFINITY, fork = 'b'): Header[] =>
  Array.from({ length: to - from + 1 }, (_, index) => {
    const number = from + index
    const hash = (at: number): Hex => hashAt(at, at >= forkedAt ? fork : '')
    return { number, hash: hash(number), parent: hash(number - 1), time: 1_000 + number, bloom: '0x' }
  })
const known = chainOf(70, 100)

test.each([
  ['the newest block is known', chainOf(100, 100), { action: 'wait' }],
  ['a node lags', chainOf(90, 95), { action: 'wait' }],
  ['a block follows', chainOf(101, 101), { action: 'store', fork: 101, headers: chainOf(101, 101) }],
  ['some of the blocks are known', chainOf(99, 102), { action: 'store', fork: 101, headers: chainOf(101, 102) }],
  ['a block of another fork follows', chainOf(101, 101, 100), { action: 'request', number: 100 }],
  ['a lower block of another fork is the newest', chainOf(98, 98, 98), { action: 'store', fork: 98 }],
  ['a fork begins within the known blocks', chainOf(97, 103, 99), { action: 'store', fork: 99 }],
  ['a fork begins at the lowest block', chainOf(71, 72, 71), { action: 'store', fork: 71 }],
  ['a fork begins below the lowest block', chainOf(71, 72, 60), { action: 'refuse', block: 70 }],
  [
    'the chain has a gap',
    [...chainOf(101, 102), ...chainOf(104, 104)],
    { action: 'store', headers: chainOf(101, 102) },
  ],
  ['a header is of another fork', [...chainOf(101, 102), ...chainOf(103, 103, 102)], { headers: chainOf(101, 102) }],
])('behavior: %s', (_, chain, expected) => {
  expect(planStep({ known, lowest: 71, chain })).toMatchObject(expected)
})

test('behavior: the first block needs no known one', () => {
  expect(planStep({ known: [], lowest: 5, chain: chainOf(5, 6) })).toMatchObject({ action: 'store', fork: 5 })
  expect(planStep({ known: [], lowest: 5, chain: chainOf(6, 6) })).toEqual({ action: 'request', number: 5 })
})

test('behavior: a block that is older than its parent is not stored', () => {
  const [first, second] = chainOf(101, 102) as [Header, Header]
  expect(planStep({ known, lowest: 71, chain: [{ ...first, time: 900 }] })).toEqual({ action: 'request', number: 100 })
  const chain = [first, { ...second, time: first.time - 1 }]
  expect(planStep({ known, lowest: 71, chain })).toMatchObject({ action: 'store', headers: [first] })
})

test('behavior: a stored block with another time is replaced', () => {
  const [last] = known.slice(-1) as [Header]
  const late = [...known.slice(0, -1), { ...last, time: 9_999 }]
  expect(planStep({ known: late, lowest: 71, chain: chainOf(100, 101) })).toMatchObject({
    action: 'store',
    fork: 100,
    headers: chainOf(100, 101),
  })
})

test('property: whatever a node serves, the stored chain stays linked, and becomes that of the node', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ depth: fc.nat(28), length: fc.integer({ min: 1, max: 40 }) })), (reorgs) => {
      let chain = chainOf(1, 60)
      let stored: readonly Header[] = chain.slice(20)
      const lowest = 22
      for (const [index, { depth, length }] of reorgs.entries()) {
        const tip = chain.at(-1) as Header
        const fork = Math.max(tip.number - depth, lowest)
        const parts = chainOf(fork, fork + length, fork, `fork ${index}`)
        chain = [...chain.filter(({ number }) => number < fork), ...parts]
        const [first] = parts as [Header]
        chain[chain.indexOf(first)] = { ...first, parent: chain.find(({ number }) => number === fork - 1)?.hash as Hex }
        const asked = chain.slice(-1)
        for (let plan = planStep({ known: stored, lowest, chain: asked }); ; ) {
          if (plan.action === 'store')
            stored = [...stored.filter(({ number }) => number < (plan as { fork: number }).fork), ...plan.headers]
          if (plan.action !== 'request') break
          const { number } = plan
          asked.unshift(chain.find((header) => header.number === number) as Header)
          plan = planStep({ known: stored, lowest, chain: asked })
        }
        expect(stored).toEqual(chain.slice(20))
      }
    }),
  )
})
