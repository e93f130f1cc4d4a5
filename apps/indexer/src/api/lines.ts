import type { ForestEvent } from '@lineage/forest'
import type { Address } from 'viem'
import type { EventRow } from './follow.ts'

/** Events of one kind and one community in log order, as `block,logIndex,timestamp,member,value` with `;` between. */
export type Lines = { kind: EventRow['kind']; lines: string }

/** The events of all kinds, in log order; of one log, in the order in which the kinds are handed in. */
export function* readLines(kinds: readonly Lines[]): Generator<ForestEvent> {
  const sources = kinds.map(({ kind, lines }) => {
    const line = new Line(lines)
    line.next()
    return { kind, line }
  })
  for (;;) {
    let first: (typeof sources)[number] | undefined
    for (const source of sources)
      if (!source.line.isDone && (!first || source.line.isBefore(first.line))) first = source
    if (!first) return
    const { kind, line } = first
    const { block, logIndex, timestamp, member } = line
    if (kind === 'bind') yield { kind, block, logIndex, timestamp, member, referrer: line.value as Address }
    else yield { kind, block, logIndex, timestamp, member, amount: BigInt(line.value) }
    line.next()
  }
}

/** Goes from line to line; each field is read where it stands, since there are millions. */
class Line {
  isDone = false
  block = 0
  logIndex = 0
  timestamp = 0
  member = ''
  value = ''
  private at = 0
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  next(): void {
    if (this.at >= this.text.length) {
      this.isDone = true
      return
    }
    this.block = this.number()
    this.logIndex = this.number()
    this.timestamp = this.number()
    this.member = this.until(',')
    this.value = this.until(';')
  }

  isBefore({ block, logIndex }: Line): boolean {
    return this.block < block || (this.block === block && this.logIndex < logIndex)
  }

  private until(end: ',' | ';'): string {
    const from = this.at
    const found = this.text.indexOf(end, from)
    const to = found < 0 ? this.text.length : found
    this.at = to + 1
    return this.text.slice(from, to)
  }

  private number(): number {
    let value = 0
    // The comma comes before the digits.
    for (let code = this.text.charCodeAt(this.at++); code >= zero; code = this.text.charCodeAt(this.at++))
      value = value * 10 + code - zero
    return value
  }
}

const zero = 0x30
