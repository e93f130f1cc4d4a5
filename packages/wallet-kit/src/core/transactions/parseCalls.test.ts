import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCircle, createRevoked, createTrap } from '../../../test/hostileObjects.ts'
import { isUnsupportedMethod } from '../provider/requestForViem.ts'
import { parseCallsStatus, parseCapabilities } from './parseCalls.ts'

const hash = (n: number) => `0x${n.toString(16).padStart(64, '0')}`

describe('the status of calls', () => {
  test.each([
    [100, 'pending'],
    [199, 'pending'],
    [200, { status: 'confirmed' }],
    [400, { status: 'failed', failureReason: 'dropped' }],
    [500, { status: 'failed', failureReason: 'reverted' }],
    [600, { status: 'failed', failureReason: 'partial' }],
    [300, undefined],
    [700, undefined],
    [-1, undefined],
    [200.5, undefined],
    ['200', undefined],
    ['PENDING', 'pending'],
    ['CONFIRMED', { status: 'confirmed' }],
  ])('%j', (status, expected) => {
    expect(parseCallsStatus({ status })).toEqual(expected)
  })

  test('has the hash of the last receipt', () => {
    const receipts = [{ transactionHash: hash(1) }, { transactionHash: hash(2) }, { transactionHash: 'none' }, null]
    expect(parseCallsStatus({ status: 200, receipts })).toEqual({ status: 'confirmed', hash: hash(2) })
  })

  test('behavior: an early version whose receipt was reverted', () => {
    const receipts = [{ status: '0x1' }, { status: '0x0', transactionHash: hash(2) }]
    const expected = { status: 'failed', failureReason: 'reverted', hash: hash(2) }
    expect(parseCallsStatus({ status: 'CONFIRMED', receipts })).toEqual(expected)
  })

  test('property: any answer is an outcome, pending or nothing', () => {
    const receipt = fc.oneof(fc.anything(), fc.record({ status: fc.anything(), transactionHash: fc.anything() }))
    const status = fc.oneof(fc.anything(), fc.integer({ min: -100, max: 1_000 }))
    const answer = fc.oneof(fc.anything(), fc.record({ status, receipts: fc.oneof(fc.array(receipt), fc.anything()) }))
    fc.assert(
      fc.property(answer, (answer) => {
        const parsed = parseCallsStatus(answer)
        if (parsed === undefined || parsed === 'pending') return
        expect(['confirmed', 'failed']).toContain(parsed.status)
        expect(parsed.status === 'failed').toBe(parsed.failureReason !== undefined)
        if ('hash' in parsed) expect(parsed.hash).toMatch(/^0x[0-9a-f]{64}$/i)
      }),
    )
  })
})

describe('capabilities', () => {
  const atomic = (status: string) => ({ atomic: { status } })

  test('of the chain, by any form of its id', () => {
    for (const key of ['0x38', '0x038', '56'])
      expect(parseCapabilities({ '0x1': atomic('ready'), [key]: atomic('supported') }, 56)).toEqual(atomic('supported'))
  })

  test('of every chain, which those of the chain replace', () => {
    const answer = {
      '0x0': { ...atomic('ready'), paymasterService: { supported: true } },
      '0x38': atomic('unsupported'),
    }
    expect(parseCapabilities(answer, 56)).toEqual({ ...atomic('unsupported'), paymasterService: { supported: true } })
    expect(parseCapabilities(answer, 1)).toEqual({ ...atomic('ready'), paymasterService: { supported: true } })
  })

  test('unknown ones as they are; known ones only in their form', () => {
    const answer = { '0x38': { atomic: { status: 'maybe' }, paymasterService: { supported: 'yes' }, acme: [1] } }
    expect(parseCapabilities(answer, 56)).toEqual({ acme: [1] })
  })

  test.each([
    ['an object that throws', () => createTrap({})],
    ['a list that throws', () => createTrap([])],
    ['a revoked proxy', () => createRevoked({})],
    ['a circle', () => createCircle('0x1')],
  ])('behavior: %s', (_, create) => {
    expect(parseCapabilities(create(), 56)).toEqual({})
    expect(parseCapabilities({ '0x38': create() }, 56)).toBeTypeOf('object')
    expect(() => parseCallsStatus(create())).not.toThrow()
    expect(() => parseCallsStatus({ status: 200, receipts: [create()] })).not.toThrow()
  })

  test('property: any answer gives an object whose known names have their form', () => {
    const chain = fc.oneof(fc.anything(), fc.dictionary(fc.string(), fc.anything()))
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.record({ '0x38': chain })), (answer) => {
        const { atomic, paymasterService } = parseCapabilities(answer, 56)
        if (atomic) expect(['supported', 'ready', 'unsupported']).toContain(atomic.status)
        if (paymasterService) expect(paymasterService.supported).toBeTypeOf('boolean')
      }),
    )
  })
})

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
