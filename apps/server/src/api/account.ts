import type { ResponseOf } from '@lineage/referral-api'
import type { AccountId } from '@lineage/referral-api/routes'
import type { Handler } from '../http/handler.ts'
import { costs } from '../load/limits.ts'
import { createAlertHandlers } from './alerts.ts'
import { createForAccount, done } from './forAccount.ts'
import { createLabelHandlers } from './labels.ts'
import type { Services } from './services.ts'

/** Returns the handlers of the operations tagged `accounts`, by id. */
export function createAccountHandlers(services: Services): { [id in AccountId]: Handler } {
  const { accounts, signIn, limits } = services
  const forAccount = createForAccount(services)
  return {
    nonce: (c) => signIn.nonce(c.req.raw, { visitor: c.var.visitor }),
    verify: (c) => signIn.verify(c.req.raw, { visitor: c.var.visitor }),
    session: (c) => signIn.session(c.req.raw, { visitor: c.var.visitor }),
    signOut: (c) => signIn.signOut(c.req.raw, { visitor: c.var.visitor }),
    /** Exports everything that is stored for an account. */
    account: forAccount.read(async ({ account: address, c }) => {
      const labels = await accounts.labels.list(address)
      limits.labels.charge(c.var.visitor, costs.labels(labels.length, 'read'))
      const sessions = await accounts.listSessions(address)
      const body: ResponseOf<'account'> = {
        address,
        labels,
        watches: await accounts.alerts.listWatches(address),
        alerts: await accounts.alerts.listAlerts(address, { before: Number.MAX_SAFE_INTEGER, limit: 2_000 }),
        webhooks: await accounts.alerts.listWebhooks(address),
        sessions: sessions.map(({ chainId, expiresAt }) => ({ chainId, expiresAt })),
      }
      return c.json(body, 200, { 'content-disposition': 'attachment; filename="lineage-account.json"' })
    }),
    removeAccount: forAccount.change(async ({ account }) => {
      await accounts.removeAccount(account)
      return done()
    }),
    ...createLabelHandlers(forAccount, services),
    ...createAlertHandlers(forAccount, services),
  }
}
