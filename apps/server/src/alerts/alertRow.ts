import type { Address, Alert, AlertKind } from '@lineage/referral-api'

/** Data of an alert besides its event. */
export type AlertDetails = Partial<
  Pick<Alert, 'member' | 'referrer' | 'from' | 'status' | 'amount' | 'members' | 'webhook' | 'retracts'>
>

/** An alert to insert. */
export type NewAlert = {
  id: string
  /** Id derived from the event alone. `id` differs from it if the event was retracted and came back. */
  base: string
  account: Address
  kind: AlertKind
  community: string | null
  /** The watched address. */
  address: Address | null
  block: number | null
  hash: string | null
  logIndex: number | null
  time: number
  details: AlertDetails
}

type Row = Record<string, unknown>
const numberOrNull = (value: unknown) => (value === null ? null : Number(value))

/** Reads a row of the table. */
export function toAlert(row: Row, readUpTo: number): Alert {
  const {
    member = null,
    referrer = null,
    from = null,
    status = null,
    amount = null,
    ...rest
  } = row.details as AlertDetails
  const { members = null, webhook = null, retracts = null } = rest
  return {
    id: String(row.id),
    number: Number(row.number),
    kind: row.kind as AlertKind,
    community: row.community as string | null,
    address: row.address as Address | null,
    time: Number(row.time),
    block: numberOrNull(row.block),
    hash: row.hash as string | null,
    logIndex: numberOrNull(row.log_index),
    member,
    referrer,
    from,
    status,
    amount,
    members,
    webhook,
    retracts,
    isRetracted: row.is_retracted === true,
    isRead: Number(row.number) <= readUpTo,
  }
}
