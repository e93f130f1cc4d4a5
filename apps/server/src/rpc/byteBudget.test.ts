import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createByteBudget } from './byteBudget.ts'

test('behavior: one visitor cannot exceed its share, and all visitors cannot exceed the total', () => {
  const budget = createByteBudget({ total: 10, perVisitor: 6 })
  const [one, two, three] = [budget.open('a'), budget.open('a'), budget.open('b')]
  expect([one.take(2), one.take(6), two.take(1), three.take(5), three.take(4)]).toEqual([
    'taken',
    'taken',
    'visitor_full',
    'server_full',
    'taken',
  ])
  one.release()
  one.release()
  expect([budget.inFlight(), two.take(4)]).toEqual([4, 'taken'])
})

test('behavior: when all places are taken, the visitor with the most waiting requests leaves some to others', () => {
  const budget = createByteBudget({ total: 128, perVisitor: 16 })
  const enter = (visitor: number) => {
    const share = budget.open(`visitor ${visitor}`)
    return { visitor, share, taken: share.take(1) }
  }
  const greedy = Array.from({ length: 8 * 16 }, (_, index) => enter(index % 8))
  const others = Array.from({ length: 24 }, (_, index) => enter(8 + (index % 12)))
  expect(new Set([...greedy, ...others].map(({ taken }) => taken))).toEqual(new Set(['taken']))
  expect(others.filter(({ share }) => share.signal.aborted)).toEqual([])
  const left = greedy.filter(({ share }) => !share.signal.aborted)
  expect(Array.from({ length: 8 }, (_, one) => left.filter(({ visitor }) => visitor === one).length)).toEqual(
    Array(8).fill(13),
  )
  // A visitor with as many places as the others gets no more.
  expect(enter(0).taken).toBe('server_full')
  expect(budget.inFlight()).toBe(128)
})

test('attack: a network whose addresses wait for little each leaves places to another network, and to its own', () => {
  const budget = createByteBudget({ total: 128, perVisitor: 16 })
  const enter = (visitor: string) => {
    const share = budget.open(visitor)
    return { share, taken: share.take(1) }
  }
  const crowd = Array.from({ length: 128 }, (_, index) => enter(`2001:db8:1:${index.toString(16)}`))
  const entered = ['203.0.113.7', '2001:db8:2:0', '2001:db8:1:ffff'].map(enter)
  expect(entered.map(({ taken }) => taken)).toEqual(['taken', 'taken', 'server_full'])
  expect(crowd.map(({ share }) => share.signal.aborted).lastIndexOf(false)).toBe(125)
})

test('behavior: a small answer needs no room besides its place', () => {
  const budget = createByteBudget({ total: 4, perVisitor: 4 })
  const [first, second] = [budget.open('a'), budget.open('b')]
  expect([first.take(2), second.take(2), first.take(1), first.take(1), first.take(1)]).toEqual([
    'taken',
    'taken',
    'taken',
    'taken',
    'server_full',
  ])
  expect(budget.inFlight()).toBe(4)
})

test('behavior: a request whose answer arrives keeps its place', () => {
  const budget = createByteBudget({ total: 4, perVisitor: 4 })
  const [first, second] = [budget.open('a'), budget.open('a')]
  expect([first.take(1), first.take(2), second.take(2)]).toEqual(['taken', 'taken', 'taken'])
  expect([budget.open('b').take(1), first.signal.aborted, second.signal.aborted]).toEqual(['taken', false, true])
  expect(second.take(1)).toBe('visitor_full')
})

test('behavior: a released share stays released, and does not grow', () => {
  const budget = createByteBudget({ total: 10, perVisitor: 10 })
  const [share, other] = [budget.open('a'), budget.open('a')]
  share.take(4)
  share.release()
  expect([other.take(5), share.take(3), share.take(3)]).toEqual(['taken', 'visitor_full', 'visitor_full'])
  share.release()
  expect(budget.inFlight()).toBe(5)
  // Nor can its place be given to another: it no longer waits for an answer.
  expect([budget.open('b').take(5), share.signal.aborted]).toEqual(['taken', false])
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
