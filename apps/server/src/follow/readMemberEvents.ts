import { sql } from 'ponder'
import type { Address, Hash } from 'viem'
import { type EventKind, eventKinds, eventTable } from '../../../eventTables.ts'
import type { Position } from './position.ts'
import { type Run, type SQL, tuple, unionAll } from './tableSql.ts'

/** `referral`: a bind of another address that names the member as its referrer. */
export const memberEventKinds = ['bind', 'referral', 'reward', 'volume'] as const
export type MemberEventKind = (typeof memberEventKinds)[number]

/** Position of an event in a list: one log may be a bind, a reward and a volume. */
export type MemberEventPosition = Position & { rank: number }

/** An event of a member, or one that names it as a referrer. */
export type MemberEventRow = MemberEventPosition & { blockHash: Hash; timestamp: number; tx: Hash; member: Address } & (
    | { kind: 'bind' | 'referral'; referrer: Address | null; amount: null; from: null }
    | { kind: 'volume'; referrer: null; amount: string; from: null }
    /** `from`: the address that caused the reward, if the event names it. */
    | { kind: 'reward'; referrer: null; amount: string; from: Address | null }
  )

export type MemberEventsRange = {
  kinds: readonly MemberEventKind[]
  /** Last block. */
  block: number
  before: MemberEventPosition | undefined
}

/** Reads the newest events of a member up to a block and before a position, with any status. */
export async function readMemberEvents(
  run: Run,
  { community, member }: { community: string; member: Address },
  { kinds, block, before }: MemberEventsRange,
  limit: number,
): Promise<MemberEventRow[]> {
  const events = kinds.map((kind) => {
    const table = tableOf(kind)
    const rank = eventKinds.indexOf(table)
    return sql`(
      select ${sql.raw(`'${kind}' as kind, ${rank} as rank`)}, block, log_index, block_hash, timestamp, tx, member, ${sql.raw(values[table])}
      from ${sql.identifier(eventTable(table))}
      where community = ${community} and ${names(kind, member)} and block <= ${block}::int8 ${before ? isBefore(before, rank) : sql``}
      order by block desc, log_index desc limit ${limit}::int
    )`
  })
  const rows = await run<StoredRow>(sql`
    select kind, rank, block::float8 as block, log_index, block_hash, timestamp::float8 as timestamp, tx, member, referrer, amount, source
    from (${sql.join(events, unionAll)}) event
    order by event.block desc, log_index desc, rank desc limit ${limit}::int
  `)
  return rows.map(
    ({ log_index: logIndex, block_hash: blockHash, source: from, ...row }) =>
      ({ ...row, logIndex, blockHash, from }) as MemberEventRow,
  )
}

type StoredRow = Omit<MemberEventRow, 'logIndex' | 'blockHash' | 'from'> & {
  log_index: number
  block_hash: Hash
  source: Address | null
}

/** Columns that differ between the tables. */
const values: Record<EventKind, string> = {
  bind: 'referrer, null as amount, null as source',
  reward: 'null as referrer, amount::text as amount, source',
  volume: 'null as referrer, amount::text as amount, null as source',
}

const tableOf = (kind: MemberEventKind): EventKind => (kind === 'referral' ? 'bind' : kind)

/** Returns the condition for events of a member. A bind to itself counts as its own. */
const names = (kind: MemberEventKind, member: Address): SQL =>
  kind === 'referral' ? sql`referrer = ${member} and member <> ${member}` : sql`member = ${member}`

/**
 * Returns the condition for earlier events. Of several events in one log, those of a lower rank come later in the
 * list.
 */
const isBefore = (before: MemberEventPosition, rank: number): SQL =>
  rank < before.rank ? sql`and (block, log_index) <= ${tuple(before)}` : sql`and (block, log_index) < ${tuple(before)}`
