import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPlaces } from './places.ts'
import { networksOf } from './visitor.ts'

/** Creates a pool in which a loser leaves at once, and counts the places of a visitor or a network. */
function createPool(size: number) {
  const places = createPlaces<() => void>()
  return {
    count: (...networks: string[]) => places.count(networks),
    enter(visitor: string): 'entered' | 'refused' {
      const path = networksOf(visitor)
      if (places.count() >= size) {
        const loser = places.findLoser(path)
        if (!loser) return 'refused'
        loser()
      }
      const leave = places.take(path, () => leave())
      return 'entered'
    },
  }
}

const visitors = {
  'one address': () => '203.0.113.7',
  'one /24 of IPv4': (index: number) => `203.0.113.${index % 256}`,
  'one /16 of IPv4': (index: number) => `203.0.${index % 256}.${index % 251}`,
  'one /48 of IPv6': (index: number) => `2001:db8:1:${index.toString(16)}`,
  'networks of /48 of one /32': (index: number) => `2001:db8:${index.toString(16)}:0`,
}

test.each(Object.entries(visitors))('attack: %s takes all places until others want them', (_, visitorOf) => {
  const pool = createPool(100)
  for (let index = 0; index < 300; index++) pool.enter(visitorOf(index))
  expect(pool.count()).toBe(100)
  const newcomers = Array.from({ length: 50 }, (_, index) => `198.${index}.100.1`)
  expect(newcomers.map(pool.enter)).toEqual(Array(50).fill('entered'))
  for (let index = 0; index < 300; index++) pool.enter(visitorOf(index))
  expect(newcomers.map((one) => pool.count(...networksOf(one)))).toEqual(Array(50).fill(1))
  expect(pool.count()).toBe(100)
})

test('behavior: a newcomer in the network of the one that holds all gets a place too', () => {
  const pool = createPool(100)
  for (let index = 0; index < 200; index++) pool.enter(`2001:db8:1:${index.toString(16)}`)
  expect([pool.enter('2001:db8:2:0'), pool.enter('2001:db8:1:ffff')]).toEqual(['entered', 'refused'])
  expect(pool.count('2001:db8', '2001:db8:2')).toBe(1)
})

test('behavior: if all hold as much, none loses its place', () => {
  const pool = createPool(2)
  expect(['198.0.0.1', '199.0.0.1', '200.0.0.1'].map(pool.enter)).toEqual(['entered', 'entered', 'refused'])
})

test('property: a pool is never overfull, and a refused network holds as much as any other', () => {
  const visitor = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3)).map(([a, b, c]) => `198.${a}.${b}.${c}`)
  fc.assert(
    fc.property(fc.array(visitor, { maxLength: 200 }), (entering) => {
      const pool = createPool(20)
      for (const one of entering) {
        const [wide = ''] = networksOf(one)
        const [before, own] = [pool.count(), pool.count(wide)]
        const most = Math.max(...[0, 1, 2, 3].map((index) => pool.count(`198.${index}`)))
        if (pool.enter(one) === 'refused') expect([before, own + 1 >= most]).toEqual([20, true])
        expect(pool.count()).toBeLessThanOrEqual(20)
      }
    }),
  )
})
