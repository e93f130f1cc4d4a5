import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  allLogs,
  type Capacity,
  createCapacity,
  findObstacle,
  isOff,
  onRangeRefused,
  onRefused,
  onServed,
  parseBlockLimit,
  turnOn,
} from './access.ts'
import { NodeError } from './nodeError.ts'
import { countBlocks } from './rpc.ts'

const max = 50_000

/** Sends requests to a node that serves up to `limit`, and returns their sizes. */
function ask(limit: number, requests: number, suggested?: number): number[] {
  let capacity: Capacity = createCapacity(5_000)
  return Array.from({ length: requests }, () => {
    const { size } = capacity
    capacity = size > limit ? onRefused(capacity, size, suggested) : onServed(capacity, size, max)
    return size
  })
}

test('property: the size of requests approaches the limit of the node, with few refusals', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60_000 }), (limit) => {
      const asked = ask(limit, 400)
      const last = asked.slice(-50).filter((size) => size <= limit)
      expect(Math.max(...last)).toBeGreaterThanOrEqual(Math.min(limit, max) * 0.75)
      expect(asked.filter((size) => size > limit).length).toBeLessThan(40)
    }),
  )
})

test('behavior: a range suggested by an error is tried at once, and dropped if it was wrong', () => {
  expect(ask(10, 2, 10)).toEqual([5_000, 10])
  // The error said "10 results".
  expect(Math.max(...ask(4_000, 40, 10).slice(-10))).toBeGreaterThan(3_000)
})

test('behavior: a request below the current size does not change the size', () => {
  const capacity = createCapacity(100)
  expect(onServed(capacity, 99, max)).toBe(capacity)
})

test('behavior: a late refusal of a wide request does not widen', () => {
  expect(onRefused({ ...createCapacity(10), refused: 20, served: 3 }, 1_000)).toMatchObject({ size: 10, refused: 20 })
})

const range = (fromBlock: number, toBlock: number) => ({ fromBlock, toBlock })
const refused = (message: string) => new NodeError('refused', message)

test('behavior: off for ten seconds after even two blocks were refused', () => {
  const { logs, limit } = onRangeRefused(allLogs, range(1, 2), refused('max is 1 block'), 1_000)
  expect(limit).toBeUndefined()
  expect([isOff(logs, 1_000), isOff(logs, 10_999), isOff(logs, 11_000)]).toEqual([true, true, false])
  expect(turnOn(logs)).toEqual(allLogs)
})

test('behavior: off when the method is not offered, whatever the range', () => {
  const { logs } = onRangeRefused(allLogs, range(1, 500), new NodeError('unsupported', 'max is 10 blocks'), 0)
  expect(logs.availability.status).toBe('off')
})

test('behavior: unchanged when the error names no limit', () => {
  expect(onRangeRefused(allLogs, range(1, 500), refused('no'), 0)).toEqual({ logs: allLogs, limit: undefined })
})

test('behavior: blocks before the first one kept are pruned', () => {
  const logs = { ...allLogs, firstBlock: 100 }
  expect(findObstacle(logs, range(99, 200))).toBe('pruned')
  expect(findObstacle(logs, range(100, 200))).toBeUndefined()
})

test('property: after a limit was named, exactly the ranges of at most so many blocks are served', () => {
  const limits = fc.integer({ min: 2, max: 10_000 })
  fc.assert(
    fc.property(limits, fc.nat(20_000), fc.nat(1_000_000), (limit, extra, fromBlock) => {
      const requested = range(fromBlock, fromBlock + limit + extra)
      const { logs } = onRangeRefused(allLogs, requested, refused(`max is ${limit} blocks`), 0)
      expect(logs.width.size).toBe(limit)
      expect(findObstacle(logs, requested)).toBe('too_wide')
      const allowed = range(fromBlock, fromBlock + limit - 1)
      expect(countBlocks(allowed)).toBe(limit)
      expect(findObstacle(logs, allowed)).toBeUndefined()
    }),
  )
})

test.each([
  ['requested too many blocks from 100 to 599, maximum is set to 100', 500, 100],
  [
    'You can make eth_getLogs requests with up to a 10 block range. this block range should work: [0x64, 0x6d]',
    500,
    10,
  ],
  ['eth_getLogs is limited to a 10,000 range', 20_000, 10_000],
  ['eth_getLogs range is too large, max is 1k blocks', 5_000, 1_000],
  ['exceed maximum block range: 5000', 50_000, 5_000],
  ['exceeds the range allowed for your plan (5000 > 1000)', 5_000, 1_000],
  ['query exceeds max block range 2000', 2_001, 2_000],
  ['maximum [from, to] blocks distance: 200', 500, 200],
  ['ranges over 10000 blocks are not supported on freetier', 20_000, 10_000],
  ['Maximum allowed number of requested blocks is 3500', 5_000, 3_500],
])('behavior: %s', (message, span, range) => {
  expect(parseBlockLimit(message, span)).toBe(range)
})

test.each([
  ['query returned more than 10000 results', 20_000],
  ['logs matched by query exceeds limit of 10000', 20_000],
  ['response size should not greater than 10000000 bytes', 20_000_000],
  ['limit exceeded', 500],
  ['max is 100 blocks', 50],
  ['', 500],
])('behavior: no number of blocks in "%s" of %i', (message, span) => {
  expect(parseBlockLimit(message, span)).toBeUndefined()
})

test('property: any message gives at least two blocks, and fewer than requested', () => {
  const word = fc.constantFrom('max', 'limit', '> ', '10', ',000', '5k', '[0x1,0xff]', ' ', 'range', 'blocks', '.')
  const words = fc.array(fc.oneof(word, fc.string()), { maxLength: 12 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 100_000 }), (message, span) => {
      const range = parseBlockLimit(message, span) ?? 2
      expect(Number.isInteger(range) && range >= 2 && (range < span || range === 2)).toBe(true)
    }),
    { numRuns: 1_000 },
  )
})
