import { DownlineChangedError } from '../errors.ts'
import { Amounts } from '../lib/amounts.ts'
import { createBytes, createWords, grownColumn, partitionPoint } from '../lib/columns.ts'
import type { EventPosition, Moment } from '../types.ts'

const initialCapacity = 256
/** Events of a chunk, which is read from its start: a power of two. */
const chunkBits = 5
const chunkWidth = 3
const wordsOfAmount = 8
/** Most bytes of an event: two differences of 32 bits, a header and an amount. */
const mostBytes = 5 + 5 + 1 + wordsOfAmount * 4

export type AmountKind = 'volume' | 'reward'

/**
 * Stores every volume and reward in log order, in about fourteen bytes: four for its node and kind, which a search reads
 * alone, the others for block, time and amount, of which a chunk of events has a start.
 */
export class AmountLog {
  length = 0
  /** Number of rollbacks, each of which may have replaced events. */
  rollbacks = 0
  /** Node of each event, doubled, plus one for a reward. */
  private nodes = createWords(initialCapacity)
  /** Differences of block and time to the event before, and the amount. */
  private stream = createBytes(initialCapacity * 8)
  private end = 0
  /** For each chunk: place in `stream`, block and time of its first event. */
  private chunks = createWords(((initialCapacity >>> chunkBits) + 1) * chunkWidth, chunkWidth)
  private readonly newest = { block: 0, timestamp: 0 }
  private readonly words = new Uint32Array(wordsOfAmount)

  add(kind: AmountKind, node: number, amount: Amounts, { block, timestamp }: EventPosition): void {
    this.grow()
    if (this.length % (1 << chunkBits) === 0) {
      this.chunks.set([this.end, block, timestamp], (this.length >>> chunkBits) * chunkWidth)
      Object.assign(this.newest, { block, timestamp })
    }
    this.nodes[this.length++] = node * 2 + Number(kind === 'reward')
    this.writeNumber(block - this.newest.block)
    this.writeNumber(timestamp - this.newest.timestamp)
    this.newest.block = block
    this.newest.timestamp = timestamp
    amount.getWords(0, this.words)
    this.writeAmount()
  }

  /** Removes the events above a block. */
  rollback(toBlock: number): void {
    this.rollbacks++
    this.length = this.until({ block: toBlock })
    const reader = new AmountReader(this)
    if (this.length > 0) reader.read(this.length - 1)
    this.end = reader.end
    this.newest.block = reader.block
    this.newest.timestamp = reader.timestamp
  }

  /** Returns how many events there were up to and including a moment. */
  until(moment: Moment): number {
    const [column, last] = 'block' in moment ? [1, moment.block] : [2, moment.timestamp]
    const chunks = (this.length + (1 << chunkBits) - 1) >>> chunkBits
    const found = partitionPoint(chunks, (chunk) => (this.chunks[chunk * chunkWidth + column] as number) <= last)
    if (found === 0) return 0
    const reader = new AmountReader(this)
    const end = Math.min(found << chunkBits, this.length)
    for (let index = (found - 1) << chunkBits; index < end; index++) {
      reader.read(index)
      if (('block' in moment ? reader.block : reader.timestamp) > last) return index
    }
    return end
  }

  /** Returns a function that throws `DownlineChangedError` once a rollback has come after this call. */
  guard(): () => void {
    const { rollbacks } = this
    return () => {
      if (this.rollbacks !== rollbacks) throw new DownlineChangedError()
    }
  }

  nodeAt(index: number): number {
    return (this.nodes[index] as number) >>> 1
  }

  kindAt(index: number): AmountKind {
    return ((this.nodes[index] as number) & 1) === 0 ? 'volume' : 'reward'
  }

  /** Returns place, block and time of the first event of a chunk. */
  chunkAt(chunk: number): Uint32Array {
    return this.chunks.subarray(chunk * chunkWidth, (chunk + 1) * chunkWidth)
  }

  byteAt(place: number): number {
    return this.stream[place] as number
  }

  /** Memory without spare room. */
  get bytes(): number {
    return this.length * 4 + this.end + (this.length >>> chunkBits) * chunkWidth * 4
  }

  private grow(): void {
    if (this.length === this.nodes.length) {
      const capacity = Math.ceil(this.length * 1.5)
      this.nodes = grownColumn(this.nodes, capacity)
      this.chunks = grownColumn(this.chunks, ((capacity >>> chunkBits) + 1) * chunkWidth, chunkWidth)
    }
    if (this.end + mostBytes > this.stream.length)
      this.stream = grownColumn(this.stream, Math.ceil(this.stream.length * 1.5))
  }

  /** Writes seven bits a byte, lowest first. */
  private writeNumber(value: number): void {
    let rest = value
    for (; rest > 127; rest >>>= 7) this.stream[this.end++] = (rest & 127) | 128
    this.stream[this.end++] = rest
  }

  /** Writes the bytes of `words` without zeros at their ends, after a byte that tells which they are. */
  private writeAmount(): void {
    const { words } = this
    const byteOf = (index: number) => ((words[index >>> 2] as number) >>> ((index & 3) * 8)) & 255
    let high = wordsOfAmount * 4
    while (high > 0 && byteOf(high - 1) === 0) high--
    let low = 0
    while (low < Math.min(high, 3) && byteOf(low) === 0) low++
    this.stream[this.end++] = (low << 6) | high
    for (let index = low; index < high; index++) this.stream[this.end++] = byteOf(index)
  }
}

/** Reads events of a log, one after the other. */
export class AmountReader {
  block = 0
  timestamp = 0
  kind: AmountKind = 'volume'
  /** Amount of the event, at index 0. */
  readonly amount = new Amounts(1)
  /** Place after the event. */
  end = 0
  private readonly log: AmountLog
  private index = -1
  private readonly words = new Uint32Array(wordsOfAmount)

  constructor(log: AmountLog) {
    this.log = log
  }

  /** Reads an event. It is quick after an earlier one that is near. */
  read(index: number): void {
    const chunk = index >>> chunkBits
    if (this.index >>> chunkBits !== chunk || this.index > index) {
      const [place, block, timestamp] = this.log.chunkAt(chunk) as unknown as [number, number, number]
      this.index = (chunk << chunkBits) - 1
      this.end = place
      this.block = block
      this.timestamp = timestamp
    }
    while (this.index < index) this.readNext()
    this.kind = this.log.kindAt(index)
    this.amount.setWords(0, this.words)
  }

  private readNext(): void {
    const { log, words } = this
    this.index++
    this.block += this.readNumber()
    this.timestamp += this.readNumber()
    const header = log.byteAt(this.end++)
    words.fill(0)
    for (let index = header >>> 6; index < (header & 63); index++)
      words[index >>> 2] = (words[index >>> 2] as number) | (log.byteAt(this.end++) << ((index & 3) * 8))
  }

  private readNumber(): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.log.byteAt(this.end++)
      value += (byte & 127) * 2 ** shift
      if (byte < 128) return value
    }
  }
}
