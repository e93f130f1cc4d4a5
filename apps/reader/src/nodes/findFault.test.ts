import * as fc from 'fast-check'
import { getAddress, hexToBigInt, isHash, isHex, numberToHex, size } from 'viem'
import { describe, expect, test } from 'vitest'
import { blockAt, hashAt, logAt } from '../../test/blocks.ts'
import { findFault } from './findFault.ts'
import type { RpcRequest } from './rpc.ts'

const logs = { method: 'eth_getLogs', params: [{ fromBlock: '0x1', toBlock: '0x9' }] }
const logsByHash = { method: 'eth_getLogs', params: [{ blockHash: hashAt(4) }] }
const logsByTopic = { method: 'eth_getLogs', params: [{ fromBlock: '0x1', toBlock: '0x9', topics: [[hashAt(1)]] }] }
const block = { method: 'eth_getBlockByNumber', params: ['0x4', true] }
const latest = { method: 'eth_getBlockByNumber', params: ['latest', true] }
const newest = { method: 'eth_blockNumber', params: [] }
const call = { method: 'eth_call', params: [] }

test.each<[title: string, rpc: RpcRequest, result: unknown, fault: string | undefined]>([
  ['logs', logs, [logAt(4), logAt(4, 1), logAt(5)], undefined],
  ['logs by hash', logsByHash, [logAt(4)], undefined],
  ['no logs', logs, [], undefined],
  ['an address with a checksum', logs, [logAt(4, 0, { address: getAddress(logAt(4).address) })], undefined],
  ['logs as null', logs, null, 'it returned logs that are not a list'],
  ['a log as null', logs, [null], 'it returned a log that is not an object'],
  ['a log as a list', logs, [[]], 'it returned a log that is not an object'],
  ['a log without a block', logs, [logAt(4, 0, { blockHash: null })], 'it returned a log with an invalid blockHash'],
  ['a log twice', logs, [logAt(4), logAt(4)], 'it returned duplicate logs'],
  ['a log below the range', logs, [logAt(0)], 'it returned logs of another block than requested'],
  ['a log above the range', logs, [logAt(10)], 'it returned logs of another block than requested'],
  ['a log of another hash', logsByHash, [logAt(5)], 'it returned logs of another block than requested'],
  ['a log without topics', logs, [logAt(4, 0, { topics: [] })], undefined],
  [
    'a log without topics among logs of a topic',
    logsByTopic,
    [logAt(4, 0, { topics: [] })],
    'it returned a log without topics',
  ],
  ['a block', block, blockAt(4), undefined],
  ['the newest block', latest, blockAt(100), undefined],
  ['a block as null', block, null, undefined],
  ['the newest block as null', latest, null, 'it returned no newest block'],
  ['a block as a text', block, 'block', 'it returned a block that is not an object'],
  ['another block', block, blockAt(5), 'it returned another block than requested'],
  ['the newest number', newest, '0x64', undefined],
  ['the newest number as a number', newest, 100, 'it returned a newest block that is not a number'],
  ['a call', call, '0x', undefined],
  ['a call as an object', call, {}, 'it returned the result of a call that is not hexadecimal'],
  ['any other method', { method: 'eth_getCode', params: [] }, 'anything', undefined],
])('behavior: %s', (_, rpc, result, fault) => {
  expect(findFault(rpc, result)).toBe(fault)
})

describe('fields', () => {
  const text = 'ab'.repeat(32)

  test.each([
    ['topics', Array(5).fill(hashAt(1))],
    ['topics', ['0x01']],
    ['topics', [`0x${text.toUpperCase()}`]],
    ['topics', { length: 0 }],
    ['data', '0x1'],
    ['data', '0xzz'],
    ['data', undefined],
    ['data', '0x00\n'],
    ['address', `0x${'c0'.repeat(32)}`],
    ['blockHash', `0x${text}00`],
    ['transactionHash', text],
    ['logIndex', '0x80000000'],
    ['logIndex', '0x'],
    ['transactionIndex', 1],
    ['blockNumber', '0xfffffffffffffff'],
    ['removed', true],
  ])('behavior: a log whose %s is %j', (field, value) => {
    expect(findFault(logs, [logAt(3), logAt(4, 0, { [field]: value })])).toBe(
      `it returned a log with an invalid ${field}`,
    )
  })

  test.each([
    ['number', '4'],
    ['hash', null],
    ['parentHash', '0x'],
    ['timestamp', 1_700_000_000],
    ['timestamp', numberToHex(2 ** 32 - 1)],
    ['number', numberToHex(2 ** 32 - 1)],
    ['logsBloom', '0x00'],
    ['logsBloom', undefined],
  ])('behavior: a block whose %s is %j', (field, value) => {
    expect(findFault(latest, blockAt(4, { [field]: value }))).toBe(`it returned a block with an invalid ${field}`)
  })

  test('behavior: data of 32 MB', () => {
    expect(findFault(logs, [logAt(4, 0, { data: `0x${'00'.repeat(16_000_000)}` })])).toBeUndefined()
  })
})

