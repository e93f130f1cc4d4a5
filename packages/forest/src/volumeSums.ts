import { Amounts, type AmountsData } from './amounts.ts'

const fineBits = 5
const coarseBits = 11

/** Sums of own volume over runs of 32 and of 2048 slots, so that a level's volume takes few additions. */
export class VolumeSums {
  private readonly fine: Amounts
  private readonly coarse: Amounts

  constructor(slots: number, data?: readonly AmountsData[]) {
    const [fine, coarse] = data ?? []
    this.fine = fine?.words.length ? Amounts.from(fine) : new Amounts((slots >>> fineBits) + 1)
    this.coarse = coarse?.words.length ? Amounts.from(coarse) : new Amounts((slots >>> coarseBits) + 1)
  }

  grow(slots: number): void {
    this.fine.grow((slots >>> fineBits) + 1)
    this.coarse.grow((slots >>> coarseBits) + 1)
  }

  add(slot: number, amounts: Amounts, source: number): void {
    this.fine.add(slot >>> fineBits, amounts, source)
    this.coarse.add(slot >>> coarseBits, amounts, source)
  }

  subtract(slot: number, amounts: Amounts, source: number): void {
    this.fine.subtract(slot >>> fineBits, amounts, source)
    this.coarse.subtract(slot >>> coarseBits, amounts, source)
  }

  /** Adds up own volume from slot `low` up to `high`. */
  sum(into: Amounts, low: number, high: number, own: Amounts, nodeAt: Uint32Array): void {
    if (!this.fine.isUsed) return
    for (let slot = low; slot < high; ) {
      if ((slot & ((1 << coarseBits) - 1)) === 0 && slot + (1 << coarseBits) <= high) {
        into.add(0, this.coarse, slot >>> coarseBits)
        slot += 1 << coarseBits
      } else if ((slot & ((1 << fineBits) - 1)) === 0 && slot + (1 << fineBits) <= high) {
        into.add(0, this.fine, slot >>> fineBits)
        slot += 1 << fineBits
      } else {
        into.add(0, own, nodeAt[slot] as number)
        slot++
      }
    }
  }

  /** Makes the sum over 32 slots right again, whatever a worker read while the volumes changed. */
  correct(slot: number, length: number, own: Amounts, nodeAt: Uint32Array): void {
    const run = slot >>> fineBits
    if (this.fine.isUsed) {
      this.coarse.subtract(slot >>> coarseBits, this.fine, run)
      this.fine.clear(run)
    }
    const low = run << fineBits
    for (let at = low; at < Math.min(low + (1 << fineBits), length); at++) this.add(at, own, nodeAt[at] as number)
  }

  get data(): AmountsData[] {
    return [this.fine.data, this.coarse.data]
  }

  get bytes(): number {
    return this.fine.bytes + this.coarse.bytes
  }
}
