import { createWords, grownArray, grownColumn } from './columns.ts'

export const wordsPerAmount = 4
export const wordBits = 32n
const wordMask = 0xffff_ffffn
const noWords = new Uint32Array(0)

/** `ceiling(index) * (1 - ceilingMargin)` is never above the exact amount. */
export const ceilingMargin = 2 ** -45

/** The parts of a column of amounts, to send to a worker. */
export interface AmountsData {
  words: Uint32Array
  high: ReadonlyMap<number, bigint>
}

/**
 * Stores a column of exact, non-negative amounts. The low 128 bits of each are four words, so that sums along an
 * upline allocate nothing; higher bits, which occur only in hostile events, are in a map. Uses no memory before the
 * first amount.
 */
export class Amounts {
  words: Uint32Array = noWords
  private high = new Map<number, bigint>()
  private capacity: number
  private readonly shared: boolean

  /** `shared`: a worker can read the words, and they grow in place. */
  constructor(capacity: number, shared: 'shared' | 'own' = 'own') {
    this.capacity = capacity
    this.shared = shared === 'shared'
  }

  static from({ words, high }: AmountsData): Amounts {
    const amounts = new Amounts(words.length / wordsPerAmount)
    amounts.words = words
    amounts.high = new Map(high)
    return amounts
  }

  /** Returns whether any amount was set. */
  get isUsed(): boolean {
    return this.words.length > 0
  }

  /** Returns whether any amount has bits above its words. */
  get hasHigh(): boolean {
    return this.high.size > 0
  }

  get data(): AmountsData {
    return { words: this.words, high: this.high }
  }

  get bytes(): number {
    return this.words.byteLength
  }

  grow(capacity: number): void {
    this.capacity = capacity
    if (!this.isUsed) return
    const length = capacity * wordsPerAmount
    this.words = this.shared ? grownColumn(this.words, length, wordsPerAmount) : grownArray(this.words, length)
  }

  get(index: number): bigint {
    if (!this.isUsed) return 0n
    let value = this.highOf(index)
    for (let word = wordsPerAmount - 1; word >= 0; word--) {
      const part = this.words[index * wordsPerAmount + word] as number
      if (value !== 0n) value = (value << wordBits) | BigInt(part)
      else if (part !== 0) value = BigInt(part)
    }
    return value
  }

  set(index: number, value: bigint): void {
    if (!this.isUsed && value === 0n) return
    this.use()
    let rest = value
    for (let word = 0; word < wordsPerAmount; word++) {
      this.words[index * wordsPerAmount + word] = Number(rest & wordMask)
      rest >>= wordBits
    }
    this.setHigh(index, rest)
  }

  clear(index: number): void {
    if (!this.isUsed) return
    for (let word = 0; word < wordsPerAmount; word++) this.words[index * wordsPerAmount + word] = 0
    if (this.high.size > 0) this.high.delete(index)
  }

  /** Sets an amount given as eight words, lowest first. */
  setWords(index: number, words: Uint32Array): void {
    this.use()
    for (let word = 0; word < wordsPerAmount; word++) this.words[index * wordsPerAmount + word] = words[word] as number
    let high = 0n
    for (let word = wordsPerAmount * 2 - 1; word >= wordsPerAmount; word--)
      if (high !== 0n || words[word] !== 0) high = (high << wordBits) | BigInt(words[word] as number)
    this.setHigh(index, high)
  }

  /** Sets an amount below 2 ** 128, given as four words from `offset` on, lowest first. */
  setLow(index: number, words: Float64Array, offset: number): void {
    this.use()
    for (let word = 0; word < wordsPerAmount; word++)
      this.words[index * wordsPerAmount + word] = words[offset + word] as number
    this.setHigh(index, 0n)
  }

  /** Reads an amount into eight words, lowest first. */
  getWords(index: number, into: Uint32Array): void {
    let high = this.highOf(index)
    for (let word = 0; word < wordsPerAmount; word++) into[word] = this.words[index * wordsPerAmount + word] ?? 0
    for (let word = wordsPerAmount; word < wordsPerAmount * 2; word++, high >>= wordBits)
      into[word] = Number(high & wordMask)
  }

