import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { NodeError } from '../rpc/NodeError.ts'
import { countBlocks } from '../rpc/rpcRequest.ts'
import { allLogs, findObstacle, isOff, onRangeRefused, turnOn } from './logAccess.ts'

const range = (fromBlock: number, toBlock: number) => ({ fromBlock, toBlock })
const refused = (message: string) => new NodeError('refused', message)

test('behavior: off for a minute after even two blocks were refused', () => {
  const { logs, limit } = onRangeRefused(allLogs, range(1, 2), refused('max is 1 block'), 1_000)
  expect(limit).toBeUndefined()
  expect([isOff(logs, 1_000), isOff(logs, 60_999), isOff(logs, 61_000)]).toEqual([true, true, false])
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
      expect(logs.maxBlocks).toBe(limit)
      expect(findObstacle(logs, requested)).toBe('too_wide')
      const allowed = range(fromBlock, fromBlock + limit - 1)
      expect(countBlocks(allowed)).toBe(limit)
      expect(findObstacle(logs, allowed)).toBeUndefined()
    }),
  )
})
