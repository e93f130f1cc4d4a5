import { createSiweMessage, type SiweMessage } from 'viem/siwe'
import { expect, test } from 'vitest'
import { isAskedMessage } from './siweMessage.ts'

const fields: SiweMessage = {
  ...{ version: '1', domain: 'app.example', uri: 'https://app.example', nonce: '12345678', chainId: 56 },
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  issuedAt: new Date('2026-01-01T00:00:00Z'),
}
const resources = ['https://app.example/terms']
const asked = createSiweMessage({ ...fields, statement: 'Welcome.', resources })
const authorization = 'I further authorize the stated URI to perform the following actions on my behalf:'
const sentence = `${authorization} (1) 'request': 'eth_sign', 'personal_sign' for 'eip155'.`

const toRecap = (details: unknown) => `urn:recap:${btoa(JSON.stringify(details)).replaceAll('=', '')}`
const abilities = { 'request/personal_sign': [{ chains: ['eip155:56'] }], 'request/eth_sign': [{}] }

/** Adds a recap to the message, like a wallet that signs it. */
const withRecap = (recap: string, statement = `Welcome. ${sentence}`) =>
  createSiweMessage({
    ...fields,
    issuedAt: new Date('2026-01-01T00:01:00Z'),
    statement,
    resources: [...resources, recap],
  })

test('accepts the text itself, and with a recap of requests to the account', () => {
  expect(isAskedMessage(asked, asked)).toBe(true)
  expect(isAskedMessage(withRecap(toRecap({ att: { eip155: abilities } })), asked)).toBe(true)
})

test('accepts a recap where the app asks for no statement', () => {
  const { statement: _, ...plain } = { statement: '', ...fields }
  const recap = toRecap({ att: { eip155: abilities } })
  const signed = createSiweMessage({ ...plain, statement: sentence, resources: [recap] })
  expect(isAskedMessage(signed, createSiweMessage(plain))).toBe(true)
})

test.each<[string, unknown, string?]>([
  ['another resource', { att: { eip155: abilities, 'https://evil.example': { 'crud/delete': [{}] } } }],
  ['another ability', { att: { eip155: { ...abilities, 'crud/delete': [{}] } } }],
  ['proofs', { att: { eip155: abilities }, prf: ['bafy'] }],
  ['no ability', { att: { eip155: {} } }],
  ['a method that the sentence leaves out', { att: { eip155: { ...abilities, 'request/eth_sendTransaction': [{}] } } }],
  ['no object', 7],
  [
    'another sentence',
    { att: { eip155: abilities } },
    `Welcome. ${authorization} (1) 'request': 'eth_sign' for 'eip155'.`,
  ],
  ['a sentence in front', { att: { eip155: abilities } }, `I give everything. ${sentence}`],
])('error: a recap with %s', (_, details, statement) => {
  expect(isAskedMessage(withRecap(toRecap(details), statement), asked)).toBe(false)
})

test('error: a recap that cannot be read', () => {
  expect(isAskedMessage(withRecap('urn:recap:AAAAA'), asked)).toBe(false)
  expect(isAskedMessage(withRecap('urn:recap:e30x-'), asked)).toBe(false)
})
