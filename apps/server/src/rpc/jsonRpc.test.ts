import { expect, test } from 'vitest'
import { findParamsError, toPlainError } from './jsonRpc.ts'

const to = `0x${'12'.repeat(20)}`

test.each<[string, string, unknown]>([
  ['a call', 'eth_call', [{ to, data: '0x' }, 'latest']],
  ['a call without a block', 'eth_call', [{ to }]],
  ['empty overrides', 'eth_call', [{ to }, 'latest', null]],
  ['gas at the limit', 'eth_estimateGas', [{ to, gas: '0x2faf080' }, 'latest']],
  ['topics of logs', 'eth_getLogs', [{ address: [to], topics: [[`0x${'1'.repeat(64)}`], null] }]],
  ['another method with many params', 'eth_feeHistory', ['0x4', 'latest', [1], [2]]],
])('behavior: %s is allowed', (_, method, params) => {
  expect(findParamsError({ method, params })).toBeUndefined()
})

test.each<[string, string, unknown]>([
  ['state overrides', 'eth_call', [{ to }, 'latest', { [to]: { code: '0x5b5956' } }]],
  ['empty state overrides', 'eth_call', [{ to }, 'latest', {}]],
  ['block overrides', 'eth_estimateGas', [{ to }, 'latest', null, { gasLimit: '0xffffffff' }]],
  ['gas above the limit', 'eth_call', [{ to, gas: '0x2faf081' }, 'latest']],
  ['gas above the limit as a number', 'eth_call', [{ to, gas: 50_000_001 }, 'latest']],
  ['gas under its other name', 'eth_call', [{ to, gasLimit: '0xffffffffff' }, 'latest']],
  ['gas that is not a number', 'eth_call', [{ to, gas: {} }, 'latest']],
  ['gas of a thousand digits', 'eth_call', [{ to, gas: `0x${'f'.repeat(1000)}` }, 'latest']],
  ['params that are nested deep', 'eth_getLogs', JSON.parse(`${'['.repeat(15_000)}${']'.repeat(15_000)}`)],
  ['params by name', 'eth_call', { transaction: { to, gas: '0xffffffffff' } }],
])('error: %s', (_, method, params) => {
  expect(findParamsError({ method, params })).toMatch(/^[A-Z].*\.$/)
})

test.each([
  [
    { code: 3, message: 'execution reverted: no', data: '0x08c379a0' },
    { code: 3, message: 'execution reverted', data: '0x08c379a0' },
  ],
  [
    { code: -32000, message: 'execution reverted' },
    { code: 3, message: 'execution reverted' },
  ],
  [
    { code: -32000, message: 'insufficient funds for gas: balance of key k3y' },
    { code: -32000, message: 'insufficient funds' },
  ],
  [
    { code: -32602, message: 'https://me:pass@node/k3y' },
    { code: -32602, message: 'The node refused the params.' },
  ],
  [
    { code: -32603, message: 'k3y reverted' },
    { code: -32603, message: 'The node failed. Try again later.' },
  ],
  [
    { code: -39_999, message: 'plan k3y is used up' },
    { code: -32000, message: 'The node refused the call.' },
  ],
  [
    { code: 3, data: 'k3y', message: {} },
    { code: 3, message: 'execution reverted' },
  ],
  [
    { code: -32000, message: 'k3y', data: '0x12' },
    { code: -32000, message: 'The node refused the call.' },
  ],
])('%j becomes %j', (error, plain) => expect(toPlainError(error)).toEqual(plain))