describe('any value in the place of a field', () => {
  /** Generates malformed values of all kinds, and some that are valid or nearly valid. */
  const value = fc.oneof(
    fc.jsonValue(),
    fc.nat({ max: 2 ** 40 }).map((number) => numberToHex(number)),
    fc.bigInt({ min: 0n, max: 2n ** 256n }).map((number) => numberToHex(number)),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
    fc
      .constantFrom(20, 32, 256)
      .chain((length) =>
        fc
          .string({ unit: fc.constantFrom(...'0123456789abcdefABx'), minLength: 2 * length, maxLength: 2 * length })
          .map((digits) => `0x${digits}`),
      ),
    fc.array(fc.constantFrom(hashAt(1), hashAt(2), '0x', null), { maxLength: 6 }),
    fc.boolean(),
  )

  // Written with viem's functions, independent of the tested code.
  const bytes = (length?: number) => (it: unknown) =>
    isHex(it) && it === it.toLowerCase() && it.length % 2 === 0 && (length === undefined || size(it) === length)
  const hash = (it: unknown) => typeof it === 'string' && it === it.toLowerCase() && isHash(it)
  const upTo = (most: number) => (it: unknown) => {
    if (!isHex(it) || it.length < 3 || it.length > 15) return false
    return hexToBigInt(it) <= BigInt(most)
  }
  const position = upTo(2_147_483_647)
  const isValid: Record<string, (it: unknown) => boolean> = {
    ...{ blockHash: hash, transactionHash: hash, hash, parentHash: hash },
    ...{ logIndex: position, transactionIndex: position, logsBloom: bytes(256), data: bytes() },
    ...{
      number: upTo(2 ** 32 - 2),
      blockNumber: (it) => upTo(9)(it) && Number(it) !== 0,
      timestamp: upTo(2 ** 32 - 2),
    },
    address: (it) => isHex(it) && size(it) === 20 && it.length === 42,
    topics: (it) => Array.isArray(it) && it.length < 5 && it.every(hash),
    removed: (it) => it === false || it === null,
  }

  const holds = (rpc: RpcRequest, make: (changes: object) => unknown, field: string) =>
    fc.assert(
      fc.property(value, (it) => {
        expect(findFault(rpc, make({ [field]: it })) === undefined).toBe(isValid[field]?.(it))
      }),
      { numRuns: 500 },
    )

  test.each(Object.keys(logAt(4)))('property: the %s of a log is valid, or a fault', (field) => {
    holds(logs, (changes) => [logAt(4, 0, changes)], field)
  })

  test.each(Object.keys(blockAt(4)))('property: the %s of a block is valid, or a fault', (field) => {
    holds(latest, (changes) => blockAt(4, changes), field)
  })

  test('property: any result is without a fault or has one, and nothing is thrown', () => {
    const anything = fc.oneof(
      fc.jsonValue(),
      fc.array(fc.record({ ...mapValues(logAt(4), value) }, { requiredKeys: [] })),
    )
    const requests = fc.constantFrom<RpcRequest>(logs, logsByHash, block, latest, newest, call)
    fc.assert(
      fc.property(requests, anything, (rpc, result) => {
        expect(['string', 'undefined']).toContain(typeof findFault(rpc, result))
      }),
    )
  })
})

const mapValues = <value>(object: object, value: value) =>
  Object.fromEntries(Object.keys(object).map((key) => [key, value]))
