import { createBytes, createWords, grownColumn } from './columns.ts'
import type { BindStatus } from './types.ts'

const statuses = ['self', 'duplicate', 'cycle'] as const
type Refusal = Exclude<BindStatus, 'bound'>

/** Which binds made no edge, in log order: nine bytes each. */
export class Refusals {
  private length = 0
  /** Block and log index of each. */
  private positions = createWords(64, 2)
  private kinds = createBytes(32)

  push(block: number, logIndex: number, status: Refusal): void {
    if (this.length === this.kinds.length) {
      const capacity = Math.ceil(this.length * 1.5)
      this.positions = grownColumn(this.positions, capacity * 2, 2)
      this.kinds = grownColumn(this.kinds, capacity)
    }
    this.positions[this.length * 2] = block
    this.positions[this.length * 2 + 1] = logIndex
    this.kinds[this.length] = statuses.indexOf(status)
    this.length++
  }

  removeLast(): void {
    this.length--
  }

  /** `undefined` for a bind that was not refused. */
  at(block: number, logIndex: number): Refusal | undefined {
    let low = 0
    let high = this.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const difference =
        (this.positions[middle * 2] as number) - block || (this.positions[middle * 2 + 1] as number) - logIndex
      if (difference === 0) return statuses[this.kinds[middle] as number]
      if (difference < 0) low = middle + 1
      else high = middle
    }
    return undefined
  }

  get bytes(): number {
    return this.length * 9
  }
}
