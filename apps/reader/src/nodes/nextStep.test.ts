import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { NodeError, type NodeErrorKind, TooWideError } from './nodeError.ts'
import { nextStep, type Round } from './requestPool.ts'

const error = (kind: NodeErrorKind) => new NodeError(kind, kind)
const round: Round = {
  failures: [],
  isNull: false,
  mustExist: false,
  misses: 0,
  wakesAt: Number.POSITIVE_INFINITY,
  now: 1_000,
  deadline: 9_000,
}

test.each<[title: string, change: Partial<Round>, expected: object]>([
  ['null from a node', { isNull: true, failures: [error('unreachable')] }, { action: 'answer_null' }],
  ['a failure', { failures: [error('missing')] }, { action: 'fail', error: error('missing') }],
  ['too many requests', { failures: [error('rate_limited')] }, { action: 'retry', wait: 10, misses: 0 }],
  ['a resting node', { failures: [error('missing')], wakesAt: 1_500 }, { action: 'retry', wait: 500, misses: 0 }],
  ['all nodes resting', { wakesAt: 1_500 }, { action: 'retry', wait: 500, misses: 0 }],
  [
    'a rest beyond the deadline',
    { wakesAt: 9_001 },
    { action: 'fail', error: { message: 'No node answered in time.' } },
  ],
  ['null for data that must exist', { isNull: true, mustExist: true }, { action: 'retry', wait: 2, misses: 1 }],
  ['the tenth null for it', { isNull: true, mustExist: true, misses: 9 }, { action: 'answer_null' }],
  ['null for it after the deadline', { isNull: true, mustExist: true, now: 9_000 }, { action: 'answer_null' }],
  [
    'data that must exist refused for another reason',
    { mustExist: true, failures: [error('missing'), error('refused')] },
    { action: 'fail', error: error('refused') },
  ],
])('behavior: %s', (_, change, expected) => {
  expect(nextStep({ ...round, ...change })).toMatchObject(expected)
})

test('behavior: fails with the widest range that is allowed', () => {
  const failures = [new TooWideError(10), new TooWideError(500), new TooWideError(), error('missing')]
  expect(nextStep({ ...round, failures })).toMatchObject({
    error: { maxBlocks: 500 },
  })
})

test('property: retries end, at the deadline at the latest', () => {
  const kinds = fc.constantFrom<NodeErrorKind>('unreachable', 'rate_limited', 'unsupported', 'missing', 'refused')
  const rounds = fc.record({
    failures: fc.array(kinds.map(error), { maxLength: 4 }),
    isNull: fc.boolean(),
    mustExist: fc.boolean(),
    rest: fc.option(fc.integer({ min: 1, max: 5_000 }), { nil: Number.POSITIVE_INFINITY }),
  })
  fc.assert(
    fc.property(rounds, ({ rest, ...same }) => {
      let { now, misses } = round
      for (let steps = 0; ; steps++) {
        expect(steps).toBeLessThanOrEqual(900)
        const wakesAt = now + rest
        const step = nextStep({ ...round, ...same, now, misses, wakesAt })
        if (step.action !== 'retry') return
        expect(step.wait).toBeGreaterThan(0)
        expect(now).toBeLessThanOrEqual(round.deadline)
        now += step.wait
        misses = step.misses
      }
    }),
  )
})
