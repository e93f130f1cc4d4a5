import { createWords, grownArray, grownColumn } from './columns.ts'

const wordsEach = 4
const wordBits = 32n
const wordMask = 0xffff_ffffn
const noWords = new Uint32Array(0)

/** What a worker needs to read a column of amounts. */
export interface AmountsData {
  words: Uint32Array
  high: ReadonlyMap<number, bigint>
}

/**
 * A growable column of exact, non-negative amounts: 128 bits in four words each, so that sums along an upline
 * allocate nothing, and whatever a hostile event adds above that in a map. Takes no memory before the first amount.
 */
export class Amounts {
  words: Uint32Array = noWords
  private high = new Map<number, bigint>()
  private capacity: number
  private readonly shared: boolean

  /** `shared`: a worker may read the words, and they grow in place. */
  constructor(capacity: number, shared: 'shared' | 'own' = 'own') {
    this.capacity = capacity
    this.shared = shared === 'shared'
  }

  static from({ words, high }: AmountsData): Amounts {
    const amounts = new Amounts(words.length / wordsEach)
    amounts.words = words
    amounts.high = new Map(high)
    return amounts
  }

  /** Whether any amount was ever other than zero. */
  get isUsed(): boolean {
    return this.words.length > 0
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
    const length = capacity * wordsEach
    this.words = this.shared ? grownColumn(this.words, length, wordsEach) : grownArray(this.words, length)
  }

  get(index: number): bigint {
    if (!this.isUsed) return 0n
    let value = this.highOf(index)
    for (let word = wordsEach - 1; word >= 0; word--) {
      const part = this.words[index * wordsEach + word] as number
      if (value !== 0n) value = (value << wordBits) | BigInt(part)
      else if (part !== 0) value = BigInt(part)
    }
    return value
  }

  set(index: number, value: bigint): void {
    if (!this.isUsed && value === 0n) return
    this.use()
    let rest = value
    for (let word = 0; word < wordsEach; word++) {
      this.words[index * wordsEach + word] = Number(rest & wordMask)
      rest >>= wordBits
    }
    this.setHigh(index, rest)
  }

  clear(index: number): void {
    if (!this.isUsed) return
    for (let word = 0; word < wordsEach; word++) this.words[index * wordsEach + word] = 0
    if (this.high.size > 0) this.high.delete(index)
  }

  /** Eight words, the least first. */
  setWords(index: number, words: Uint32Array): void {
    this.use()
    for (let word = 0; word < wordsEach; word++) this.words[index * wordsEach + word] = words[word] as number
    let high = 0n
    for (let word = wordsEach * 2 - 1; word >= wordsEach; word--)
      if (high !== 0n || words[word] !== 0) high = (high << wordBits) | BigInt(words[word] as number)
    this.setHigh(index, high)
  }

  /** `this[index] += from[source]` */
  add(index: number, from: Amounts, source: number): void {
    if (!from.isUsed) return
    this.use()
    const { words } = this
    let carry = 0
    for (let word = 0; word < wordsEach; word++) {
      const sum =
        (words[index * wordsEach + word] as number) + (from.words[source * wordsEach + word] as number) + carry
      words[index * wordsEach + word] = sum
      carry = sum > 0xffff_ffff ? 1 : 0
    }
    if (carry !== 0 || from.high.size > 0) this.setHigh(index, this.highOf(index) + from.highOf(source) + BigInt(carry))
  }

  /** `this[index] -= from[source]`, which must not be greater. */
  subtract(index: number, from: Amounts, source: number): void {
    if (!from.isUsed) return
    this.use()
    const { words } = this
    let borrow = 0
    for (let word = 0; word < wordsEach; word++) {
      const difference =
        (words[index * wordsEach + word] as number) - (from.words[source * wordsEach + word] as number) - borrow
      words[index * wordsEach + word] = difference
      borrow = difference < 0 ? 1 : 0
    }
    if (borrow !== 0 || from.high.size > 0)
      this.setHigh(index, this.highOf(index) - from.highOf(source) - BigInt(borrow))
  }

  /** `this[index] = from[source]` */
  copy(index: number, from: Amounts, source: number): void {
    if (!from.isUsed) {
      this.clear(index)
      return
    }
    this.use()
    const { words } = this
    const { words: read } = from
    for (let word = 0; word < wordsEach; word++)
      words[index * wordsEach + word] = read[source * wordsEach + word] as number
    if (this.high.size > 0 || from.high.size > 0) this.setHigh(index, from.highOf(source))
  }

  /** Negative when `this[index]` is the lesser of the two. */
  compare(index: number, from: Amounts, source: number): number {
    if (!this.isUsed || !from.isUsed) return Number(from.isUsed ? -from.ceiling(source) : this.ceiling(index))
    if (this.high.size > 0 || from.high.size > 0) {
      const high = this.highOf(index)
      const otherHigh = from.highOf(source)
      if (high !== otherHigh) return high < otherHigh ? -1 : 1
    }
    for (let word = wordsEach - 1; word >= 0; word--) {
      const difference =
        (this.words[index * wordsEach + word] as number) - (from.words[source * wordsEach + word] as number)
      if (difference !== 0) return difference
    }
    return 0
  }

  /** A number that is not below the amount, and 0 only for 0. */
  ceiling(index: number): number {
    if (!this.isUsed) return 0
    if (this.high.size > 0 && this.high.has(index)) return Number.POSITIVE_INFINITY
    const { words } = this
    const at = index * wordsEach
    const value =
      (((words[at + 3] as number) * 2 ** 32 + (words[at + 2] as number)) * 2 ** 32 + (words[at + 1] as number)) *
        2 ** 32 +
      (words[at] as number)
    return value * (1 + 2 ** -48)
  }

  private use(): void {
    if (this.isUsed) return
    const length = this.capacity * wordsEach
    this.words = this.shared ? createWords(length, wordsEach) : new Uint32Array(length)
  }

  private highOf(index: number): bigint {
    return this.high.size === 0 ? 0n : (this.high.get(index) ?? 0n)
  }

  private setHigh(index: number, value: bigint): void {
    if (value !== 0n) this.high.set(index, value)
    else if (this.high.size > 0) this.high.delete(index)
  }
}

/** A column of one amount, to add along an upline. */
export function amountOf(value: bigint): Amounts {
  const amounts = new Amounts(1)
  amounts.set(0, value)
  return amounts
}
