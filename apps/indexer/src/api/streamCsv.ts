import { setImmediate } from 'node:timers/promises'
import type { Forest, Referral, ReferralsFilter } from '@lineage/forest'
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

/** Rows per chunk: few enough not to delay other requests, enough that finding the next page costs little. */
const rowsPerChunk = 250

/** Header line of RFC 4180; Excel needs the byte order mark to read UTF-8. */
const head = `\uFEFF${columns.join(',')}\r\n`

/**
 * Streams the whole downline of a member, or those who pass a filter, in join order, as fast as it is read. Every cell is a number, an address, a date or
 * a fixed word, so that spreadsheets take none for a formula.
 *
 * @param forest Called for each chunk, since the forest may be replaced after a reorg.
 */
export function streamCsv(
  forest: () => Forest | undefined,
  address: Address,
  filter?: ReferralsFilter,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let cursor: string | null | undefined
  let state: 'open' | 'cancelled' = 'open'
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (cursor === undefined) controller.enqueue(encoder.encode(head))
        let items: Referral[]
        // A page may hold none who pass the filter, and a stream asks no second time for what it got nothing of.
        do {
          // Lets other requests run in between.
          await setImmediate()
          if (state === 'cancelled') return
          const page = readRows(forest(), { address, filter, cursor: cursor ?? null })
          items = page.items
          cursor = page.nextCursor
        } while (items.length === 0 && cursor !== null)
        if (items.length > 0) controller.enqueue(encoder.encode(items.map(toLine).join('')))
        if (cursor === null) controller.close()
      },
      cancel() {
        state = 'cancelled'
      },
    },
    // Nothing is computed before it is read.
    { highWaterMark: 0 },
  )
}

type Rows = { address: Address; filter: ReferralsFilter | undefined; cursor: string | null }

function readRows(forest: Forest | undefined, { address, filter, cursor }: Rows) {
  const id = forest?.find(address)
  // An error breaks the stream off, so that an incomplete file does not look complete.
  if (!forest || id === undefined) throw new Error('The member is gone after a reorganisation of the chain.')
  const page = { sort: 'joined', order: 'asc', limit: rowsPerChunk, cursor } as const
  if (filter) return forest.filteredReferrals(id, { ...filter, ...page, total: 'skip' })
  return forest.referrals(id, { level: 'all', ...page })
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
