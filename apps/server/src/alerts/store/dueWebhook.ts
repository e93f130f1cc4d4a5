import type { Address } from '@lineage/referral-api'
import type { Row } from '../../database/database.ts'

/** A webhook to deliver to. */
export type DueWebhook = {
  id: string
  account: Address
  url: string
  secret: string
  /** Number of the last alert that was delivered. */
  sent: number
  failures: number
  /** Unix milliseconds. */
  failingSince: number | null
}

/** A webhook in the queue. `first` is the first webhook of its account. */
export type DueWebhookId = { id: string; first: string }

export function toDue(row: Row): DueWebhook {
  return {
    id: String(row.id),
    account: row.account as Address,
    url: String(row.url),
    secret: String(row.secret),
    sent: Number(row.sent),
    failures: Number(row.failures),
    failingSince: row.failing_since === null ? null : Number(row.failing_since),
  }
}
