type Compare = (left: number, right: number) => number

/**
 * Keeps the `limit` smallest of the nodes offered, without holding the others. Sorting in batches, not a heap: nodes
 * mostly come in runs of rising or falling order, which the built-in sort passes in linear time.
 */
export class Smallest {
  private readonly limit: number
  private readonly batch: number
  private readonly compare: Compare
  private kept: number[] = []
  /** The greatest of those to keep, once there are `limit`: whatever is not smaller need not be offered. */
  bound: number | undefined

  constructor(limit: number, compare: Compare) {
    this.limit = limit
    this.batch = limit + Math.max(limit, 512)
    this.compare = compare
  }

  offer(node: number): void {
    if (this.bound !== undefined && this.compare(node, this.bound) >= 0) return
    this.kept.push(node)
    if (this.kept.length >= this.batch) this.trim()
  }

  sorted(): number[] {
    this.trim()
    return this.kept
  }

  private trim(): void {
    this.kept.sort(this.compare)
    if (this.kept.length < this.limit) return
    this.kept.length = this.limit
    this.bound = this.kept[this.limit - 1]
  }
}
