import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTrap } from '../../../test/hostileObjects.ts'
import { isUnsupportedMethod } from './isUnsupportedMethod.ts'

const method = 'wallet_sendCalls'
const isUnsupported = (code: unknown, message: string, more: object = {}) =>
  isUnsupportedMethod({ ...(code !== undefined && { code }), message, ...more }, method)

// Codes that say nothing. -32000: clients of the relay answer with it when a wallet gives them only a text.
const vague = [undefined, -32603, -32000]

describe('unsupported', () => {
  test.each([-32601, '-32601', -32004, 4200, 1001, 5101, 10001])('the code %s', (code) => {
    expect(isUnsupported(code, 'x')).toBe(true)
    expect(isUnsupported(-32603, 'Internal JSON-RPC error.', { data: { code, message: 'x' } })).toBe(true)
  })

  test.each([
    // Nodes, and wallets that pass their answer on.
    'the method wallet_sendCalls does not exist/is not available',
    'The method "wallet_sendCalls" does not exist / is not available.',
    'the method does not exist / is not available',
    'Method not found',
    'Method not supported',
    'Method not supported.',
    'method not found: wallet_sendCalls',
    "Method 'wallet_sendCalls' not found",
    'Method [wallet_sendCalls] is not supported',
    'RPC method not found',
    'rpc method is unsupported',
    'Error: Method not implemented',
    // MetaMask's libraries, and a proxy.
    'The requested method is not supported by this Ethereum provider.',
    'This request method is not supported.',
    'Method is not recognized',
    // Wallets and relays.
    'Unsupported method',
    'Unsupported method: wallet_sendCalls',
    'unsupported RPC method',
    'Unsupported methods.',
    'Unknown method wallet_sendCalls',
    'Invalid method.',
    'wallet_sendCalls is not supported',
    'wallet_sendCalls: method not supported',
    'Wallet Error: `wallet_sendCalls` unavailable',
    'wallet_sendCalls is not supported, use eth_sendTransaction',
    'This wallet does not support wallet_sendCalls',
    "The wallet doesn't support the method wallet_sendCalls",
  ])('words: %s', (message) => {
    for (const code of vague) expect(isUnsupported(code, message), String(code)).toBe(true)
  })
})

describe('another failure', () => {
  test.each([
    'Request failed: header not found',
    'Request expired; session not found',
    'Request not found',
    'request params not supported',
    'This request is not available any more',
    'wallet_sendCalls: insufficient funds, token not found',
    'wallet_sendCalls: atomicRequired is not supported',
    'wallet_sendCalls failed: account is not found',
    'Bundler is not available, the calls are queued',
    'execution reverted: token does not exist',
    'Signed. Relayer method not found, retrying',
    'Relayer method not found',
    'Relayer: unsupported method',
    'Bundler does not support the method',
    'Method not supported: eth_sendUserOperation',
    'Unsupported method pimlico_getUserOperationGasPrice',
    'The method eth_sendUserOperation does not exist / is not available',
    'Paymaster method eth_sendRawTransaction not found',
    'Invalid method parameter(s).',
    'Method handler crashed, receipt not found',
    'Not found',
    'Unsupported',
  ])('words: %s', (message) => {
    for (const code of vague) expect(isUnsupported(code, message), String(code)).toBe(false)
  })

  test.each([-32602, -32001, -32003, -32005, -32700, 4001, 4100, 4900, 5000, 5700, 5720, 5750, 429, 500])(
    'the code %i, whatever the words are',
    (code) => {
      expect(isUnsupported(code, 'Method not found')).toBe(false)
      expect(isUnsupported(-32603, 'Method not found', { data: { code } })).toBe(false)
    },
  )

  test.each([
    ['nothing', null],
    ['a number', 7],
    ['an object that throws', createTrap({})],
  ])('%s', (_, thrown) => {
    expect(isUnsupportedMethod(thrown, method)).toBe(false)
  })
})

const anyText = fc.oneof(fc.string(), fc.lorem({ mode: 'sentences' }))
const missing = fc.constantFrom('not found', 'not supported', 'is not available', 'does not exist', 'unsupported')
const other = fc.constantFrom(
  'session',
  'header',
  'token',
  'request',
  'Relayer method',
  'eth_call',
  'params',
  'account',
)

test('property: words about something else are another failure', () => {
  fc.assert(
    fc.property(fc.constantFrom(...vague), anyText, other, missing, anyText, (code, before, name, words, after) => {
      fc.pre(!/method|wallet_sendCalls/i.test(before + after))
      expect(isUnsupported(code, `${before} ${name} ${words} ${after}`)).toBe(false)
    }),
  )
})

test('property: words about the method are believed whatever follows, but not with a code for another failure', () => {
  const about = fc.constantFrom('Method', 'The method', 'the method wallet_sendCalls', 'wallet_sendCalls')
  fc.assert(
    fc.property(about, missing, fc.lorem({ mode: 'sentences' }), fc.integer(), (name, words, after, code) => {
      const message = `${name} ${words}. ${after}`
      for (const one of vague) expect(isUnsupported(one, message)).toBe(true)
      fc.pre(![-32603, -32000, -32601, -32004, 4200, 1001, 5101, 10001].includes(code))
      expect(isUnsupported(code, message)).toBe(false)
    }),
  )
})
