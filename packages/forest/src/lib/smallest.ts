type Compare = (left: number, right: number) => number

/**
 * Keeps the `limit` smallest rows of those offered. It sorts in batches instead of keeping a heap: rows mostly come
 * in ascending or descending order, which the built-in sort handles in linear time.
 */
export class Smallest {
  /** The greatest kept row, once there are `limit`. Rows that are not smaller need not be offered. */
  threshold: number | undefined
  private readonly limit: number
  private readonly batch: number
  private readonly compare: Compare
  private kept: number[] = []

  constructor(limit: number, compare: Compare) {
    this.limit = limit
    this.batch = limit + Math.max(limit, 64)
    this.compare = compare
  }

  offer(row: number): void {
    if (this.threshold !== undefined && this.compare(row, this.threshold) >= 0) return
    this.kept.push(row)
    if (this.kept.length >= this.batch) this.sorted()
  }

  /** Returns the kept rows, ascending, and updates `threshold`. */
  sorted(): number[] {
    this.kept.sort(this.compare)
    if (this.kept.length >= this.limit) {
      this.kept.length = this.limit
      this.threshold = this.kept[this.limit - 1]
    }
    return this.kept
  }
}
