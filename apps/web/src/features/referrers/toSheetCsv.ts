import type { Address, PairBinds } from '@lineage/referral-api'
import { toCsv } from '@lineage/referral-api/csv'
import type { Hop } from './query.ts'

const columns = [
  'member',
  'memberSide',
  'referrer',
  'referrerSide',
  'status',
  'block',
  'logIndex',
  'time',
  'tx',
  'grade',
  'heldBy',
  'heldSide',
  'heldBlock',
  'heldLogIndex',
  'heldTime',
  'heldTx',
  'onChain',
  'asOf',
] as const
type Row = Partial<Record<(typeof columns)[number], string | number | null>>

type Beside = {
  /** Block or day of the sheet. */
  asOf: string
  /** Results of the check on chain, as far as it has run. */
  hops: ReadonlyMap<Address, Hop>
}

/** Returns the binds of two teams as CSV, with what the contract returned for each member. */
export function toSheetCsv(items: readonly PairBinds['items'][number][], { asOf, hops }: Beside): string {
  const rows = items.map(({ address, held, timestamp, between: _, ...bind }): Row => {
    return {
      ...bind,
      ...{ member: address, time: toTime(timestamp), onChain: textOf(hops.get(address)), asOf },
      ...(held && {
        heldBy: held.referrer,
        heldSide: held.referrerSide,
        heldBlock: held.block,
        heldLogIndex: held.logIndex,
        heldTime: toTime(held.timestamp),
        heldTx: held.tx,
      }),
    }
  })
  return toCsv([columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '')))])
}

const toTime = (seconds: number | null): string | null =>
  seconds === null ? null : new Date(seconds * 1_000).toISOString().replace('.000', '')

const textOf = (hop: Hop | undefined): string | null => {
  if (!hop) return null
  return hop.kind === 'differs' ? (hop.referrer ?? 'none') : hop.kind
}
