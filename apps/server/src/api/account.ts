import type { Address, ResponseOf } from '@lineage/referral-api'
import type { TakeTurns } from '../accounts/createTurns.ts'
import type { Accounts } from '../accounts/openAccounts.ts'
import { tooManyWrites } from '../lib/problem.ts'
import type { ForAccount } from './forAccount.ts'

export type AccountParameters = {
  forAccount: ForAccount
  store: Pick<Accounts, 'labels' | 'alerts' | 'listSessions' | 'removeAccount'>
  /** The queue of the label writes, so that a write in progress is deleted too. */
  takeTurns: TakeTurns
}

/** Creates the handlers of `/v1/account`, which export and delete everything stored for the signed-in account. */
export function createAccount({ forAccount, store, takeTurns }: AccountParameters) {
  return {
    /** `charge` counts the labels that were read for the visitor. */
    read: (request: Request, charge: (labels: number) => void) =>
      forAccount(request, async ({ account: address }) => {
        const labels = await store.labels.list(address)
        charge(labels.length)
        const body: ResponseOf<'account'> = {
          address,
          labels,
          watches: await store.alerts.listWatches(address),
          alerts: await store.alerts.listAlerts(address, { before: Number.MAX_SAFE_INTEGER, limit: 2_000 }),
          webhooks: await store.alerts.listWebhooks(address),
          sessions: await listSessions(address),
        }
        const headers = { 'content-disposition': 'attachment; filename="lineage-account.json"' }
        return Response.json(body, { headers })
      }),
    remove: (request: Request) =>
      forAccount(request, async ({ account: address }) => {
        const removed = takeTurns(address, () => store.removeAccount(address))
        if (!removed) return tooManyWrites()
        await removed
        return new Response(null, { status: 204 })
      }),
  }

  async function listSessions(address: Address) {
    return (await store.listSessions(address)).map(({ chainId, expiresAt }) => ({ chainId, expiresAt }))
  }
}
