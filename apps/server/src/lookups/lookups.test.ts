import { lookupRoutes } from '@lineage/referral-api/routes'
import { expect, expectTypeOf, test } from 'vitest'
import type { LookupOf, Lookups } from './lookup.ts'
import { lookups } from './lookups.ts'

test('behavior: there is a handler for every lookup', () => {
  expect(Object.keys(lookups).sort()).toEqual(Object.keys(lookupRoutes).sort())
})

test('types: a missing handler, a wrong body and an unknown parameter do not compile', () => {
  const { levels, ...others } = lookups
  // @ts-expect-error `levels` has no handler.
  const incomplete: Lookups = others
  // @ts-expect-error `volume` is missing.
  const wrong: Lookups['levels'] = () => ({ body: { items: [{ level: 1, count: 1 }] } })
  // @ts-expect-error `levels` has no parameters.
  const unknown: Lookups['levels'] = ({ query }) => ({ body: { items: [{ level: Number(query.limit) }] } })
  expect([levels, incomplete, wrong, unknown]).toHaveLength(4)
})

test('types: a lookup has what its path names, and its body', () => {
  expectTypeOf<LookupOf<'member'>>().toHaveProperty('id')
  expectTypeOf<LookupOf<'metrics'>>().toHaveProperty('forest')
  expectTypeOf<LookupOf<'metrics'>>().not.toHaveProperty('id')
  expectTypeOf<LookupOf<'communities'>>().not.toHaveProperty('forest')
  expectTypeOf<LookupOf<'batch'>['body']>().toEqualTypeOf<{ addresses: string[]; tx?: boolean | undefined }>()
})
