import type { ForestData } from '../data/forestData.ts'
import { none } from '../data/nodes.ts'
import { Downline } from '../downline/downline.ts'
import { Amounts, amountOf } from '../lib/amounts.ts'
import { checkLimit } from '../lib/check.ts'
import { Pace } from '../lib/pace.ts'
import { Smallest } from '../lib/smallest.ts'
import type { FilteredPage, PeriodReferralsParameters, Slices, TeamAmounts } from '../types.ts'
import { endPage, readCursor } from './cursor.ts'
import { createFilter, filterKey } from './filter.ts'
import type { AmountsOf } from './periodAmounts.ts'
import type { PeriodLegs, ReadLegs } from './periodLegs.ts'
import { toReferrals } from './referrals.ts'

/** Number of steps to look up one member. */
const costAlone = 16

/** Reads a page of the members below a member whose own and team amounts in a period are not zero. */
export function* periodReferralsOf(
  data: ForestData,
  top: number,
  parameters: PeriodReferralsParameters,
  { readLegs, amountsOf }: { readLegs: ReadLegs; amountsOf: AmountsOf },
): Slices<Omit<FilteredPage, 'undated'>> {
  const { period, sort, order, limit, cursor } = parameters
  checkLimit(limit)
  const range = [period.from ?? {}, period.to].map((moment) => Object.entries(moment).join('.'))
  const query = `period.${sort}.${order}.${range.join('.')}.${filterKey(parameters)}`
  const after = readCursor(cursor, query, 2)
  const directs = parameters.levelTo === 1 ? listDirects(data, top) : undefined
  const table: Table = directs
    ? toTable(directs, yield* amountsOf(directs, period))
    : yield* readLegs({ ...period, of: 'amounts' })
  const value = sort === 'periodVolume' ? table.legs.volume : table.legs.rewards
  const compare = createComparer(data, table, value)
  const sign = order === 'asc' ? 1 : -1
  const kept = new Smallest(limit + 1, (left, right) => sign * compare(left, right))
  const isAfterCursor = createCursorTest(data, { table, value, after, sign })
  let count = 0
  for (const row of yield* findRows(data, top, { table, value, parameters })) {
    count++
    if (isAfterCursor(row)) kept.offer(row)
  }
  const keyOf = (row: number) => [value.get(row), BigInt(joinOf(data, table, row))]
  const { rows, nextCursor } = endPage(kept.sorted(), limit, query, keyOf)
  const page = rows.map((row) => data.slots.slotOf[table.nodes[row] as number] as number)
  return {
    items: toReferrals(data, top, page),
    nextCursor,
    count: { value: count, relation: 'exact' },
  }
}

/** Members with the amounts of their legs. */
type Table = Pick<PeriodLegs, 'nodes' | 'length' | 'legs'>

/** Lists the directs of a member; `undefined` if there are too many to sum up one by one. */
function listDirects({ nodes, tuning }: ForestData, top: number): number[] | undefined {
  if ((nodes.directs[top] as number) > tuning.mostLegs) return undefined
  const directs: number[] = []
  for (let at = nodes.firstChild[top] as number; at !== none; at = nodes.next[at] as number) directs.push(at)
  return directs
}

function toTable(nodes: readonly number[], amounts: readonly TeamAmounts[]): Table {
  const legs = { volume: new Amounts(nodes.length), rewards: new Amounts(nodes.length) }
  for (const [row, { own, team }] of amounts.entries()) {
    legs.volume.set(row, own.volume + team.volume)
    legs.rewards.set(row, own.rewards + team.rewards)
  }
  return { nodes: Uint32Array.from(nodes), length: nodes.length, legs }
}

type Rows = { table: Table; value: Amounts; parameters: PeriodReferralsParameters }

/** Returns the rows of members in the downline that match. */
function* findRows(data: ForestData, top: number, { table, value, parameters }: Rows): Slices<number[]> {
  const { slots, tuning } = data
  const { levelFrom = 1, levelTo = Number.POSITIVE_INFINITY } = parameters
  const filter = createFilter(data, parameters)
  const downline = new Downline(data, top, levelTo)
  const found: number[] = []
  const pace = new Pace(tuning.sliceSteps, data.guard())
  for (let row = 0; row < table.length; row++) {
    const node = table.nodes[row] as number
    const level = downline.levelOf(node)
    const isAsked = level >= levelFrom && level <= levelTo && value.ceiling(row) > 0
    if (isAsked && filter.fitsNode(node) && filter.fitsSlot(slots.slotOf[node] as number) && downline.has(node))
      found.push(row)
    if (pace.spend(costAlone)) yield* pace.pause()
  }
  return found
}

const joinOf = ({ slots }: ForestData, { nodes }: Table, row: number): number =>
  slots.joinIndex[slots.slotOf[nodes[row] as number] as number] as number

/** Creates a function that compares two rows by amount, then by join. */
const createComparer = (data: ForestData, table: Table, value: Amounts) => (left: number, right: number) =>
  value.compare(left, value, right) || joinOf(data, table, left) - joinOf(data, table, right)

type CursorParts = { table: Table; value: Amounts; after: bigint[] | undefined; sign: number }

/** Creates a function that returns whether a row comes after the cursor. */
function createCursorTest(data: ForestData, { table, value, after, sign }: CursorParts): (row: number) => boolean {
  if (!after) return () => true
  const [amount, join] = [amountOf(after[0] as bigint), Number(after[1])]
  return (row) => sign * (value.compare(row, amount, 0) || joinOf(data, table, row) - join) > 0
}
