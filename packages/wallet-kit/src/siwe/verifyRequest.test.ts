// @vitest-environment node
import fc from 'fast-check'
import { createSiweMessage } from 'viem/siwe'
import { expect, test } from 'vitest'
import { parseMessage } from './verifyRequest.ts'

const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)`
/** The grammar of EIP-4361, written independently of viem: each line in its place, and no other line. */
const grammar = new RegExp(
  [
    String.raw`^(?:[a-zA-Z][a-zA-Z0-9+.-]*://)?[^\s/?#@]+ wants you to sign in with your Ethereum account:\n`,
    String.raw`0x[0-9a-fA-F]{40}\n\n(?:[\x20-\x7e]+\n)?\n`,
    String.raw`URI: [\x21-\x7e]+\nVersion: 1\nChain ID: (?:0|[1-9]\d{0,20})\nNonce: [a-zA-Z0-9]{8,}\n`,
    `Issued At: ${time}(?:\\nExpiration Time: ${time})?(?:\\nNot Before: ${time})?`,
    String.raw`(?:\nRequest ID: [\x20-\x7e]*)?(?:\nResources:(?:\n- [\x21-\x7e]+)*)?$`,
  ].join(''),
)

const date = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
const url = fc.constantFrom('https://app.example', 'https://app.example/a?b=c#d', 'http://localhost:5173', 'urn:x:y')
const line = fc.string({ unit: 'grapheme-ascii', minLength: 1 }).filter((text) => text === text.trim())
const fields = fc.record(
  {
    version: fc.constant('1' as const),
    domain: fc.constantFrom('app.example', 'localhost:5173', '127.0.0.1:80'),
    scheme: fc.constantFrom('https', 'http'),
    uri: url,
    chainId: fc.nat(100_000),
    nonce: fc.stringMatching(/^[a-zA-Z0-9]{8,120}$/),
    address: fc.constant('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' as const),
    issuedAt: date,
    expirationTime: date,
    notBefore: date,
    statement: line,
    requestId: line,
    resources: fc.array(url, { maxLength: 3 }),
  },
  { requiredKeys: ['version', 'domain', 'uri', 'chainId', 'nonce', 'address', 'issuedAt'], noNullPrototype: true },
)

/** Generates pieces that have a meaning in a message, and some that are not allowed. */
const piece = fc.constantFrom(
  ...[
    '\n',
    '\n\n',
    ' ',
    'URI: ',
    'https://evil.example',
    'Version: 1',
    'Chain ID: 56',
    'Nonce: abcdefgh',
    'é',
    '\r',
    ':',
  ],
  ...[
    'Issued At: ',
    '2026-01-01T00:00:00.000Z',
    'Resources:',
    '- ',
    'Request ID: ',
    '0',
    'app.example',
    '://',
    '\u2028',
  ],
  '\nURI: https://evil.example\nVersion: 1\nChain ID: 1\nNonce: abcdefgh\nIssued At: 2026-01-01T00:00:00.000Z',
)

test('property: the fields of a written message are read back', () => {
  fc.assert(
    fc.property(fields, (message) => {
      expect(parseMessage(createSiweMessage(message))).toEqual(message)
    }),
  )
})

test('property: a changed message is refused, or is itself a message of the grammar', () => {
  const change = fc.record({ at: fc.nat(400), removed: fc.nat(30), piece })
  const accepted: string[] = []
  fc.assert(
    fc.property(fields, fc.array(change, { minLength: 1, maxLength: 3 }), (message, changes) => {
      let text = createSiweMessage(message)
      for (const { at, removed, piece } of changes) text = text.slice(0, at) + piece + text.slice(at + removed)
      try {
        parseMessage(text)
      } catch (thrown) {
        expect(thrown).toMatchObject({ code: 'invalid_message' })
        return
      }
      accepted.push(text)
      expect(text).toMatch(grammar)
      expect(createSiweMessage(parseMessage(text))).toBe(text)
    }),
    { numRuns: 2_000 },
  )
  expect(accepted.length).toBeGreaterThan(0)
})

test.each([
  ['a time with another offset', '2026-01-01T08:00:00.000+08:00'],
  ['a time without milliseconds', '2026-01-01T00:00:00Z'],
])('error: %s, which viem does not write', (_, issuedAt) => {
  const message = createSiweMessage({
    version: '1',
    domain: 'app.example',
    uri: 'https://app.example',
    chainId: 56,
    nonce: 'abcdefgh',
    address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    issuedAt: new Date('2026-01-01T00:00:00Z'),
  })
  expect(() => parseMessage(message)).not.toThrow()
  expect(() => parseMessage(message.replace(/Issued At: .*/, `Issued At: ${issuedAt}`))).toThrow('EIP-4361')
})
