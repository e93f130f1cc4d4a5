import type { Forest } from '@lineage/forest'
import { createCsvStream, toLine, toTimeCell } from './createCsvStream.ts'
import type { MemberEventPosition, MemberEventRow } from './readMemberEvents.ts'
import { toMemberEvent } from './serialize.ts'

const columns = ['time', 'kind', 'address', 'referrer', 'status', 'amount', 'from', 'block', 'logIndex', 'tx']

/** Rows per page: few enough not to delay other requests, and more than a member has that are not final. */
export const eventsPerPage = 250

type Page = readonly MemberEventRow[]

/**
 * Streams all events of a member, newest first.
 *
 * @param first The first page, which holds those that are not final: a reorg changes nothing of the later ones.
 * @param forest Called for each page, since the forest may be replaced after a reorg.
 */
export function streamEventsCsv(
  first: Page,
  readPage: (before: MemberEventPosition) => Promise<Page>,
  forest: () => Forest,
): ReadableStream<Uint8Array> {
  return createCsvStream<MemberEventPosition>(columns, async (after) => {
    const rows = after ? await readPage(after) : first
    const { statusAt } = forest()
    return {
      lines: rows.map((row) => toCsvLine(toMemberEvent(row, row.amount === null ? statusAt(row) : null))),
      next: rows.length < eventsPerPage ? undefined : rows.at(-1),
    }
  })
}

function toCsvLine(event: ReturnType<typeof toMemberEvent>): string {
  const { timestamp, kind, address, referrer, status, amount, from, block, logIndex, tx } = event
  return toLine([toTimeCell(timestamp), kind, address, referrer, status, amount, from, block, logIndex, tx])
}
