import { expect, test } from 'vitest'
import { findParamsError } from './findParamsError.ts'

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
