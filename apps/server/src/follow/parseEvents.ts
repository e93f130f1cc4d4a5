import { type ForestEvent, readAddressAt } from '@lineage/forest'
import type { EventKind } from '../../../eventTables.ts'
import type { EventText } from './rangeDigest.ts'

/**
 * Merges the texts of several kinds in log order. Events of one log follow in the order of `texts`. Use each event
 * before reading the next one: both may be the same object.
 */
export function* parseEvents(texts: readonly Pick<EventText, 'kind' | 'events'>[]): Generator<ForestEvent> {
  const readers = texts.map(({ kind, events }) => new EventReader(kind, events)).filter((reader) => reader.next())
  while (readers.length > 0) {
    let first = readers[0] as EventReader
    for (const reader of readers) if (reader.isBefore(first)) first = reader
    yield first.event
    if (!first.next()) readers.splice(readers.indexOf(first), 1)
  }
}

/** Reads one text event by event, without copying its fields: there are millions. */
class EventReader {
  readonly event: ForestEvent
  private at = 0
  private readonly bytes: Uint8Array
  private readonly member = new Uint32Array(5)
  /** Words of the referrer or of the amount. */
  private readonly value: Uint32Array

  constructor(kind: EventKind, text: string) {
    // Bytes are read faster than the characters of a string.
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

  /** Reads the next event. Returns `false` at the end of the text. */
  next(): boolean {
    const { event, bytes } = this
    if (this.at >= bytes.length) return false
    event.block = this.readNumber()
    event.logIndex = this.readNumber()
    event.timestamp = this.readNumber()
    let isRead = readAddressAt(bytes, this.at, this.member)
    this.at += addressLength + 1
    if (event.kind === 'bind') {
      event.referrer = bytes[this.at] === hyphen ? null : this.value
      if (event.referrer) isRead = readAddressAt(bytes, this.at, event.referrer) && isRead
      this.at += event.referrer ? addressLength : 1
    } else isRead = this.readAmount() && isRead
    if (!isRead || bytes[this.at++] !== semicolon)
      throw new Error(`Not an event: ${Buffer.from(bytes.slice(Math.max(0, this.at - 200), this.at + 200)).toString()}`)
    return true
  }

  isBefore({ event: { block, logIndex } }: EventReader): boolean {
    return this.event.block < block || (this.event.block === block && this.event.logIndex < logIndex)
  }

  private readNumber(): number {
    const { bytes } = this
    let value = 0
    // The character code of the comma is below those of the digits.
    for (let code = bytes[this.at++] ?? 0; code >= zero; code = bytes[this.at++] ?? 0) value = value * 10 + code - zero
    return value
  }

  /** Reads up to six digits at a time, so that every product is exact. Returns `false` above 256 bits. */
  private readAmount(): boolean {
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
const hyphen = 0x2d
const semicolon = 0x3b
