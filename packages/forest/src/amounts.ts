const wordsEach = 4
const wordBits = 32n
const wordMask = 0xffff_ffffn

/**
 * A growable column of exact, non-negative amounts: 128 bits in four words each, so that sums along an upline
 * allocate nothing, and whatever a hostile event adds above that in a map.
 */
export class Amounts {
  words: Uint32Array
  private readonly high = new Map<number, bigint>()

  constructor(capacity: number) {
    this.words = new Uint32Array(capacity * wordsEach)
  }

  grow(capacity: number): void {
    const words = new Uint32Array(capacity * wordsEach)
    words.set(this.words)
    this.words = words
  }

  get(index: number): bigint {
    let value = this.highOf(index)
    for (let word = wordsEach - 1; word >= 0; word--)
      value = (value << wordBits) | BigInt(this.words[index * wordsEach + word] as number)
    return value
  }

  set(index: number, value: bigint): void {
    let rest = value
    for (let word = 0; word < wordsEach; word++) {
      this.words[index * wordsEach + word] = Number(rest & wordMask)
      rest >>= wordBits
    }
    this.setHigh(index, rest)
  }

  /** `this[index] += from[source]` */
  add(index: number, from: Amounts, source: number): void {
    const { words } = this
    let carry = 0
    for (let word = 0; word < wordsEach; word++) {
      const sum =
        (words[index * wordsEach + word] as number) + (from.words[source * wordsEach + word] as number) + carry
      words[index * wordsEach + word] = sum
      carry = sum > 0xffff_ffff ? 1 : 0
    }
    const over = from.highOf(source)
    if (carry !== 0 || over !== 0n) this.setHigh(index, this.highOf(index) + over + BigInt(carry))
  }

  /** `this[index] -= from[source]`, which must not be greater. */
  subtract(index: number, from: Amounts, source: number): void {
    const { words } = this
    let borrow = 0
    for (let word = 0; word < wordsEach; word++) {
      const difference =
        (words[index * wordsEach + word] as number) - (from.words[source * wordsEach + word] as number) - borrow
      words[index * wordsEach + word] = difference
      borrow = difference < 0 ? 1 : 0
    }
    const over = from.highOf(source)
    if (borrow !== 0 || over !== 0n) this.setHigh(index, this.highOf(index) - over - BigInt(borrow))
  }

  /** `this[index] = from[source]` */
  copy(index: number, from: Amounts, source: number): void {
    for (let word = 0; word < wordsEach; word++)
      this.words[index * wordsEach + word] = from.words[source * wordsEach + word] as number
    this.setHigh(index, from.highOf(source))
  }

  /** Negative when `this[index]` is the lesser of the two. */
  compare(index: number, from: Amounts, source: number): number {
    const high = this.highOf(index)
    const otherHigh = from.highOf(source)
    if (high !== otherHigh) return high < otherHigh ? -1 : 1
    for (let word = wordsEach - 1; word >= 0; word--) {
      const difference =
        (this.words[index * wordsEach + word] as number) - (from.words[source * wordsEach + word] as number)
      if (difference !== 0) return difference
    }
    return 0
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
