import type { Address, EIP1193Provider } from 'viem'
import { WalletNotAvailableError } from '../../core/lib/errors.ts'
import { withTimeout } from '../../core/lib/promises.ts'
import { createEvents, createRpcError } from '../../core/lib/providerParts.ts'
import { parseChainId, readProperty } from '../../core/lib/untrusted.ts'
import type { ConnectorContext } from '../../core/wallets/wallet.ts'
import type { RelayClient, RelaySession } from './loadRelayClient.ts'
import {
  afterEvent,
  afterSwitch,
  afterUpdate,
  chooseChain,
  createSessionState,
  getAccounts,
  type SessionChoice,
  type SessionState,
} from './sessionState.ts'

type SessionProviderParameters = {
  client: RelayClient
  session: RelaySession
  /** The choice that the last page stored. */
  choice?: Partial<SessionChoice>
  onChoice: (choice: SessionChoice) => void
  /** Time limit for a person to answer a request, in milliseconds. */
  requestTimeout: number
} & Pick<ConnectorContext, 'chainIds' | 'read'>

/** The provider of a relay session, with handlers for the wallet's events. */
export type SessionProvider = {
  topic: string
  provider: EIP1193Provider
  getAccounts: () => readonly Address[]
  getChainId: () => number
  canSwitchTo: (chainId: number) => boolean
  onEvent: (payload: unknown) => void
  onUpdate: (namespaces: unknown) => void
  onEnd: () => void
}

/**
 * Creates an EIP-1193 provider for a relay session. It answers accounts and chain from the approved namespaces, sends
 * requests that a person has to answer to the wallet, and all others to the app's nodes.
 *
 * @see https://eips.ethereum.org/EIPS/eip-1193
 */
export function createSessionProvider(parameters: SessionProviderParameters): SessionProvider {
  const { session, choice = {}, onChoice, chainIds } = parameters
  const { emit, on, removeListener } = createEvents()
  let state = createSessionState(session.namespaces, choice, chainIds)
  let isEnded = false

  /** Emits an event for each value that differs. */
  const setState = (next: SessionState) => {
    const before = state
    state = next
    if (before.chainId !== next.chainId) emit('chainChanged', toHex(next.chainId))
    const accounts = getAccounts(next)
    if (getAccounts(before).join().toLowerCase() !== accounts.join().toLowerCase())
      emit('accountsChanged', [...accounts])
    onChoice({ chainId: next.chainId, account: next.account })
  }
  const answer = createRequest(parameters, () => state, setState)
  const request: typeof answer = async (parameters) =>
    isEnded && parameters.method === 'eth_accounts' ? [] : answer(parameters)
  return {
    topic: session.topic,
    provider: { request, on, removeListener } as unknown as EIP1193Provider,
    getAccounts: () => getAccounts(state),
    getChainId: () => state.chainId,
    canSwitchTo: (chainId) => canSwitchTo(state, chainId),
    onEvent: (payload) => {
      const next = afterEvent(state, payload)
      if (next !== state) setState(next)
    },
    onUpdate: (namespaces) => setState(afterUpdate(state, namespaces, chainIds)),
    onEnd: () => {
      isEnded = true
      emit('disconnect', createRpcError(4900, 'The wallet ended the session.'))
    },
  }
}

const switchMethod = 'wallet_switchEthereumChain'

/** Returns whether the wallet has approved the chain, or switches on request. */
const canSwitchTo = ({ grant }: SessionState, chainId: number): boolean =>
  grant.accounts.has(chainId) || grant.methods.has(switchMethod)

/** Requests that wallets answer without asking the person. The client would open the wallet's app for each of them. */
const quietMethods = ['wallet_getCallsStatus', 'wallet_getCapabilities']

function createRequest(
  { client, session, requestTimeout, chainIds, read }: SessionProviderParameters,
  getState: () => SessionState,
  setState: (state: SessionState) => void,
) {
  const { topic, sessionConfig } = session
  const ask = (chainId: number, request: { method: string; params: unknown }) => {
    const isQuiet = quietMethods.includes(request.method)
    // The client replaces the object on updates.
    const known = client.session.getAll().find((it) => it.topic === topic)
    if (known) known.sessionConfig = { ...sessionConfig, ...(isQuiet && { disableDeepLink: true }) }
    return withTimeout(
      client.request({ topic, chainId: `eip155:${chainId}`, request }),
      requestTimeout,
      () => new WalletNotAvailableError('The wallet did not answer in time. Open it and try again.'),
    )
  }

  const switchChain = async (params: unknown) => {
    const chainId = parseChainId(readProperty(readProperty(params, '0'), 'chainId'))
    if (chainId === undefined) throw createRpcError(-32602, 'The chain id is missing.')
    const { grant, chainId: current } = getState()
    if (!canSwitchTo(getState(), chainId))
      throw createRpcError(4200, 'The wallet does not switch networks on request. Switch in the wallet.')
    if (!grant.accounts.has(chainId)) {
      // A request must name an approved chain.
      await ask(chooseChain(grant, current, chainIds), { method: switchMethod, params: [{ chainId: toHex(chainId) }] })
    }
    setState(afterSwitch(getState(), chainId))
    return null
  }

  return async ({ method, params = [] }: { method: string; params?: unknown }): Promise<unknown> => {
    const { grant, chainId } = getState()
    if (method === 'eth_accounts' || method === 'eth_requestAccounts') return [...getAccounts(getState())]
    if (method === 'eth_chainId') return toHex(chainId)
    if (method === switchMethod) return switchChain(params)
    if (grant.methods.has(method)) return ask(chainId, { method, params })
    if (/^(wallet_|personal_|eth_(sign|send(Transaction|UserOperation)))/.test(method))
      throw createRpcError(4200, `The wallet does not support ${method}.`)
    return read(chainId, { method, params })
  }
}

const toHex = (chainId: number) => `0x${chainId.toString(16)}`
