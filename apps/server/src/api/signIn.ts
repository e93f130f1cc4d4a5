import { createSiweServer, type SiweHandler, type SiweServerOptions } from '@lineage/wallet-kit/siwe-server'
import { fallback, http } from 'viem'
import { summarizeFault } from '../database/database.ts'
import { noAccounts } from '../lib/problem.ts'
import { parseNodeUrl } from '../rpc/createNodeClient.ts'
import type { Settings } from '../settings/settings.ts'

export type SignInParameters = Required<Pick<SiweServerOptions, 'limit' | 'store' | 'timeout'>> & {
  chainId: number
  settings: Pick<Settings, 'origins' | 'sessionSecrets' | 'rpcUrls'>
}

/** Creates the handlers of `/v1/auth`. */
export function createSignIn({ chainId, settings, ...options }: SignInParameters) {
  const nodes = settings.rpcUrls.map((text, index) => {
    const { url, headers } = parseNodeUrl(text, index)
    return http(url, { timeout: options.timeout, retryCount: 0, fetchOptions: { headers } })
  })
  const siwe = createSiweServer({
    ...options,
    origins: settings.origins,
    secrets: settings.sessionSecrets,
    transports: { [chainId]: fallback(nodes) },
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
