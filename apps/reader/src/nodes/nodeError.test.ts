import { expect, test } from 'vitest'
import { describeRpcError, ranOutOfGas, toErrorKind } from './nodeError.ts'

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
  ['rate_limited', -32005, 'project ID request rate exceeded'],
  ['rate_limited', 15, 'Too many request, try again later'],
  ['rate_limited', -32000, 'limit on the number of requests has been exceeded'],
  ['rate_limited', -32005, 'Exceeded, please slow down'],
  ['unreachable', -32603, ''],
  ['unreachable', -32000, 'no backend is currently healthy'],
  ['unsupported', -32601, ''],
  ['unsupported', -32000, 'the method eth_getLogs is not available'],
  ['unsupported', -32000, 'eth_getLogs disabled'],
  ['missing', -32000, 'history has been pruned'],
  ['missing', -32000, 'header not found'],
  ['missing', -32000, 'missing trie node'],
  ['missing', -32000, 'header for hash not found'],
  ['missing', -32000, 'required historical state unavailable (reexec=128)'],
  ['missing', -32000, 'World state unavailable'],
  ['missing', -32000, 'historical state not available in path scheme yet'],
  ['missing', -32602, 'receipts for block 14319330 are unavailable'],
  ['missing', -32001, 'Block 0x1234 could not be found'],
  ['missing', -32001, 'Cannot find header for block 123'],
  ['missing', -32000, 'block 0x12 not found'],
  ['missing', -32014, 'Missing data'],
  ['missing', -32000, 'failed to get logs for block #1 (0xd4e567..cb8fa3)'],
  ['missing', -32000, 'log index is not yet indexed'],
  ['missing', -32000, 'invalid block range params'],
  ['refused', -32602, 'invalid block range: at most 1000 blocks'],
  ['refused', -32602, 'Invalid block range'],
  ['refused', -32000, 'failed to get logs: query timeout exceeded'],
  ['refused', -32000, 'Too many requested blocks'],
  ['refused', -32005, 'Number of requests in batch exceeds max batch size'],
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

test.each([
  ['App is inactive', 'it asks for a key or another plan'],
  ['The account is suspended, please contact support', 'it asks for a key or another plan'],
  ['Payment required', 'it asks for a key or another plan'],
  ['Balance exceeded', 'its quota is used up'],
  ['Too many request, try again later', 'too many requests'],
  ['Please specify an address in your request', 'it serves logs by address only'],
])('behavior: "%s" means: %s', (message, meaning) => {
  expect(describeRpcError({ code: -32000, message })).toBe(`JSON-RPC error -32000, ${meaning}`)
})

test('behavior: a query with too many logs is no sign of too many requests', () => {
  const error = { code: -32000, message: 'query returns too many logs, narrow your filter: 20000' }
  expect([toErrorKind(error), describeRpcError(error)]).toEqual(['refused', 'JSON-RPC error -32000'])
})
