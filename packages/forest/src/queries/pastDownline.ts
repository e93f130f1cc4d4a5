import type { ForestData } from '../data/forestData.ts'
import { Past } from '../downline/past.ts'
import { type PastTree, placeRows, readPastTree, sumLegVolumes, teamVolumeOf } from '../downline/pastTree.ts'
import { DownlineChangedError } from '../errors.ts'
import { type Amounts, amountOf } from '../lib/amounts.ts'
import { checkLimit } from '../lib/check.ts'
import { partitionPoint, SlotList } from '../lib/columns.ts'
import { keepNewest } from '../lib/keepNewest.ts'
import { Pace } from '../lib/pace.ts'
import { Smallest } from '../lib/smallest.ts'
import type {
  Moment,
  PastDownline,
  PastDownlineParameters,
  PastPage,
  PastReferral,
  PastReferralsParameters,
  Slices,
} from '../types.ts'
import { endPage, readCursor } from './cursor.ts'
import { createFilter, filterKey, withoutTimes } from './filter.ts'
import { summaryAt, uplineAt } from './past.ts'

/** Largest team that is sorted by join in one slice. */
const sortedAtOnce = 4_096
/** Teams that are kept for further pages, as long as they have few rows together. */
const mostTeams = 8

/** A team at a moment. `order` has its rows in join order; `legs` the volume of each with all below it, if asked for. */
type PastTeam = { tree: PastTree; order: Uint32Array; legs: Amounts | undefined }
type Asked = { moment: Moment; amounts: boolean }

