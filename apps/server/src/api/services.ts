import { parseNodeUrl } from '@lineage/communities'
import { createSiweServer, type SiweHandler, type SiweServerOptions } from '@lineage/wallet-kit/siwe-server'
import { http } from 'viem'
import type { Accounts } from '../accounts/openAccounts.ts'
import type { Alerts } from '../alerts/createAlerts.ts'
import { summarizeFault } from '../database/database.ts'
import { noAccounts } from '../lib/problem.ts'
import type { Live } from '../live/createLive.ts'
import { createLimits, type Limits, limitsOf } from '../load/limits.ts'
import { createLoadQueue, type LoadQueue } from '../load/loadQueue.ts'
import type { Index } from '../lookups/Index.ts'
import type { Metrics } from '../monitoring/metrics.ts'
import { createByteBudget } from '../rpc/byteBudget.ts'
import { rpcBudget } from '../rpc/createRpc.ts'
import type { Settings } from '../settings/settings.ts'

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

export type SignInParameters = Required<Pick<SiweServerOptions, 'limit' | 'store' | 'timeout'>> & {
  chainId: number
  settings: Pick<Settings, 'origins' | 'sessionSecrets' | 'rpcUrls'>
}

/** Creates the handlers of `/v1/auth`. */
function createSignIn({ chainId, settings, ...options }: SignInParameters) {
  const nodes = settings.rpcUrls
    .flatMap((text) => parseNodeUrl(text) ?? [])
    .map(({ url, headers }) => http(url, { timeout: options.timeout, retryCount: 0, fetchOptions: { headers } }))
  const siwe = createSiweServer({
    ...options,
    origins: settings.origins,
    secrets: settings.sessionSecrets,
    transports: { [chainId]: nodes },
  })
  return {
    getSession: siwe.getSession,
    refuseOtherSites: siwe.refuseOtherSites,
    nonce: answerStoreErrors(siwe.nonce),
    verify: answerStoreErrors(siwe.verify),
    session: answerStoreErrors(siwe.session),
    signOut: answerStoreErrors(siwe.signOut),
  }
}

function answerStoreErrors(handler: SiweHandler): SiweHandler {
  return async (request, context) => {
    try {
      return await handler(request, context)
    } catch (error) {
      if (request.signal.aborted) throw error
      console.error(`Accounts cannot be reached: ${summarizeFault(error)}.`)
      throw noAccounts()
    }
  }
}
