import { AmountReader } from '../data/amountLog.ts'
import type { ForestData } from '../data/forestData.ts'
import { none } from '../data/nodes.ts'
import { Past } from '../downline/past.ts'
import { QueryTooCostlyError } from '../errors.ts'
import { Amounts } from '../lib/amounts.ts'
import { grownArray } from '../lib/columns.ts'
import { keepNewest } from '../lib/keepNewest.ts'
import { Pace } from '../lib/pace.ts'
import type { MomentRange, Slices, TeamAmounts } from '../types.ts'

/** Few, so that the small forests of tests grow too. */
const initialRows = 8
/** Steps of one row: its place is looked up, out of order. */
const costAlone = 16
/** Tables that are kept for further pages, as long as they have few rows together. */
const mostTables = 8

/** A period of which the legs are read: their amounts, or the members who joined. */
export interface LegsRequest extends MomentRange {
  of: 'amounts' | 'joins'
}

/**
 * The amounts of a period, or its joins, by member and by leg: one row for each member with any, and for each referrer
 * above it at the end of the period.
 */
export class PeriodLegs {
  /** Node of each row. */
  nodes = new Uint32Array(initialRows)
  length = 0
  /** Members of each leg who joined in the period, the top included. */
  joins = new Uint32Array(initialRows)
  readonly own = {
    volume: new Amounts(initialRows),
    rewards: new Amounts(initialRows),
    joins: new Uint8Array(initialRows),
  }
  readonly legs = { volume: new Amounts(initialRows), rewards: new Amounts(initialRows) }
  /** Joins in the period without a date, which are not counted. */
  undated = 0
  private up = new Uint32Array(initialRows)
  private open = new Uint32Array(initialRows)
  /** Row of a node, plus one, by its hash. */
  private places: Uint32Array
  private readonly past: Past
  private readonly most: number

  /** @param events Number of events or joins, for which there is room at once: to place rows again takes long. */
  constructor(past: Past, { most, events }: { most: number; events: number }) {
    this.past = past
    this.most = most
    this.places = new Uint32Array(4 * 2 ** Math.ceil(Math.log2(Math.max(initialRows, Math.min(most, events)))))
  }

  addAmount(node: number, { kind, amount }: AmountReader): void {
    const row = this.rowOf(node)
    this.own[kind === 'volume' ? 'volume' : 'rewards'].add(row, amount, 0)
  }

  addJoin(node: number): void {
    // Before `own.joins` is read, because a new row may replace it by a longer one.
    const row = this.rowOf(node)
    this.own.joins[row] = 1
  }

  /** Adds the sums of each row to those of the row above it, from the lowest rows up. */
  *sumUp(pace: Pace): Slices<void> {
    const { own, legs } = this
    const ready: number[] = []
    for (let row = 0; row < this.length; row++) if (this.open[row] === 0) ready.push(row)
    for (let row = ready.pop(); row !== undefined; row = ready.pop()) {
      legs.volume.add(row, own.volume, row)
      legs.rewards.add(row, own.rewards, row)
      this.joins[row] = (this.joins[row] as number) + (own.joins[row] as number)
      const up = this.up[row] as number
      if (up !== none) {
        legs.volume.add(up, legs.volume, row)
        legs.rewards.add(up, legs.rewards, row)
        this.joins[up] = (this.joins[up] as number) + (this.joins[row] as number)
        this.open[up] = (this.open[up] as number) - 1
        if (this.open[up] === 0) ready.push(up)
      }
      if (pace.spend(costAlone)) yield* pace.pause()
    }
  }

  /** Returns the row of a node; `undefined` without one. */
  find(node: number): number | undefined {
    const row = this.places[this.placeOf(node)] as number
    return row === 0 ? undefined : row - 1
  }