/** Reads teams of past moments, and keeps the last ones. */
export function createPastDownline(data: ForestData) {
  const teams = new Map<string, PastTeam>()

  /** Finds the members below a member at a moment who match a filter, in join order. */
  function* select(top: number, parameters: PastDownlineParameters): Slices<PastDownline> {
    const { rows, team } = yield* findRows(top, parameters)
    const { rollbacks } = data.amounts
    const requireSameLog = data.amounts.guard()
    return {
      length: rows.length,
      isStale: () => data.amounts.rollbacks !== rollbacks,
      rows(from, end) {
        requireSameLog()
        data.aggregates.ensureCurrent()
        const places = rows.words.subarray(from, Math.min(end, rows.length))
        return toReferrals(data, top, parameters.moment, { ...team, rows: places })
      },
    }
  }

  /** Reads a page of the members below a member at a moment who match a filter. */
  function* readPage(top: number, parameters: PastReferralsParameters): Slices<PastPage> {
    const { moment, sort, order, limit, cursor } = parameters
    checkLimit(limit)
    const query = `past.${sort}.${order}.${Object.entries(moment).join('.')}.${filterKey(parameters)}`
    const after = readCursor(cursor, query, 2)
    const amounts = parameters.amounts === true || sort === 'volume'
    const { rows, undated, team } = yield* findRows(top, { ...parameters, amounts })
    const sign = order === 'asc' ? 1 : -1
    const compareValues = createComparer(team, sort)
    const kept = new Smallest(limit + 1, (left, right) => sign * (compareValues(left, right) || left - right))
    const isAfter = createCursorTest(data, team, { sort, after, sign })
    const pace = new Pace(data.tuning.sliceSteps, () => kept.threshold ?? kept.sorted())
    for (let index = 0; index < rows.length; index++) {
      const place = rows.words[index] as number
      if (isAfter(place)) kept.offer(place)
      if (pace.spend(1)) yield* pace.pause()
    }
    const keyOf = (place: number) => [valueAt(team, sort, place), BigInt(joinAt(data, team, place))]
    const page = endPage(kept.sorted(), limit, query, keyOf)
    return {
      items: toReferrals(data, top, moment, { ...team, rows: page.rows }),
      nextCursor: page.nextCursor,
      count: { value: rows.length, relation: 'exact' },
      undated: { value: undated, relation: 'exact' },
    }
  }

  /** Finds the places in join order of those who match, and counts those who match all but the times, and have no date. */
  function* findRows(top: number, parameters: PastDownlineParameters) {
    const { moment, levelFrom = 1, levelTo = Number.POSITIVE_INFINITY, minTeam = 0, minVolume = 0n } = parameters
    const team = yield* readTeam(top, { moment, amounts: parameters.amounts === true || minVolume > 0n })
    const { tree, order, legs } = team
    const pace = new Pace(data.tuning.sliceSteps)
    const isActive = yield* findActive(data, moment, parameters.activeSince)
    const own = { ...parameters, minTeam: undefined, minVolume: undefined, activeSince: undefined }
    const filter = createFilter(data, own)
    const undatedOnly = withoutTimes(own)
    const others = undatedOnly && createFilter(data, undatedOnly)
    const least = amountOf(minVolume)
    const rows = new SlotList(order.length)
    const isForAll = parameters.grades === undefined && filterKey(parameters) === filterKey({})
    let undated = 0
    for (let place = 0; place < order.length; place++) {
      if (isForAll) rows.push(place)
      else check(place)
      if (pace.spend(1)) yield* pace.pause()
    }
    return { rows, undated, team }

    function check(place: number): void {
      const row = order[place] as number
      const level = levelOf(tree, row)
      const node = tree.nodes[row] as number
      const isAsked = level >= levelFrom && level <= levelTo && (tree.team[row] as number) >= minTeam && isActive(node)
      if (isAsked && (minVolume === 0n || (legs as Amounts).compare(row, least, 0) >= 0)) {
        const slot = data.slots.slotOf[node] as number
        if (filter.fitsSlot(slot) && filter.fitsNode(node)) rows.push(place)
        else if (others?.fitsSlot(slot) && others.fitsNode(node)) undated++
      }
    }
  }

  function* readTeam(top: number, { moment, amounts }: Asked): Slices<PastTeam> {
    const past = new Past(data, moment)
    const last = amounts ? data.amounts.until(moment) : 0
    // A team is the same until a rollback, or an event that counts at the moment.
    const key = [top, data.amounts.rollbacks, past.joins, data.moves.until(moment), amounts && last].join()
    const found = teams.get(key)
    if (found) return found
    const tops = new SlotList(data.slots.teamOf(top) + 1)
    tops.push(data.slots.slotOf[top] as number)
    const tree = yield* readPastTree(data, past, tops)
    const legs = amounts ? yield* sumLegVolumes(data, tree, last) : undefined
    const team = { tree, order: yield* sortByJoin(data, tree, past.joins), legs }
    const rows = data.tuning.pastRows
    if (team.order.length <= rows)
      keepNewest(teams, key, team, mostTeams, { rows, rowsOf: ({ order }) => order.length })
    return team
  }

  /** Begins an answer again if a move of before its moment has come meanwhile. */
  function* whileUnmoved<answer>({ moment }: Pick<Asked, 'moment'>, slices: Slices<answer>): Slices<answer> {
    const moves = data.moves.until(moment)
    const found = yield* slices
    if (data.moves.until(moment) !== moves) throw new DownlineChangedError()
    return found
  }

  return {
    select: (top: number, parameters: PastDownlineParameters) => whileUnmoved(parameters, select(top, parameters)),
    readPage: (top: number, parameters: PastReferralsParameters) => whileUnmoved(parameters, readPage(top, parameters)),
  }
}

/** Lists the rows below the top in join order. */
function* sortByJoin(data: ForestData, { nodes, length }: PastTree, joins: number): Slices<Uint32Array> {
  const { slots, tuning } = data
  const order = new Uint32Array(length - 1)
  if (length <= sortedAtOnce) {
    const joinOf = (row: number) => slots.joinIndex[slots.slotOf[nodes[row] as number] as number] as number
    for (let row = 1; row < length; row++) order[row - 1] = row
    return order.sort((left, right) => joinOf(left) - joinOf(right))
  }
  const rowOf = yield* placeRows({ nodes, length }, { first: 1, steps: tuning.sliceSteps, nodes: data.nodes.length })
  const pace = new Pace(tuning.sliceSteps)
  let place = 0
  for (let index = 0; index < joins; index++) {
    const row = rowOf[data.nodes.joinOrder[index] as number] as number
    if (row > 0) order[place++] = row - 1
    if (pace.spend(1)) yield* pace.pause()
  }
  return order
}

