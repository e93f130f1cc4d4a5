import { checksumAddress } from '@lineage/communities'
import type { Moment } from '@lineage/forest'
import type * as api from '@lineage/referral-api'
import type { Address } from 'viem'
import type { Position } from '../follow/events.ts'
import { collectBinds, findRange } from './eventRange.ts'
import { type BindRow, readEventsCursor, refuseWithoutDatabase, toEventsCursor } from './eventTables.ts'
import { findPair } from './findMember.ts'
import type { LookupOf, Result } from './lookup.ts'
import { isFinal, readMoment, readPairAt } from './pastLookups.ts'
import { toEvent } from './serialize.ts'

type PairLookup = LookupOf<'pairBinds'>
type Item = api.PairBinds['items'][number]
type SideOf = (address: Address | null) => Item['memberSide']

/** Number of binds that are read at once, and most for one page. */
const atOnce = 1_000
const most = 20_000
/** Number of earlier binds that are read of each member: more if none of the first counts. */
const heldSteps = [20, 1_000]

/** Lists the binds that concern the teams of two members, with the bind that held instead of each irregular one. */
export async function pairBinds(lookup: PairLookup): Promise<Result<'pairBinds'>> {
  const { forest, view, query, sources } = lookup
  const { meter, tables } = sources
  const { a, b } = findPair(lookup)
  const moment = query.asOf === undefined ? { block: view.asOf.block } : readMoment('asOf', query.asOf, lookup)
  const body = {
    a: checksumAddress(forest.summary(a).address),
    b: checksumAddress(forest.summary(b).address),
    at: readPairAt(forest, { a, b }, moment),
  }
  const block = await findLastBlock(moment, lookup)
  const range = await findRange(query, block, { view, tables })
  let sideOf: SideOf = () => null
  const { items, last } = await collectBinds(
    async (at: Position | undefined, limit) => {
      const rows = await tables.readBindsIn(view, { ...range, at, order: 'asc' }, limit)
      sideOf = meter.measure(() => createSides(lookup, block))
      return rows
    },
    (row) => {
      const sides = { memberSide: sideOf(row.member), referrerSide: sideOf(row.referrer) }
      if (!sides.memberSide && !sides.referrerSide) return undefined
      return { row, item: { ...toEvent(row, forest.statusAt(row)), ...sides } }
    },
    { at: readEventsCursor(query.cursor), limit: query.limit, atOnce, most, meter },
  )
  const held = await findHeld(
    lookup,
    items.flatMap(({ row, item }) => (item.status === 'bound' ? [] : [row])),
  )
  return {
    body: {
      ...body,
      items: meter.measure(addHeld),
      nextCursor: last && toEventsCursor(last),
    },
    state: query.asOf !== undefined && isFinal(moment, lookup) ? 'final' : 'whole',
  }

  function addHeld(): Item[] {
    const sideAfter = createSides(lookup, block)
    return items.map(({ row, item }) => {
      const before = held.get(row)
      if (!before) return { ...item, held: null }
      const { address, status, ...event } = toEvent(before, 'bound')
      return { ...item, held: { ...event, referrerSide: sideAfter(before.referrer) } }
    })
  }
}

/** Finds the last block of a moment that has a bind or is the newest. */
async function findLastBlock(moment: Moment, { view, sources: { tables } }: PairLookup): Promise<number> {
  if ('block' in moment) return moment.block
  const next = await tables.findBlock(view, moment.timestamp + 1).catch(refuseWithoutDatabase)
  return Math.min(next - 1, view.asOf.block)
}

/** Returns the function that finds the side of an address. It is valid until the forest changes. */
function createSides(lookup: PairLookup, block: number): SideOf {
  const { forest } = lookup
  const { a, b } = findPair(lookup)
  const nearest = forest.nearest(a, b, block)
  return (address) => {
    const id = address === null ? undefined : forest.find(address)
    const top = id === undefined ? undefined : nearest(id)
    return top === undefined ? null : top === b ? 'b' : 'a'
  }
}

/** Finds, for each irregular bind, the last one of its member that counted before it. */
async function findHeld(
  { forest, view, sources: { meter, tables } }: PairLookup,
  irregular: readonly BindRow[],
): Promise<ReadonlyMap<BindRow, BindRow>> {
  const found = new Map<BindRow, BindRow>()
  let asked = irregular
  for (const limit of heldSteps) {
    if (asked.length === 0) break
    const before = await tables.readBindsBefore(view, asked, limit).catch(refuseWithoutDatabase)
    asked = meter.measure(() =>
      asked.filter((row, index) => {
        const rows = before[index] ?? []
        const held = rows.find((one) => forest.statusAt(one) === 'bound')
        if (held) found.set(row, held)
        return !held && rows.length === limit
      }),
    )
  }
  return found
}
