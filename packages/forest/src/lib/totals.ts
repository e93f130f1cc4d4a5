import { type Amounts, wordBits, wordsPerAmount } from './amounts.ts'

const wordSize = 2 ** Number(wordBits)
/** Additions after which words are carried. A word stays below 2 ** 53, so that it is exact. */
const mostAdditions = 2 ** 20

/** A part of running sums: where the sums begin, and from where up to where it is. */
export type Places = { start: number; from: number; to: number }
/** Offset of each place, the row of each offset counted from 1, and the row that they are counted from. */
type Rows = { offsets: Uint16Array; rows: Uint32Array; base: number }

/**
 * Sums up amounts, exactly. Each sum is four words of 32 bits as numbers, which are carried only once in a while: several times as
 * fast as adding to `Amounts`. Bits above are in a map.
 */
export class Totals {
  private readonly words: Float64Array
  private readonly high = new Map<number, bigint>()
  private readonly length: number
  private additions = 0

  constructor(length: number) {
    this.length = length
    this.words = new Float64Array(length * wordsPerAmount)
  }

  /** Computes `this[row] += from[source]`. */
  add(row: number, from: Amounts, source: number): void {
    if (!from.isUsed) return
    if (++this.additions > mostAdditions) this.carry()
    const { words } = this
    const other = from.words
    const [to, at] = [row * wordsPerAmount, source * wordsPerAmount]
    for (let word = 0; word < wordsPerAmount; word++)
      words[to + word] = (words[to + word] as number) + (other[at + word] as number)
    if (from.hasHigh) this.addHigh(row, from.highOf(source))
  }

  /** Computes `this[row] += from[source] - from[before]`. */
  addDifference(row: number, from: Amounts, source: number, before: number): void {
    if (!from.isUsed) return
    if (++this.additions > mostAdditions) this.carry()
    const { words } = this
    const other = from.words
    const [to, upper, lower] = [row * wordsPerAmount, source * wordsPerAmount, before * wordsPerAmount]
    for (let word = 0; word < wordsPerAmount; word++)
      words[to + word] =
        (words[to + word] as number) + ((other[upper + word] as number) - (other[lower + word] as number))
    if (from.hasHigh) this.addHigh(row, from.highOf(source) - from.highOf(before))
  }

  /**
   * For each place from `from` up to `to` of running sums that begin at `start`, adds its amount to a row: the one in `rows` at its
   * offset, counted from `base`. None for 0, so that `rows` counts from 1.
   */
  addEach(sums: Amounts, { start, from, to }: Places, { offsets, rows, base }: Rows): void {
    for (let place = from; place < to; ) {
      const end = Math.min(to, place + mostAdditions)
      this.additions += end - place
      if (this.additions > mostAdditions) this.carry(end - place)
      this.addEachWord(sums, { start, from: place, to: end }, { offsets, rows, base })
      if (sums.hasHigh)
        for (let at = place; at < end; at++) {
          const row = rows[offsets[at] as number] as number
          if (row > 0) this.addHigh(base + row - 1, sums.highOf(at) - (at > start ? sums.highOf(at - 1) : 0n))
        }
      place = end
    }
  }

  private addEachWord({ words: other }: Amounts, { start, from, to }: Places, { offsets, rows, base }: Rows): void {
    const { words } = this
    let at = from * wordsPerAmount
    // Written out word by word, and reads each amount once, because most of the time of a question is spent here.
    // The words of the place before.
    let [first, second, third, fourth] = [0, 0, 0, 0]
    if (from > start) {
      first = other[at - 4] as number
      second = other[at - 3] as number
      third = other[at - 2] as number
      fourth = other[at - 1] as number
    }
    for (let place = from; place < to; place++, at += wordsPerAmount) {
      const row = rows[offsets[place] as number] as number
      if (row > 0) {
        const into = (base + row - 1) * wordsPerAmount
        words[into] = (words[into] as number) + ((other[at] as number) - first)
        words[into + 1] = (words[into + 1] as number) + ((other[at + 1] as number) - second)
        words[into + 2] = (words[into + 2] as number) + ((other[at + 2] as number) - third)
        words[into + 3] = (words[into + 3] as number) + ((other[at + 3] as number) - fourth)
      }
      first = other[at] as number
      second = other[at + 1] as number
      third = other[at + 2] as number
      fourth = other[at + 3] as number
    }
  }

  /** Adds all sums of others, of the same length. */
  addAll(others: Totals): void {
    others.carry()
    if (++this.additions > mostAdditions) this.carry()
    for (let word = 0; word < this.words.length; word++)
      this.words[word] = (this.words[word] as number) + (others.words[word] as number)
    for (const [row, high] of others.high) this.addHigh(row, high)
  }

  /** Returns a sum, which must not be negative. */
  get(row: number): bigint {
    let value = this.high.get(row) ?? 0n
    for (let word = wordsPerAmount - 1; word >= 0; word--)
      value = (value << wordBits) + BigInt(this.words[row * wordsPerAmount + word] as number)
    return value
  }

  /** Copies a sum into a column. */
  store(row: number, into: Amounts, index: number): void {
    this.carryRow(row)
    if (this.high.has(row)) into.set(index, this.get(row))
    else into.setLow(index, this.words, row * wordsPerAmount)
  }

  private carry(additions = 1): void {
    for (let row = 0; row < this.length; row++) this.carryRow(row)
    this.additions = additions
  }

  private carryRow(row: number): void {
    const { words } = this
    let carried = 0
    for (let at = row * wordsPerAmount; at < (row + 1) * wordsPerAmount; at++) {
      const sum = (words[at] as number) + carried
      carried = Math.floor(sum / wordSize)
      words[at] = sum - carried * wordSize
    }
    if (carried !== 0) this.addHigh(row, BigInt(carried))
  }

  private addHigh(row: number, value: bigint): void {
    if (value !== 0n) this.high.set(row, (this.high.get(row) ?? 0n) + value)
  }
}
