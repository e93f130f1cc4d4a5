import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createChainHead } from './chainHead.ts'
import { finality } from './rpc.ts'

const block = (number: number, fork = '', parentFork = fork) => ({
  number: `0x${number.toString(16)}`,
  hash: `${number}${fork}`,
  parentHash: `${number - 1}${parentFork}`,
})

test('behavior: a known block below the head lags, and an unknown one belongs to a reorganised chain', () => {
  const head = createChainHead()
  head.remember(block(98))
  head.setHead(block(100), 0)
  expect(head.isLagging(block(98))).toBe(true)
  expect(head.lagOf(block(98))).toBe(2)
  expect(head.isLagging(block(98, 'b'))).toBe(false)
  expect(head.isLagging(block(101))).toBe(false)
})

test('behavior: a block further back than finality lags, whatever its hash', () => {
  const head = createChainHead()
  head.setHead(block(100), 0)
  expect(head.isLagging(block(100 - finality, 'b'))).toBe(false)
  expect(head.isLagging(block(99 - finality, 'b'))).toBe(true)
})

test('behavior: a block below the lowest head lags before any head is known', () => {
  const head = createChainHead(50)
  expect(head.number).toBe(50)
  expect([head.isLagging(block(49)), head.isLagging(block(50))]).toEqual([true, false])
})

test('behavior: known blocks and their children are connected', () => {
  const head = createChainHead()
  head.remember(block(100))
  expect(head.isConnected(block(100))).toBe(true)
  expect(head.isConnected(block(101))).toBe(true)
  expect([block(100, 'b'), block(101, '', 'b'), block(102), '0x64', null].map(head.isConnected)).not.toContain(true)
})

test('behavior: a reorganisation forgets the blocks above', () => {
  const head = createChainHead()
  head.remember(block(99))
  head.setHead(block(100), 0)
  head.setHead(block(98, 'b'), 0)
  expect(head.number).toBe(98)
  expect([block(99), block(100)].map(head.isConnected)).toEqual([false, false])
})

test('property: a head is only replaced by a higher one or one of another fork, at most 30 blocks lower', () => {
  const offered = fc.tuple(fc.integer({ min: 1, max: 80 }), fc.constantFrom('', 'b', 'c'))
  fc.assert(
    fc.property(fc.array(offered, { maxLength: 60 }), (offers) => {
      const head = createChainHead()
      for (const [number, fork] of offers) {
        const before = head.number
        if (head.isLagging(block(number, fork))) continue
        head.setHead(block(number, fork), 0)
        expect(head.number).toBe(number)
        expect(number).toBeGreaterThanOrEqual(before - finality)
        expect(head.isLagging(block(number, fork))).toBe(false)
      }
    }),
  )
})

test.each([null, 'x', {}, { number: '0x1' }, { number: 1, hash: '0x' }])('behavior: %j is no block', (value) => {
  const head = createChainHead()
  head.remember(value)
  head.setHead(value, 0)
  expect([head.number, head.isLagging(value), head.isConnected(value)]).toEqual([0, false, false])
})

test('behavior: blocks that are read up to the head stay connected, and those far below are not remembered', () => {
  const head = createChainHead()
  head.setHead(block(10_000), 0)
  for (let number = 8_744; number < 10_000; number++) {
    head.remember(block(number))
    expect(head.isConnected(block(number + 1))).toBe(true)
  }
  expect(head.isLagging(block(10_000))).toBe(false)
  head.remember(block(8_000))
  expect(head.isConnected(block(8_000))).toBe(false)
})

test('behavior: a higher head forgets the blocks far below', () => {
  const head = createChainHead()
  head.setHead(block(100), 0)
  head.setHead(block(10_000), 0)
  expect([block(100), block(10_000)].map(head.isConnected)).toEqual([false, true])
})

test('behavior: a head far above the last one is a leap, unless enough time has passed', () => {
  const head = createChainHead()
  expect(head.isFarAhead(5_000_000, 0)).toBe(false)
  expect(head.isFarAhead(5_000_000, 0, { number: 100, setAt: 0 })).toBe(true)
  head.setHead(block(100), 10_000)
  head.setHead(block(100), 9_000_000)
  expect([1_100, 1_101].map((number) => head.isFarAhead(number, 10_000))).toEqual([false, true])
  expect([2_100, 2_101].map((number) => head.isFarAhead(number, 110_000))).toEqual([false, true])
})
