import type { Forest } from '@lineage/forest'
import { toMemberEvent } from '../http/serialize.ts'
import { isSamePosition } from '../tables/position.ts'
import type { MemberEventPosition, MemberEventRow } from '../tables/readMemberEvents.ts'
import { createCsvStream, toLine, toTimeCell } from './createCsvStream.ts'

const columns = ['time', 'kind', 'address', 'referrer', 'status', 'amount', 'from', 'block', 'logIndex', 'tx']

/** Rows per page: few enough not to delay other requests. */
export const eventsPerPage = 250

type Page = readonly MemberEventRow[]

/**
 * Streams all events of a member, newest first. Each page except the first is read together with the last row before
 * it: while that row belongs to the same block, all older rows belong to the same branch of the chain.
 *
 * @param first The first page, of at most `eventsPerPage` rows.
 * @param readPage Reads at most `limit` rows before a position.
 * @param forest Called for each page, because a reorganisation may replace the forest.
 */
export function streamEventsCsv(
  first: Page,
  readPage: (before: MemberEventPosition, limit: number) => Promise<Page>,
  forest: () => Forest,
): ReadableStream<Uint8Array> {
  const readAfter = async (last: MemberEventRow): Promise<Page> => {
    const [again, ...rows] = await readPage({ ...last, rank: last.rank + 1 }, eventsPerPage + 1)
    if (again && isSameEvent(again, last)) return rows
    throw new Error('Events were replaced in a reorganisation of the chain.')
  }
  return createCsvStream<MemberEventRow>(columns, async (last) => {
    const rows = last ? await readAfter(last) : first
    const { statusAt } = forest()
    return {
      lines: rows.map((row) => toCsvLine(toMemberEvent(row, row.amount === null ? statusAt(row) : null))),
      next: rows.length < eventsPerPage ? undefined : rows.at(-1),
    }
  })
}

const isSameEvent = (left: MemberEventRow, right: MemberEventRow): boolean =>
  isSamePosition(left, right) && left.rank === right.rank && left.blockHash === right.blockHash

function toCsvLine(event: ReturnType<typeof toMemberEvent>): string {
  const { timestamp, kind, address, referrer, status, amount, from, block, logIndex, tx } = event
  return toLine([toTimeCell(timestamp), kind, address, referrer, status, amount, from, block, logIndex, tx])
}
