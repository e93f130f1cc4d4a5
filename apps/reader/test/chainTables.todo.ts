import { createHash } from 'node:crypto'
import { numberToHex } from 'viem'
import { parseConfig } from '../config/index.ts'
import type { Tables } from '../src/api/tables/createTables.ts'
import type { EventRow } from '../src/api/tables/eventRow.ts'
import type { Position } from '../src/api/tables/position.ts'
import { toEventTexts } from '../src/api/tables/rangeDigest.ts'

export const { communities } = parseConfig({
  communities: ['one', 'two'].map((id) => ({
    id,
    name: id,
    chainId: 56,
    address: '0x000000000000000000000000000000000000beef',
    startBlock: 1,
    event: 'event Bound(address member, address referrer)',
    member: 'member',
    referrer: 'referrer',
  })),
})

export type Database = {
  backfill: 'complete' | 'running'
  failure: Error | undefined
  rows(): EventRow[]
  head(): number
  mine(events: Event[]): void
  reorg(depth: number): void
  finalize(distance: number): void
  tables: Tables
}

/** Creates a database with the rows of a chain whose blocks are added, reorganised and finalized. */
export function createDatabase(): Database {
  let blocks: EventRow[][] = [[]]
  let finalized = 0
  let mined = 0
  const database: Database = {
    backfill: 'complete',
    failure: undefined,
    rows: () => blocks.flat(),
    head: () => blocks.length - 1,
    mine(events: Event[]) {
      const block = blocks.length
      const blockHash = numberToHex(++mined, { size: 32 })
      blocks.push(
        events.map((event, logIndex) => toRow(event, { block, logIndex, timestamp: 1_700_000_000 + block, blockHash })),
      )
    },
    reorg(depth: number) {
      blocks = blocks.slice(0, Math.max(finalized + 1, blocks.length - depth))
    },
    finalize(distance: number) {
      finalized = Math.max(finalized, blocks.length - 1 - distance)
    },
    tables: {
      async readMark() {
        if (database.failure) throw database.failure
        return [mined, database.head(), finalized, database.backfill].join()
      },
      async probe() {},
      async readChanges(final, applied, limit) {
        if (database.failure) throw database.failure
        const head = database.head()
        const tail = database.rows().filter((row) => isAfter(row, final) && !isAfter(row, applied))
        const hashes = [...new Set(tail.map(({ blockHash }) => blockHash))].sort()
        return {
          checkpoint: {
            block: head,
            timestamp: 1_700_000_000 + head,
            finalizedBlock: finalized,
            backfill: database.backfill,
          },
          tail: { count: tail.length, digest: createHash('md5').update(hashes.join('')).digest('hex') },
          rows: database
            .rows()
            .filter((row) => isAfter(row, applied))
            .slice(0, limit),
        }
      },
      async readFinal({ after, upTo }) {
        if (database.failure) throw database.failure
        const rows = database.rows().filter((row) => isAfter(row, after) && row.block <= upTo)
        const events = new Map(communities.map(({ id }) => [id, rows.filter(({ community }) => community === id)]))
        return { events, texts: toEventTexts(rows) }
      },
      findTxs: async () => [],
      readBinds: async () => [],
      readMemberEvents: async () => [],
      readRecentBinds: async (community, block, limit) =>
        database
          .rows()
          .flatMap((row) => (row.kind === 'bind' && row.community === community && row.block <= block ? [row] : []))
          .slice(-limit),
      readEvents: async (community, { after, upTo }, limit) =>
        database
          .rows()
          .filter(
            (row) => row.kind !== 'reward' && row.community === community && row.block > after && row.block <= upTo,
          )
          .slice(0, limit),
    },
  }
  return database
}

function isAfter(row: Position, { block, logIndex }: Position): boolean {
  return row.block > block || (row.block === block && row.logIndex > logIndex)
}

export type Event = { kind: EventRow['kind']; community: string; member: number; referrer: number; amount: bigint }
type Place = Pick<EventRow, 'block' | 'logIndex' | 'timestamp' | 'blockHash'>

export const addressOf = (index: number) => numberToHex(index + 1, { size: 20 })

function toRow({ kind, community, member, referrer, amount }: Event, place: Place): EventRow {
  const base = { ...place, community, member: addressOf(member) }
  return kind === 'bind' ? { kind, ...base, referrer: addressOf(referrer) } : { kind, ...base, amount }
}

export function bind(member: number, referrer: number): Event {
  return { kind: 'bind', community: 'one', member, referrer, amount: 0n }
}
