import { setImmediate } from 'node:timers/promises'
import type { Forest, Referral } from '@lineage/forest'
import type { Address } from 'viem'
import { checksumAddress } from '../../config/checksumAddress.ts'

const columns = [
  'level',
  'address',
  'status',
  'referrer',
  'depth',
  'joinedAt',
  'directs',
  'team',
  'ownVolume',
  'teamVolume',
] as const satisfies (keyof Referral)[]

/** So many are read at once: few enough that nobody else waits long, enough that finding the next ones costs little. */
const rowsAtOnce = 250

/** RFC 4180. Excel takes a file for UTF-8 by its byte order mark. */
const head = `\uFEFF${columns.join(',')}\r\n`

/**
 * The whole downline of a member in join order, made as fast as it is read and no faster. Every cell is a number, an
 * address, a date or a word of ours, so that no program takes one for a formula.
 *
 * @param forest Asked for each piece, since a reorganisation may replace it.
 */
export function streamCsv(forest: () => Forest | undefined, address: Address): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let cursor: string | null | undefined
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (cursor === undefined) controller.enqueue(encoder.encode(head))
        // Other requests come in between.
        await setImmediate()
        const current = forest()
        const id = current?.find(address)
        // What ends early must not look whole.
        if (!current || id === undefined) throw new Error('A reorganisation has taken this member away.')
        const page = current.referrals(id, {
          level: 'all',
          sort: 'joined',
          order: 'asc',
          limit: rowsAtOnce,
          cursor: cursor ?? null,
        })
        cursor = page.nextCursor
        if (page.items.length > 0) controller.enqueue(encoder.encode(page.items.map(toLine).join('')))
        if (cursor === null) controller.close()
      },
    },
    // Nothing is made before somebody reads.
    { highWaterMark: 0 },
  )
}

function toLine(row: Referral): string {
  let line = ''
  for (const column of columns) line += `${line && ','}${toCell(row, column)}`
  return `${line}\r\n`
}

function toCell(row: Referral, column: (typeof columns)[number]): string {
  const value = row[column]
  if (value === null) return ''
  if (column === 'address' || column === 'referrer') return checksumAddress(value as Address)
  return column === 'joinedAt' ? `${new Date(Number(value) * 1000).toISOString().slice(0, 19)}Z` : String(value)
}
