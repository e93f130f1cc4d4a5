import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createByteBudget } from './byteBudget.ts'

test('behavior: a visitor cannot use more than its own part, nor all together more than the total', () => {
  const budget = createByteBudget({ total: 10, perVisitor: 6 })
  const [one, two, three] = [budget.open('a'), budget.open('a'), budget.open('b')]
  expect([one.take(4), two.take(3), two.take(2), three.take(5), three.take(4)]).toEqual([
    'taken',
    'visitor_full',
    'taken',
    'server_full',
    'taken',
  ])
  one.release()
  one.release()
  expect([budget.inFlight(), two.take(4)]).toEqual([6, 'taken'])
})

test('property: released shares leave nothing in flight, and no budget is exceeded', () => {
  const step = fc.record({ visitor: fc.constantFrom('a', 'b', 'c'), bytes: fc.nat(8) })
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const budget = createByteBudget({ total: 20, perVisitor: 10 })
      const shares = steps.map(({ visitor, bytes }) => {
        const share = budget.open(visitor)
        share.take(bytes)
        expect(budget.inFlight()).toBeLessThanOrEqual(20)
        return share
      })
      for (const share of shares) share.release()
      expect(budget.inFlight()).toBe(0)
    }),
  )
})