/** Creates a function that returns whether a node had a volume or reward since a time, up to the moment. */
function* findActive(
  { amounts, nodes, tuning }: ForestData,
  moment: Moment,
  since = 0,
): Slices<(node: number) => boolean> {
  if (since === 0) return () => true
  const active = new Uint8Array(nodes.length)
  const end = amounts.until(moment)
  for (let index = amounts.until({ timestamp: since - 1 }); index < end; index++) {
    active[amounts.nodeAt(index)] = 1
    if ((index + 1) % tuning.sliceSteps === 0) yield
  }
  return (node) => active[node] === 1
}

const levelOf = ({ levels }: PastTree, row: number): number =>
  partitionPoint(levels.length, (level) => (levels[level] as number) <= row) - 1

const joinAt = ({ slots }: ForestData, { tree, order }: PastTeam, place: number): number =>
  slots.joinIndex[slots.slotOf[tree.nodes[order[place] as number] as number] as number] as number

type Sort = PastReferralsParameters['sort']

const valueAt = ({ tree, order, legs }: PastTeam, sort: Sort, place: number): bigint => {
  const row = order[place] as number
  return sort === 'volume' ? (legs as Amounts).get(row) : sort === 'team' ? BigInt(tree.team[row] as number) : 0n
}

/** Creates a function that compares two places by the value of an order. */
function createComparer({ tree, order, legs }: PastTeam, sort: Sort): (left: number, right: number) => number {
  const rowOf = (place: number) => order[place] as number
  if (sort === 'volume') return (left, right) => (legs as Amounts).compare(rowOf(left), legs as Amounts, rowOf(right))
  if (sort === 'team') return (left, right) => (tree.team[rowOf(left)] as number) - (tree.team[rowOf(right)] as number)
  return () => 0
}

type CursorParts = { sort: Sort; after: bigint[] | undefined; sign: number }

/** Creates a function that returns whether a place comes after the cursor. */
function createCursorTest(data: ForestData, team: PastTeam, { sort, after, sign }: CursorParts) {
  if (!after) return () => true
  const [value, join] = [after[0] as bigint, Number(after[1])]
  const amount = amountOf(value)
  const place = partitionPoint(team.order.length, (at) => joinAt(data, team, at) < join)
  const compare = (at: number): number => {
    const row = team.order[at] as number
    if (sort === 'volume') return (team.legs as Amounts).compare(row, amount, 0)
    return sort === 'team' ? (team.tree.team[row] as number) - Number(value) : 0
  }
  return (at: number) => sign * (compare(at) || at - place) > 0
}

type Part = PastTeam & { rows: Iterable<number> }

/** Returns the members at some places as rows of a list. */
function toReferrals(data: ForestData, top: number, moment: Moment, { rows, order, tree, legs }: Part): PastReferral[] {
  const past = new Past(data, moment)
  const depth = uplineAt(past, top).length
  return Array.from(rows, (place) => {
    const row = order[place] as number
    const level = levelOf(tree, row)
    const directs = (tree.below[row + 1] as number) - (tree.below[row] as number)
    const volume = legs && teamVolumeOf(tree, legs, row)
    return {
      ...summaryAt(data, past, tree.nodes[row] as number, directs),
      depth: depth + level,
      level,
      team: tree.team[row] as number,
      ...(legs && volume !== undefined && { ownVolume: legs.get(row) - volume, teamVolume: volume }),
    }
  })
}
