import { grownArray } from './columns.ts'

/** A list of slots that grows several times faster than an array of numbers. */
export class SlotList {
  length = 0
  words = new Uint32Array(64)

  push(slot: number): void {
    if (this.length === this.words.length) this.words = grownArray(this.words, this.length * 2)
    this.words[this.length++] = slot
  }
}
