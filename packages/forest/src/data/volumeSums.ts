import { Amounts, type AmountsData } from '../lib/amounts.ts'

const fineBits = 5
const coarseBits = 11
const fineSlots = 1 << fineBits
const coarseSlots = 1 << coarseBits

/** Stores the own volume of each 32 and each 2048 slots, so that the volume of a level takes few additions. */
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

  /** Adds the own volume from slot `low` up to `high` to `into[index]`. */
  sum(into: Amounts, index: number, low: number, high: number, own: Amounts, nodeAt: Uint32Array): void {
    if (!this.fine.isUsed) return
    for (let slot = low; slot < high; ) {
      if ((slot & (coarseSlots - 1)) === 0 && slot + coarseSlots <= high) {
        into.add(index, this.coarse, slot >>> coarseBits)
        slot += coarseSlots
      } else if ((slot & (fineSlots - 1)) === 0 && slot + fineSlots <= high) {
        into.add(index, this.fine, slot >>> fineBits)
        slot += fineSlots
      } else {
        into.add(index, own, nodeAt[slot] as number)
        slot++
      }
    }
  }

  /** Recomputes the sums over these slots, because a worker may have read them while the volumes changed. */
  recompute(changed: readonly number[], length: number, own: Amounts, nodeAt: Uint32Array): void {
    for (const fine of new Set(changed.map((slot) => slot >>> fineBits))) {
      const low = fine << fineBits
      if (this.fine.isUsed) {
        this.coarse.subtract(low >>> coarseBits, this.fine, fine)
        this.fine.clear(fine)
      }
      for (let slot = low; slot < Math.min(low + fineSlots, length); slot++) this.add(slot, own, nodeAt[slot] as number)
    }
  }

  get data(): AmountsData[] {
    return [this.fine.data, this.coarse.data]
  }

  get bytes(): number {
    return this.fine.bytes + this.coarse.bytes
  }
}
