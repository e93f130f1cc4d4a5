import { createBytes, createWords, grownColumn, partitionPoint } from '../lib/columns.ts'
import type { BindStatus, EventPosition, Moment } from '../types.ts'

type Place = Pick<EventPosition, 'block' | 'logIndex'>
export type IrregularStatus = Exclude<BindStatus, 'bound'>
const statuses: readonly IrregularStatus[] = ['self', 'duplicate', 'cycle']
const initialCapacity = 32
const width = 3

/** Counts the irregular binds and stores their positions and times in log order, thirteen bytes each. */
export class IrregularBinds {
  readonly counts: Record<IrregularStatus, number> = { self: 0, duplicate: 0, cycle: 0 }
  private length = 0
  /** Block, log index and time of each bind. */
  private rows = createWords(initialCapacity * width, width)
  private statusIndexes = createBytes(initialCapacity)

  push({ block, logIndex, timestamp }: EventPosition, status: IrregularStatus): void {
    if (this.length === this.statusIndexes.length) {
      const capacity = Math.ceil(this.length * 1.5)
      this.rows = grownColumn(this.rows, capacity * width, width)
      this.statusIndexes = grownColumn(this.statusIndexes, capacity)
    }
    this.rows.set([block, logIndex, timestamp], this.length * width)
    this.statusIndexes[this.length] = statuses.indexOf(status)
    this.length++
    this.counts[status]++
  }

  removeLast(): void {
    this.length--
    this.counts[this.statusAt(this.length)]--
  }

  /** Returns the status of the bind at a position; `undefined` if it is not irregular. */
  find(block: number, logIndex: number): IrregularStatus | undefined {
    const index = partitionPoint(this.length, (index) => this.compare(index, { block, logIndex }) < 0)
    return index < this.length && this.compare(index, { block, logIndex }) === 0 ? this.statusAt(index) : undefined
  }

  /** Lists the newest binds of some statuses before a position, the newest first. */
  list(asked: readonly IrregularStatus[], before: Place | undefined, limit: number): Place[] {
    const found: Place[] = []
    const end = before ? partitionPoint(this.length, (index) => this.compare(index, before) < 0) : this.length
    for (let index = end - 1; index >= 0 && found.length < limit; index--)
      if (asked.includes(this.statusAt(index)))
        found.push({
          block: this.rows[index * width] as number,
          logIndex: this.rows[index * width + 1] as number,
        })
    return found
  }

  /** Counts the binds of each status up to and including a moment. */
  countsUntil(moment: Moment): Record<IrregularStatus, number> {
    const [column, last] = 'block' in moment ? [0, moment.block] : [2, moment.timestamp]
    const end = partitionPoint(this.length, (index) => (this.rows[index * width + column] as number) <= last)
    const counts = { self: 0, duplicate: 0, cycle: 0 }
    for (let index = 0; index < end; index++) counts[this.statusAt(index)]++
    return counts
  }

  /** Memory without spare room. */
  get bytes(): number {
    return this.length * (1 + width * 4)
  }

  /** Compares the position of a bind with another one. */
  private compare(index: number, { block, logIndex }: Place): number {
    return (this.rows[index * width] as number) - block || (this.rows[index * width + 1] as number) - logIndex
  }

  private statusAt(index: number): IrregularStatus {
    return statuses[this.statusIndexes[index] as number] as IrregularStatus
  }
}
