import { grades, indexSchema } from '@lineage/database'
import type { AmountEvent, ForestEvent } from '@lineage/forest'
import type { AmountKind } from '@lineage/referral-api/amounts'
import type { Hex } from 'viem'
import { type EventRow, kindOf } from './events.ts'

export type EventsRange = {
  /** Id of the source. */
  source: number
  /** Events of later blocks, or after this position in its block. */
  after: { block: number; logIndex?: number; kind?: number }
  upTo: number
  /** Largest number of events; all without it. */
  limit?: number
}

/** Returns the statement whose output `EventParser` parses: events in the order of their logs. */
export function copyEvents({ source, after: { block, logIndex, kind }, upTo, limit }: EventsRange): string {
  const from =
    logIndex === undefined
      ? `block > ${Number(block)}`
      : `block >= ${Number(block)} and (block, log_index, kind) > (${Number(block)}, ${logIndex}, ${Number(kind)})`
  return `copy (
    select block, log_index, kind, time, block_hash, member, other, amount, coalesce(grade, 0::smallint),
      coalesce(first_block, block) from ${indexSchema}.event
    where source = ${Number(source)} and ${from} and block <= ${Number(upTo)}
    order by block, log_index, kind ${limit === undefined ? '' : `limit ${Number(limit)}`}
  ) to stdout (format binary)`
}

type ParsedBind = Extract<ForestEvent, { kind: 'bind' }>
/** An event with the words of the forest. */
type ParsedEvent = ParsedBind | ({ kind: AmountKind } & AmountEvent)

/**
 * Parses events in the binary format of COPY, straight into the words of the forest: there are millions.
 *
 * @see https://www.postgresql.org/docs/current/sql-copy.html#SQL-COPY-FILE-FORMATS
 */
export class EventParser {
  /** Position of the last parsed event. */
  readonly last = { block: -1, logIndex: -1, kind: -1 }
  private bytes: Buffer = Buffer.alloc(0)
  /** Start of the value that is read next. */
  private at = 0
  private state: 'header' | 'rows' | 'end' = 'header'
  private readonly member = new Uint32Array(5)
  private readonly referrer = new Uint32Array(5)
  private readonly amount = new Uint32Array(8)
  private readonly bind: ParsedBind
  private readonly change: Exclude<ParsedEvent, ParsedBind>
  /** Places of the columns of the last event. */
  private readonly places = { hash: 0, member: 0, other: 0 }

  constructor() {
    const position = { block: 0, logIndex: 0, timestamp: 0 }
    this.bind = { kind: 'bind', ...position, member: this.member, referrer: null }
    this.change = { kind: 'volume', ...position, member: this.member, amount: this.amount }
  }

  /** Parses the events that a piece completes. Use each event before the next one: both may be the same object. */
  *parse(piece: Buffer): Generator<ParsedEvent> {
    this.bytes = this.at < this.bytes.length ? Buffer.concat([this.bytes.subarray(this.at), piece]) : piece
    this.at = 0
    if (this.state === 'header' && !this.skipHeader()) return
    while (this.state === 'rows' && this.hasRow()) {
      if (this.bytes.readInt16BE(this.at) < 0) this.state = 'end'
      else yield this.readRow()
    }
  }

  /** Throws if the output has ended within an event. */
  end(): void {
    if (this.state !== 'end') throw new Error('The output of the database is incomplete.')
  }

