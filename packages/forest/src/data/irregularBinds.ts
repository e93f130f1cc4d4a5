import { createBytes, createWords, grownColumn } from '../lib/columns.ts'
import { partitionPoint } from '../lib/partitionPoint.ts'
import type { BindStatus } from '../types.ts'

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
    const compare = (index: number) =>
      (this.positions[index * 2] as number) - block || (this.positions[index * 2 + 1] as number) - logIndex
    const index = partitionPoint(this.length, (index) => compare(index) < 0)
    return index < this.length && compare(index) === 0 ? this.statusAt(index) : undefined
  }

  /** Memory without spare room. */
  get bytes(): number {
    return this.length * 9
  }

  private statusAt(index: number): IrregularStatus {
    return statuses[this.statusIndexes[index] as number] as IrregularStatus
  }
}
