import { createBytes, createWords, grownColumn } from '../lib/columns.ts'
import { partitionPoint } from '../lib/partitionPoint.ts'
import type { BindStatus, EventPosition } from '../types.ts'

type Place = Pick<EventPosition, 'block' | 'logIndex'>
export type IrregularStatus = Exclude<BindStatus, 'bound'>
const statuses: readonly IrregularStatus[] = ['self', 'duplicate', 'cycle']
const initialCapacity = 32

/** Counts the irregular binds and stores their positions in log order, nine bytes each. */
export class IrregularBinds {
  readonly counts: Record<IrregularStatus, number> = { self: 0, duplicate: 0, cycle: 0 }
  private length = 0
  /** Block and log index of each bind. */
  private positions = createWords(initialCapacity * 2, 2)
  private statusIndexes = createBytes(initialCapacity)

  push(block: number, logIndex: number, status: IrregularStatus): void {
    if (this.length === this.statusIndexes.length) {
      const capacity = Math.ceil(this.length * 1.5)
      this.positions = grownColumn(this.positions, capacity * 2, 2)
      this.statusIndexes = grownColumn(this.statusIndexes, capacity)
    }
    this.positions[this.length * 2] = block
    this.positions[this.length * 2 + 1] = logIndex
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
          block: this.positions[index * 2] as number,
          logIndex: this.positions[index * 2 + 1] as number,
        })
    return found
  }

  /** Memory without spare room. */
  get bytes(): number {
    return this.length * 9
  }

  /** Compares the position of a bind with another one. */
  private compare(index: number, { block, logIndex }: Place): number {
    return (this.positions[index * 2] as number) - block || (this.positions[index * 2 + 1] as number) - logIndex
  }

  private statusAt(index: number): IrregularStatus {
    return statuses[this.statusIndexes[index] as number] as IrregularStatus
  }
}
