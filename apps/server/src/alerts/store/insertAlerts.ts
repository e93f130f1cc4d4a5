import type { Query } from '../../database/database.ts'
import type { NewAlert } from '../alertRow.ts'

/** Number of newest alerts kept per account. */
const keptAlerts = 1_000
/** Number of alerts inserted by one statement, which must finish within 5 s. */
const insertedAtOnce = 2_000

const insertText = `insert into lineage_accounts.alerts
  (id, base, account, kind, community, address, block, hash, log_index, time, details)
  select added.id, added.base, added.account, added.kind, added.community, added.address, added.block, added.hash,
    added."logIndex", added.time, added.details
  from jsonb_to_recordset($1::jsonb) as added (position bigint, id text, base text, account text, kind text, community text, address text,
    block bigint, hash text, "logIndex" integer, time bigint, details jsonb)`

/** Inserts the alerts whose watch still exists. */
export async function insertWatched(query: Query, alerts: readonly NewAlert[]): Promise<void> {
  for (let first = 0; first < alerts.length; first += insertedAtOnce)
    await query(
      `${insertText} join lineage_accounts.watches w
       on w.account = added.account and w.community = added.community and w.address = added.address
     ${inOrder}`,
      [toNumbered(alerts.slice(first, first + insertedAtOnce))],
    )
}

/** Inserts alerts in their order. An alert that is there already stays as it is. */
export const insertAlerts = (query: Query, alerts: readonly NewAlert[]) =>
  query(`${insertText} ${inOrder}`, [toNumbered(alerts)])

/** Numbers rows in the order of their insertion. */
const inOrder = 'order by added.position on conflict (id) do nothing'
const toNumbered = (alerts: readonly NewAlert[]) =>
  JSON.stringify(alerts.map((alert, position) => ({ ...alert, position })))

/**
 * Deletes the oldest alerts of accounts that have too many. Keeps alerts that may be retracted or are not delivered
 * yet.
 */
export async function prune(query: Query, added: readonly NewAlert[], finalBlock: number): Promise<void> {
  for (const account of new Set(added.map((alert) => alert.account)))
    await query(
      `delete from lineage_accounts.alerts where account = $1 and (block is null or block <= $2) and number <= (
         select number from lineage_accounts.alerts where account = $1 order by number desc offset ${keptAlerts} limit 1)
       and number <= all (select sent from lineage_accounts.webhooks where account = $1 and state = 'active')`,
      [account, finalBlock],
    )
}
