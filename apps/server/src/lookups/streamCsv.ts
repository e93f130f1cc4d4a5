import type { Forest, Referral, ReferralsFilter } from '@lineage/forest'
import type { Address } from 'viem'
import { checksumAddress } from '../../../config/checksumAddress.ts'
import { createCsvStream, toLine, toTimeCell } from './createCsvStream.ts'

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

/** Rows per page: few enough not to delay other requests, and enough to keep the cost of finding the next page low. */
const rowsPerPage = 250

type CsvRequest = { address: Address; order: 'asc' | 'desc'; filter: ReferralsFilter | undefined }

/**
 * Streams the downline of a member, or the members that match a filter, in join order.
 *
 * @param forest Called for each page, because a reorganisation may replace the forest.
 */
export function streamCsv(forest: () => Forest | undefined, request: CsvRequest): ReadableStream<Uint8Array> {
  return createCsvStream<string>(columns, (cursor) => {
    const { items, nextCursor } = readRows(forest(), request, cursor ?? null)
    return {
      lines: items.map((row) => toLine(columns.map((column) => toCell(row, column)))),
      next: nextCursor ?? undefined,
    }
  })
}

function readRows(forest: Forest | undefined, { address, order, filter }: CsvRequest, cursor: string | null) {
  const id = forest?.find(address)
  if (!forest || id === undefined) throw new Error('The member is gone after a reorganisation of the chain.')
  const page = { sort: 'joined', order, limit: rowsPerPage, cursor } as const
  if (filter) return forest.filteredReferrals(id, { ...filter, ...page, total: 'skip' })
  return forest.referrals(id, { level: 'all', ...page })
}

function toCell(row: Referral, column: (typeof columns)[number]): string | number | bigint | null {
  if (column === 'address') return checksumAddress(row.address)
  if (column === 'referrer') return row.referrer && checksumAddress(row.referrer)
  return column === 'joinedAt' ? (row.joinedAt === null ? null : toTimeCell(row.joinedAt)) : row[column]
}
