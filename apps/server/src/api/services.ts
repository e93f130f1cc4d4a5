import type { Accounts } from '../accounts/openAccounts.ts'
import type { Alerts } from '../alerts/createAlerts.ts'
import type { Live } from '../live/createLive.ts'
import { createLimits, type Limits, limitsOf } from '../load/limits.ts'
import { createLoadQueue, type LoadQueue } from '../load/loadQueue.ts'
import type { Index } from '../lookups/Index.ts'
import type { Metrics } from '../monitoring/metrics.ts'
import { createByteBudget } from '../rpc/byteBudget.ts'
import { rpcBudget } from '../rpc/createRpc.ts'
import type { Settings } from '../settings/settings.ts'
import { createSignIn } from './signIn.ts'

export const chainId = 56

export type ApiParameters = {
  settings: Settings
  accounts: Omit<Accounts, 'close'>
  index: Index
  live: Live
  alerts: Alerts
  limits?: Partial<Limits>
  queue?: LoadQueue
  metrics?: Metrics | undefined
  /** Time limit for an answer of each node and the name service, in milliseconds. */
  timeout?: number
}

export type Services = ReturnType<typeof createServices>

/** Creates what the handlers of the API share. */
export function createServices({ limits, queue, timeout = 10_000, ...parameters }: ApiParameters) {
  const { settings, accounts } = parameters
  const visitorLimits = createLimits({ ...limitsOf(settings), ...limits })
  return {
    ...parameters,
    timeout,
    limits: visitorLimits,
    queue: queue ?? createLoadQueue(),
    rpcBytes: createByteBudget(rpcBudget),
    signIn: createSignIn({ chainId, settings, store: accounts, timeout, limit: visitorLimits.signIn.take }),
  }
}
