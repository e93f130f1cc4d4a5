import { Amounts } from '../lib/amounts.ts'
import { grownArray, partitionPoint } from '../lib/columns.ts'
import { secondsADay } from '../lib/days.ts'
import type { EventPosition, Moment } from '../types.ts'

const keptSeconds = 31 * secondsADay
/** Days of all time zones begin at a multiple of it. */
const quarterHour = 900
const thinEvery = 4096
const initialCapacity = 256

/** Running totals at one moment. */
export interface Totals {
  /** Members with a date. */
  members: number
  volume: bigint
  rewards: bigint
}

/**
 * Stores running totals, one row for each block with an event. Of committed blocks older than 31 days it keeps only the
 * last row of each quarter of an hour, which is enough for the days of every time zone and for the periods that end now.
 */
export class Timeline {
  length = 0
  private block = new Uint32Array(initialCapacity)
  private timestamp = new Uint32Array(initialCapacity)
  private members = new Uint32Array(initialCapacity)
  private readonly volume = new Amounts(initialCapacity)
  private readonly rewards = new Amounts(initialCapacity)
  private thinAt = thinEvery
  /** Time of the oldest change since a reader last set this. Totals before it have not changed. */
  changedSince = 0

  /** Time of the newest event; 0 without one. */
  get lastTimestamp(): number {
    return this.length === 0 ? 0 : (this.timestamp[this.length - 1] as number)
  }

  /** Adds a member; one without a date is not counted. */
  addMember(position: EventPosition & { grade: number }, finalBlock: number): void {
    const row = this.rowAt(position, finalBlock)
    this.members[row] = (this.members[row] as number) + Number(position.grade === 0)
  }

  add(kind: 'volume' | 'rewards', amount: Amounts, position: EventPosition, finalBlock: number): void {
    this[kind].add(this.rowAt(position, finalBlock), amount, 0)
  }

  rollback(toBlock: number): void {
    while (this.length > 0 && (this.block[this.length - 1] as number) > toBlock) this.length--
    this.changedSince = Math.min(this.changedSince, this.lastTimestamp)
  }

  /** Returns the totals of all events up to and including `timestamp`. */
  until(timestamp: number): Totals {
    const row = partitionPoint(this.length, (row) => (this.timestamp[row] as number) <= timestamp) - 1
    if (row < 0) return { members: 0, volume: 0n, rewards: 0n }
    return { members: this.members[row] as number, volume: this.volume.get(row), rewards: this.rewards.get(row) }
  }

  /** Returns the last row up to and including a moment: its block and totals; `undefined` before the first event. */
  rowUntil(moment: Moment): { block: number; volume: bigint; rewards: bigint } | undefined {
    const row = this.lastRow(moment)
    if (row < 0) return undefined
    return { block: this.block[row] as number, volume: this.volume.get(row), rewards: this.rewards.get(row) }
  }

  /** Returns whether an event came after a moment, up to and including another one. */
  hasEvent(after: Moment, until: Moment): boolean {
    const row = this.lastRow(until)
    if (row < 0) return false
    return 'block' in after
      ? (this.block[row] as number) > after.block
      : (this.timestamp[row] as number) > after.timestamp
  }

  /** Returns when the first member joined, or a later second of the same quarter of an hour. */
  firstMemberTime(): number | undefined {
    for (let row = 0; row < this.length; row++) if (this.members[row] !== 0) return this.timestamp[row]
    return undefined
  }

  get bytes(): number {
    return this.block.byteLength * 3 + this.volume.bytes + this.rewards.bytes
  }

  /** Returns the index of the last row up to and including a moment; -1 before the first event. */
  private lastRow(moment: Moment): number {
    const [column, last] = 'block' in moment ? [this.block, moment.block] : [this.timestamp, moment.timestamp]
    return partitionPoint(this.length, (index) => (column[index] as number) <= last) - 1
  }

  private rowAt(position: EventPosition, finalBlock: number): number {
    const last = this.length - 1
    if (last >= 0 && this.block[last] === position.block && this.timestamp[last] === position.timestamp) return last
    if (this.length >= this.thinAt) this.thin(finalBlock)
    if (this.length === this.block.length) this.grow()
    const row = this.length++
    this.block[row] = position.block
    this.timestamp[row] = position.timestamp
    if (row === 0) {
      this.members[0] = 0
      this.volume.clear(0)
      this.rewards.clear(0)
    } else this.copyTotals(row, row - 1)
    return row
  }

  /** Drops the rows that are no longer needed. */
  private thin(finalBlock: number): void {
    let committed = this.length - 1
    while (committed >= 0 && (this.block[committed] as number) > finalBlock) committed--
    const horizon = committed < 0 ? 0 : (this.timestamp[committed] as number) - keptSeconds
    let kept = 0
    for (let row = 0; row < this.length; row++) {
      const next = row + 1 < this.length ? (this.timestamp[row + 1] as number) : Number.POSITIVE_INFINITY
      const isLast = Math.floor(next / quarterHour) > Math.floor((this.timestamp[row] as number) / quarterHour)
      if (next <= horizon && !isLast) continue
      this.block[kept] = this.block[row] as number
      this.timestamp[kept] = this.timestamp[row] as number
      this.copyTotals(kept, row)
      kept++
    }
    this.length = kept
    this.thinAt = Math.max(thinEvery, kept * 2)
  }

  private copyTotals(to: number, from: number): void {
    this.members[to] = this.members[from] as number
    this.volume.copy(to, this.volume, from)
    this.rewards.copy(to, this.rewards, from)
  }

  private grow(): void {
    const capacity = Math.ceil(this.block.length * 1.5)
    this.block = grownArray(this.block, capacity)
    this.timestamp = grownArray(this.timestamp, capacity)
    this.members = grownArray(this.members, capacity)
    this.volume.grow(capacity)
    this.rewards.grow(capacity)
  }
}
