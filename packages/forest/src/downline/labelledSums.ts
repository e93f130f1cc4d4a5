import { Totals } from '../lib/totals.ts'
import type { AmountSums } from '../types.ts'

/** Label of the member itself. Its downline has labels from 1 on. */
export const ownLabel = 0

/** Volumes and rewards by period and label. */
export class LabelledSums {
  private readonly columns: readonly [volume: Totals, rewards: Totals]
  private readonly count: number

  constructor({ count, bounds }: { count: number; bounds: { length: number } }) {
    const length = count * Math.max(bounds.length - 1, 1)
    this.count = count
    this.columns = [new Totals(length), new Totals(length)]
  }

  /** Returns the column of a kind, an index into `amountKinds`. Its rows are `period * count + label`. */
  column(kind: number): Totals {
    return this.columns[kind as 0 | 1]
  }

  add(other: LabelledSums): void {
    for (const kind of [0, 1] as const) this.columns[kind].addAll(other.columns[kind])
  }

  at(label: number, period = 0): AmountSums {
    const row = period * this.count + label
    const [volume, rewards] = this.columns
    return { volume: volume.get(row), rewards: rewards.get(row) }
  }

  /** Returns the sums of the downline. */
  team(period = 0): AmountSums {
    const sums = { volume: 0n, rewards: 0n }
    for (let label = ownLabel + 1; label < this.count; label++) {
      const { volume, rewards } = this.at(label, period)
      sums.volume += volume
      sums.rewards += rewards
    }
    return sums
  }
}
