import { grownArray } from './columns.ts'

/** A list of slots that grows several times faster than an array of numbers. */
export class SlotList {
  length = 0
  words: Uint32Array

  /** @param capacity Number of slots that are most likely added: to grow a list of millions takes long. */
  constructor(capacity = 64) {
    this.words = new Uint32Array(capacity)
  }

  push(slot: number): void {
    if (this.length === this.words.length) this.words = grownArray(this.words, Math.max(64, this.length * 2))
    this.words[this.length++] = slot
  }
}
