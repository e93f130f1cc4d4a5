import { expect, test } from 'vitest'
import { findFault } from './findFault.ts'

const logs = { method: 'eth_getLogs', params: [{ fromBlock: '0x1', toBlock: '0x9' }] }
const block = { method: 'eth_getBlockByNumber', params: ['0x4', true] }
const latest = { method: 'eth_getBlockByNumber', params: ['latest', true] }
const log = { blockHash: '0x4', logIndex: '0x0' }

test.each<[title: string, rpc: typeof logs | typeof block, result: unknown, fault: string | undefined]>([
  ['logs', logs, [log, { ...log, logIndex: '0x1' }], undefined],
  ['no logs', logs, [], undefined],
  ['logs as null', logs, null, 'it returned logs that are not a list'],
  ['a log as null', logs, [null], 'it returned logs without a block hash'],
  ['a log without a block', logs, [{ logIndex: '0x0' }], 'it returned logs without a block hash'],
  ['a log twice', logs, [log, { ...log }], 'it returned duplicate logs'],
  ['a block', block, { number: '0x4', hash: '0x' }, undefined],
  ['the newest block', latest, { number: '0x64', hash: '0x' }, undefined],
  ['a block as null', block, null, undefined],
  ['a block without a hash', block, { number: '0x4' }, 'it returned a block without a number or a hash'],
  ['a block without a number', block, { hash: '0x' }, 'it returned a block without a number or a hash'],
  ['another block', block, { number: '0x5', hash: '0x' }, 'it returned another block than requested'],
  ['any other method', { method: 'eth_call', params: [] }, 'anything', undefined],
])('behavior: %s', (_, rpc, result, fault) => {
  expect(findFault(rpc, result)).toBe(fault)
})
