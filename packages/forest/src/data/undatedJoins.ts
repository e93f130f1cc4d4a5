import { partitionPoint } from '../lib/partitionPoint.ts'

/** Stores the joins of the members without a date, in join order. */
export class UndatedJoins {
  private readonly joins: number[] = []
  private readonly firstBlocks: number[] = []

  get length(): number {
    return this.joins.length
  }

  /** Adds a join. @param firstBlock The first block that it may be of. */
  push(join: number, firstBlock: number): void {
    this.joins.push(join)
    this.firstBlocks.push(firstBlock)
  }

  /** Removes the newest join if it has this join index. */
  removeLast(join: number): void {
    if (this.joins.at(-1) !== join) return
    this.joins.pop()
    this.firstBlocks.pop()
  }

  joinAt(index: number): number {
    return this.joins[index] as number
  }

  firstBlockAt(index: number): number {
    return this.firstBlocks[index] as number
  }

  /** Returns the index of the first join with at least this join index. */
  indexOf(join: number): number {
    return partitionPoint(this.joins.length, (index) => (this.joins[index] as number) < join)
  }
}