  /** Computes `this[index] += from[source]`. */
  add(index: number, from: Amounts, source: number): void {
    if (!from.isUsed) return
    this.use()
    const { words } = this
    const other = from.words
    const [to, at] = [index * wordsPerAmount, source * wordsPerAmount]
    let carry = 0
    for (let word = 0; word < wordsPerAmount; word++) {
      const sum = (words[to + word] as number) + (other[at + word] as number) + carry
      words[to + word] = sum
      carry = sum > 0xffff_ffff ? 1 : 0
    }
    if (carry !== 0 || from.high.size > 0) this.setHigh(index, this.highOf(index) + from.highOf(source) + BigInt(carry))
  }

  /** Computes `this[index] -= from[source]`, which must not be greater. */
  subtract(index: number, from: Amounts, source: number): void {
    if (!from.isUsed) return
    this.use()
    const { words } = this
    let borrow = 0
    for (let word = 0; word < wordsPerAmount; word++) {
      const difference =
        (words[index * wordsPerAmount + word] as number) -
        (from.words[source * wordsPerAmount + word] as number) -
        borrow
      words[index * wordsPerAmount + word] = difference
      borrow = difference < 0 ? 1 : 0
    }
    if (borrow !== 0 || from.high.size > 0)
      this.setHigh(index, this.highOf(index) - from.highOf(source) - BigInt(borrow))
  }

  /** Computes `this[index] = from[source]`. */
  copy(index: number, from: Amounts, source: number): void {
    if (!from.isUsed) {
      this.clear(index)
      return
    }
    this.use()
    const { words } = this
    for (let word = 0; word < wordsPerAmount; word++)
      words[index * wordsPerAmount + word] = from.words[source * wordsPerAmount + word] as number
    if (this.high.size > 0 || from.high.size > 0) this.setHigh(index, from.highOf(source))
  }

  /** Returns a negative number if `this[index]` is less than `from[source]`, 0 if they are equal. */
  compare(index: number, from: Amounts, source: number): number {
    if (!this.isUsed || !from.isUsed) return Number(from.isUsed ? -from.ceiling(source) : this.ceiling(index))
    if (this.high.size > 0 || from.high.size > 0) {
      const high = this.highOf(index)
      const otherHigh = from.highOf(source)
      if (high !== otherHigh) return high < otherHigh ? -1 : 1
    }
    for (let word = wordsPerAmount - 1; word >= 0; word--) {
      const difference =
        (this.words[index * wordsPerAmount + word] as number) - (from.words[source * wordsPerAmount + word] as number)
      if (difference !== 0) return difference
    }
    return 0
  }

  /** Returns the amount rounded up by at most a factor of `ceilingMargin`; 0 only for 0. */
  ceiling(index: number): number {
    if (!this.isUsed) return 0
    if (this.high.size > 0 && this.high.has(index)) return Number.POSITIVE_INFINITY
    const { words } = this
    const at = index * wordsPerAmount
    const value =
      (((words[at + 3] as number) * 2 ** 32 + (words[at + 2] as number)) * 2 ** 32 + (words[at + 1] as number)) *
        2 ** 32 +
      (words[at] as number)
    return value * (1 + 2 ** -48)
  }

  private use(): void {
    if (this.isUsed) return
    const length = this.capacity * wordsPerAmount
    this.words = this.shared ? createWords(length, wordsPerAmount) : new Uint32Array(length)
  }

  /** Returns the bits of an amount above the words. */
  highOf(index: number): bigint {
    return this.high.size === 0 ? 0n : (this.high.get(index) ?? 0n)
  }

  private setHigh(index: number, value: bigint): void {
    if (value !== 0n) this.high.set(index, value)
    else if (this.high.size > 0) this.high.delete(index)
  }
}

/** Creates a column of one amount. */
export function amountOf(value: bigint): Amounts {
  const amounts = new Amounts(1)
  amounts.set(0, value)
  return amounts
}
