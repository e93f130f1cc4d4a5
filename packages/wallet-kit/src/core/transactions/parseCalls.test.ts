import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCircle, createRevoked, createTrap } from '../../../test/hostileObjects.ts'
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
