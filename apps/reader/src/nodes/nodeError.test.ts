import { expect, test } from 'vitest'
import { ranOutOfGas, toErrorKind } from './nodeError.ts'

test.each([
  ['refused', 3, 'execution reverted'],
  ['refused', -32000, 'VM: revert'],
  ['refused', -32603, 'EVM error OutOfGas'],
  ['refused', -32603, 'VM Exception while processing transaction: invalid opcode'],
  ['refused', -32000, 'out of gas'],
  ['refused', -32015, 'VM execution error.'],
  ['refused', -32000, 'not in your plan'],
  ['rate_limited', 429, ''],
  ['rate_limited', -32005, '15/second request limit reached - reduce calls per second or upgrade your account'],
  ['rate_limited', -32005, "You've exceeded the RPS limit available on the current plan."],
  ['rate_limited', -32005, 'credits limited to 6000/sec'],
  ['rate_limited', -32005, 'Monthly capacity limit exceeded'],
  ['unreachable', -32603, ''],
  ['unreachable', -32000, 'no backend is currently healthy'],
  ['unsupported', -32601, ''],
  ['unsupported', -32000, 'the method eth_getLogs is not available'],
  ['unsupported', -32000, 'eth_getLogs disabled'],
  ['missing', -32000, 'history has been pruned'],
  ['missing', -32000, 'header not found'],
  ['missing', -32000, 'missing trie node'],
  ['missing', -32602, 'BlockOutOfRangeError: block height is 645 but requested was 160'],
] as const)('behavior: %s for %i "%s"', (kind, code, message) => {
  expect(toErrorKind({ code, message })).toBe(kind)
})

test.each([
  [true, 'out of gas'],
  [true, 'EVM error OutOfGas'],
  [true, 'EVM error MemoryOOG'],
  [false, 'execution reverted'],
  [false, 'execution reverted: LOOGIE'],
])('behavior: whether a call ran out of gas is %s for "%s"', (expected, message) => {
  expect(ranOutOfGas({ code: -32000, message })).toBe(expected)
})