  /** Returns the last parsed event as a row. */
  row(): EventRow {
    const { bind, change, places } = this
    const event = this.last.kind === 0 ? bind : change
    const { block, logIndex, timestamp } = event
    const hex = (at: number, length: number): Hex => `0x${this.bytes.toString('hex', at, at + length)}`
    const base = { block, logIndex, timestamp, blockHash: hex(places.hash, 32), member: hex(places.member, 20) }
    if (event.kind === 'bind')
      return {
        ...{ kind: 'bind', ...base, grade: this.bind.grade ?? 'exact', firstBlock: this.bind.firstBlock ?? block },
        referrer: event.referrer === null ? null : hex(places.other, 20),
      }
    return {
      kind: event.kind,
      ...base,
      amount: this.amount.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n),
    }
  }

  private skipHeader(): boolean {
    const fixed = 19
    if (this.bytes.length < fixed) return false
    const length = fixed + this.bytes.readInt32BE(fixed - 4)
    if (this.bytes.length < length) return false
    this.at = length
    this.state = 'rows'
    return true
  }

  /** Returns whether all columns of the next row, or the mark of the end, have arrived. */
  private hasRow(): boolean {
    const { bytes } = this
    let at = this.at + 2
    if (at > bytes.length) return false
    for (let column = bytes.readInt16BE(this.at); column > 0; column--) {
      if (at + 4 > bytes.length) return false
      at += 4 + Math.max(bytes.readInt32BE(at), 0)
    }
    return at <= bytes.length
  }

  private readRow(): ParsedEvent {
    const { last, places, bind, change } = this
    this.at += 2
    last.block = this.readNumber()
    last.logIndex = this.readNumber()
    last.kind = this.readNumber()
    const timestamp = this.readNumber()
    places.hash = this.readPlace(32)
    places.member = this.readPlace(20)
    this.readAddress(places.member, this.member)
    places.other = this.readPlace(20)
    const kind = kindOf(last.kind)
    const event = kind === 'bind' ? bind : change
    event.block = last.block
    event.logIndex = last.logIndex
    event.timestamp = timestamp
    if (kind === 'bind') {
      bind.referrer = places.other === 0 ? null : this.referrer
      if (bind.referrer) this.readAddress(places.other, this.referrer)
      this.at += 4
      bind.grade = grades[this.readNumber()] ?? 'observed'
      bind.firstBlock = this.readNumber()
    } else {
      change.kind = kind
      this.readAmount()
      // Grade and first block are of binds.
      this.readNumber()
      this.readNumber()
    }
    return event
  }

  /** Reads an integer of two, four or eight bytes. */
  private readNumber(): number {
    const { bytes } = this
    const length = bytes.readInt32BE(this.at)
    const at = this.at + 4
    this.at = at + length
    if (length === 2) return bytes.readInt16BE(at)
    if (length === 4) return bytes.readInt32BE(at)
    return bytes.readInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4)
  }

  /** Returns the place of a column of bytes; 0 for a null. */
  private readPlace(length: number): number {
    const found = this.bytes.readInt32BE(this.at)
    const at = this.at + 4
    this.at = at + Math.max(found, 0)
    if (found !== length && found !== -1) throw new Error(`A column of an event has ${found} bytes, not ${length}.`)
    return found === -1 ? 0 : at
  }

  private readAddress(at: number, words: Uint32Array): void {
    const { bytes } = this
    for (let word = 0; word < 5; word++) words[word] = bytes.readUInt32BE(at + word * 4)
  }

  /** Reads a `numeric` of whole digits to the base 10,000 into words to the base 2^32. */
  private readAmount(): void {
    const { bytes, amount } = this
    const length = bytes.readInt32BE(this.at)
    const at = this.at + 4
    this.at = at + Math.max(length, 0)
    amount.fill(0)
    if (length < 8) throw new Error('An amount is missing.')
    const digits = bytes.readInt16BE(at)
    const groups = digits === 0 ? 0 : bytes.readInt16BE(at + 2) + 1
    if (bytes.readUInt16BE(at + 4) !== 0 || digits > groups) throw new Error('An amount is not a whole number.')
    let used = 0
    for (let group = 0; group < groups; group++) {
      let carry = group < digits ? bytes.readInt16BE(at + 8 + group * 2) : 0
      for (let word = 0; word < used; word++) {
        const product = (amount[word] as number) * 10_000 + carry
        amount[word] = product
        carry = Math.floor(product / 2 ** 32)
      }
      if (carry === 0) continue
      if (used === amount.length) throw new Error('An amount has more than 256 bits.')
      amount[used++] = carry
    }
  }
}
