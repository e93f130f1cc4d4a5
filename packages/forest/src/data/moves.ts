import { createWords, grownColumn, partitionPoint } from '../lib/columns.ts'
import type { EventPosition, Moment } from '../types.ts'

const initialCapacity = 32
const width = 5

/** Stores every move of a bound member in log order, from which the forest at a past moment is computed. */
export class Moves {
  length = 0
  /** For each move: node, previous parent, block, time and the first block that it may be of. */
  private rows = createWords(initialCapacity * width, width)

  push(node: number, before: number, { block, timestamp, firstBlock }: EventPosition & { firstBlock: number }): void {
    if ((this.length + 1) * width > this.rows.length)
      this.rows = grownColumn(this.rows, Math.ceil(this.length * 1.5) * width, width)
    this.rows.set([node, before, block, timestamp, firstBlock], this.length * width)
    this.length++
  }

  removeLast(): void {
    this.length--
  }

  nodeAt(index: number): number {
    return this.rows[index * width] as number
  }

  parentBefore(index: number): number {
    return this.rows[index * width + 1] as number
  }

  /** Returns whether a move may be of a block before `end`, although it is stored at a later one. */
  mayBeBefore(index: number, end: number): boolean {
    const [block, firstBlock] = [2, 4].map((column) => this.rows[index * width + column] as number) as [number, number]
    return firstBlock < block && firstBlock < end
  }

  /** Returns how many moves there were up to and including a moment. */
  until(moment: Moment): number {
    const [column, last] = 'block' in moment ? [2, moment.block] : [3, moment.timestamp]
    return partitionPoint(this.length, (index) => (this.rows[index * width + column] as number) <= last)
  }

  /** Memory without spare room. */
  get bytes(): number {
    return this.length * width * 4
  }
}
