import { type ForestEvent, readAddressAt } from '@lineage/forest'
import type { EventRow } from './follow.ts'

/** Events of one kind and one community in log order, as `block,logIndex,timestamp,member,value;` each. */
export type Lines = { kind: EventRow['kind']; lines: string }

/**
 * The events of all kinds, in log order; of one log, in the order in which the kinds are handed in. Each is to be used
 * before the next one is asked for, which may be the same object.
 */
export function* readLines(kinds: readonly Lines[]): Generator<ForestEvent> {
  const sources = kinds.map(({ kind, lines }) => new Line(kind, lines)).filter((line) => line.next())
  while (sources.length > 0) {
    let first = sources[0] as Line
    for (const source of sources) if (source.isBefore(first)) first = source
    yield first.event
    if (!first.next()) sources.splice(sources.indexOf(first), 1)
  }
}

/** Goes from line to line; each field is read where it stands, since there are millions. */
class Line {
  readonly event: ForestEvent
  private at = 0
  private readonly bytes: Uint8Array
  private readonly member = new Uint32Array(5)
  /** The referrer's words, or those of the amount. */
  private readonly value: Uint32Array

  constructor(kind: EventRow['kind'], text: string) {
    // Read faster than the characters of a text.
    this.bytes = Buffer.from(text, 'latin1')
    const { member } = this
    const position = { block: 0, logIndex: 0, timestamp: 0 }
    if (kind === 'bind') {
      const referrer = new Uint32Array(5)
      this.value = referrer
      this.event = { kind, ...position, member, referrer }
    } else {
      const amount = new Uint32Array(8)
      this.value = amount
      this.event = { kind, ...position, member, amount }
    }
  }

  /** `false` at the end. */
  next(): boolean {
    const { event, bytes } = this
    if (this.at >= bytes.length) return false
    event.block = this.number()
    event.logIndex = this.number()
    event.timestamp = this.number()
    let isRead = readAddressAt(bytes, this.at, this.member)
    this.at += addressLength + 1
    if (event.kind === 'bind') {
      isRead = readAddressAt(bytes, this.at, this.value) && isRead
      this.at += addressLength
    } else isRead = this.amount() && isRead
    if (!isRead || bytes[this.at++] !== semicolon)
      throw new Error(`No event: ${Buffer.from(bytes.slice(Math.max(0, this.at - 200), this.at + 200)).toString()}`)
    return true
  }

  isBefore({ event: { block, logIndex } }: Line): boolean {
    return this.event.block < block || (this.event.block === block && this.event.logIndex < logIndex)
  }

  private number(): number {
    const { bytes } = this
    let value = 0
    // The comma comes before the digits.
    for (let code = bytes[this.at++] ?? 0; code >= zero; code = bytes[this.at++] ?? 0) value = value * 10 + code - zero
    return value
  }

  /** Some digits at a time, so that every product is exact. `false` above 256 bits. */
  private amount(): boolean {
    const { bytes, value } = this
    value.fill(0)
    let used = 0
    for (;;) {
      let digits = 0
      let factor = 1
      for (; factor < 1_000_000; factor *= 10) {
        const digit = (bytes[this.at] ?? 0) - zero
        if (!(digit >= 0 && digit <= 9)) break
        digits = digits * 10 + digit
        this.at++
      }
      if (factor === 1) return true
      for (let word = 0; word < used; word++) {
        const product = (value[word] as number) * factor + digits
        value[word] = product
        digits = Math.floor(product / 2 ** 32)
      }
      if (digits === 0) continue
      if (used === value.length) return false
      value[used++] = digits
    }
  }
}

const addressLength = 42
const zero = 0x30
const semicolon = 0x3b