  amountsOf(node: number): TeamAmounts {
    const row = this.find(node)
    if (row === undefined) return { own: { volume: 0n, rewards: 0n }, team: { volume: 0n, rewards: 0n } }
    const own = { volume: this.own.volume.get(row), rewards: this.own.rewards.get(row) }
    const team = {
      volume: this.legs.volume.get(row) - own.volume,
      rewards: this.legs.rewards.get(row) - own.rewards,
    }
    return { own, team }
  }

  /** Returns the row of a node, and adds rows for those above it. */
  private rowOf(node: number): number {
    const known = this.find(node)
    if (known !== undefined) return known
    const row = this.add(node)
    let below = row
    for (let at = this.past.parentOf(node); at !== none; at = this.past.parentOf(at)) {
      const found = this.find(at)
      const above = found ?? this.add(at)
      this.up[below] = above
      this.open[above] = (this.open[above] as number) + 1
      if (found !== undefined) break
      below = above
    }
    return row
  }

  private add(node: number): number {
    if (this.length >= this.most) throw new QueryTooCostlyError('period')
    if (this.length === this.nodes.length) this.grow()
    const row = this.length++
    this.nodes[row] = node
    this.up[row] = none
    this.places[this.placeOf(node)] = row + 1
    return row
  }

  /** Returns the place of a node in the table, or the free one where it belongs. */
  private placeOf(node: number): number {
    const mask = this.places.length - 1
    let place = (Math.imul(node + 1, 0x9e3779b1) >>> 7) & mask
    for (;;) {
      const row = this.places[place] as number
      if (row === 0 || this.nodes[row - 1] === node) return place
      place = (place + 1) & mask
    }
  }

  private grow(): void {
    const capacity = this.nodes.length * 2
    for (const name of ['nodes', 'joins', 'up', 'open'] as const) this[name] = grownArray(this[name], capacity)
    const joins = new Uint8Array(capacity)
    joins.set(this.own.joins)
    this.own.joins = joins
    for (const amounts of [this.own.volume, this.own.rewards, this.legs.volume, this.legs.rewards])
      amounts.grow(capacity)
    if (this.places.length >= capacity * 2) return
    this.places = new Uint32Array(capacity * 4)
    for (let row = 0; row < this.length; row++) this.places[this.placeOf(this.nodes[row] as number)] = row + 1
  }
}

/** Reads the legs of periods, and keeps the last ones. */
export function createPeriodLegs(data: ForestData) {
  const tables = new Map<string, PeriodLegs>()
  return function* read({ from, to, of }: LegsRequest): Slices<PeriodLegs> {
    const { amounts, moves, nodes, tuning } = data
    const past = new Past(data, to)
    const [first, last] = [from ? amounts.until(from) : 0, amounts.until(to)]
    const joins = from && of === 'joins' ? new Past(data, from).joins : 0
    // A table is valid until a rollback, or an event that may be of its period.
    const key = [of, amounts.rollbacks, first, last, joins, past.joins, moves.until(to)].join()
    const found = tables.get(key)
    if (found) return found
    const [begin, end] = of === 'amounts' ? [first, last] : [joins, past.joins]
    const table = new PeriodLegs(past, { most: tuning.periodRows, events: end - begin })
    const pace = new Pace(tuning.sliceSteps, () => past.requireUnchanged())
    const reader = new AmountReader(amounts)
    const addAmount = (index: number) => {
      reader.read(index)
      table.addAmount(amounts.nodeAt(index), reader)
    }
    const addJoin = (index: number) => {
      const node = nodes.joinOrder[index] as number
      if (nodes.grade[node] === 0) table.addJoin(node)
      else table.undated++
    }
    const add = of === 'amounts' ? addAmount : addJoin
    for (let index = begin; index < end; index++) {
      add(index)
      if (pace.spend(costAlone)) yield* pace.pause()
    }
    yield* table.sumUp(pace)
    keepNewest(tables, key, table, mostTables, { rows: tuning.periodRows, rowsOf: ({ length }) => length })
    return table
  }
}

export type ReadLegs = ReturnType<typeof createPeriodLegs>
