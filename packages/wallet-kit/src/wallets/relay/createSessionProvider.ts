import type { Address, EIP1193Provider } from 'viem'
import { AbortedError, ChainError, WalletNotAvailableError } from '../../core/lib/errors.ts'
import { withTimeout } from '../../core/lib/promises.ts'
import { createEvents, createRpcError } from '../../core/lib/providerParts.ts'
import { isAddress, parseAccounts, parseChainId, readList, readProperty } from '../../core/lib/untrusted.ts'
import type { ConnectorContext } from '../../core/wallets/wallet.ts'
import type { RelayClient, RelaySession } from './loadRelayClient.ts'

/** Chain and account of a session, stored for the next page. */
export type SessionChoice = { chainId: number; account: Address | undefined }

/**
 * The chain is one with approved accounts, unless the wallet approved none at all. The account is the preferred one,
 * which may lack an approval on this chain.
 */
export type SessionState = SessionChoice & {
  grant: Grant
  /** A chain that the wallet chose or agreed to; its accounts are still missing. */
  awaitedChainId?: number
}

/** Accounts by chain, and methods, that the wallet approved. */
type Grant = { accounts: Map<number, Address[]>; methods: Set<string> }

type ChainIds = readonly [number, ...number[]]

export function createSessionState(
  namespaces: unknown,
  { chainId, account }: Partial<SessionChoice>,
  chainIds: ChainIds,
): SessionState {
  const grant = parseNamespaces(namespaces)
  return { grant, chainId: chooseChain(grant, chainId, chainIds), account }
}

/** Returns the preferred chain if approved, otherwise the app's first approved chain, otherwise any approved one. */
function chooseChain({ accounts }: Grant, preferred: number | undefined, chainIds: ChainIds): number {
  const approved = [...accounts.keys()]
  return [preferred, ...chainIds].find((id) => id !== undefined && approved.includes(id)) ?? approved[0] ?? chainIds[0]
}

/** Returns the accounts that the wallet approved on a chain, the preferred one first. Default: the session's chain. */
export function getAccounts({ grant, account, ...state }: SessionState, chainId = state.chainId): readonly Address[] {
  const accounts = grant.accounts.get(chainId) ?? []
  const isPreferred = (it: Address) => it.toLowerCase() === account?.toLowerCase()
  return [...accounts.filter(isPreferred), ...accounts.filter((it) => !isPreferred(it))]
}

/** Returns the state after the wallet moved to a chain, or agreed to. The page follows once it has an account there. */
export function moveTo({ awaitedChainId: _, ...state }: SessionState, chainId: number): SessionState {
  return state.grant.accounts.has(chainId) ? { ...state, chainId } : { ...state, awaitedChainId: chainId }
}

/** Returns the state after an event of the wallet. Returns the same state if the event has no chain or account. */
export function afterEvent(state: SessionState, payload: unknown): SessionState {
  const params = readProperty(payload, 'params')
  const event = readProperty(params, 'event')
  const data = readProperty(event, 'data')
  if (readProperty(event, 'name') === 'accountsChanged') {
    const accounts = parseAccounts((readList(data) ?? [data]).map(withoutChain))
    return accounts?.[0] ? { ...state, account: accounts[0] } : state
  }
  if (readProperty(event, 'name') === 'chainChanged') {
    const chainId = parseChainId(withoutChain(data)) ?? parseChainId(withoutChain(readProperty(params, 'chainId')))
    return chainId === undefined ? state : moveTo(state, chainId)
  }
  return state
}

/** Returns the state after the wallet changed the session's namespaces. */
export function afterUpdate(
  { chainId, account, awaitedChainId }: SessionState,
  namespaces: unknown,
  chainIds: ChainIds,
): SessionState {
  const grant = parseNamespaces(namespaces)
  const next = { grant, chainId: chooseChain(grant, chainId, chainIds), account }
  return awaitedChainId === undefined ? next : moveTo(next, awaitedChainId)
}

/** Reads accounts by chain, and methods, from both forms of namespaces: `eip155` and `eip155:56`. */
export function parseNamespaces(namespaces: unknown): Grant {
  const grant: Grant = { accounts: new Map(), methods: new Set() }
  const known = new Set<string>()
  for (const [key, namespace] of Object.entries(namespaces ?? {})) {
    if (key.split(':')[0] !== 'eip155') continue
    for (const entry of readList(readProperty(namespace, 'accounts')) ?? []) addAccount(grant, known, entry)
    for (const method of readList(readProperty(namespace, 'methods')) ?? []) grant.methods.add(String(method))
  }
  return grant
}

/** Adds an account such as `eip155:56:0x…`, unless its chain has it already. https://chainagnostic.org/CAIPs/caip-10 */
function addAccount({ accounts }: Grant, known: Set<string>, entry: unknown): void {
  const [namespace, chain, address] = typeof entry === 'string' ? entry.split(':') : []
  const chainId = parseChainId(chain)
  const [account] = parseAccounts([address]) ?? []
  if (namespace !== 'eip155' || !chainId || !account) return
  const key = `${chainId} ${account.toLowerCase()}`
  if (known.has(key)) return
  known.add(key)
  const list = accounts.get(chainId) ?? []
  list.push(account)
  accounts.set(chainId, list)
}

/** Returns the last part of `eip155:56:0x…` or `eip155:56`. https://chainagnostic.org/CAIPs/caip-10 */
const withoutChain = (payload: unknown) => (typeof payload === 'string' ? payload.split(':').at(-1) : payload)

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
  /** Returns the accounts that the wallet approved on a chain. Default: the session's chain. */
  getAccounts: (chainId?: number) => readonly Address[]
  getChainId: () => number
  canSwitchTo: (chainId: number) => boolean
  onEvent: (payload: unknown) => void
  onUpdate: (namespaces: unknown) => void
  onEnd: () => void
  /** Rejects the open requests, which no wallet answers after the page has ended the session. */
  cancelRequests: () => void
  /** Ends it after another tab has ended the session. The page may go on with another session of that tab. */
  leave: () => void
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
  const ending = new AbortController()

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
  const waitForChain = (chainId: number) =>
    withTimeout(
      new Promise<void>((resolve) => {
        const check = () => void (state.chainId === chainId && resolve())
        on('chainChanged', check)
        check()
      }),
      approvalTimeout,
      () => new ChainError(notApproved, { reason: 'notApproved' }),
    )
  const { signal } = ending
  const answer = createRequest(parameters, { getState: () => state, setState, waitForChain, signal })
  const request: typeof answer = async (parameters) =>
    isEnded && parameters.method === 'eth_accounts' ? [] : answer(parameters)
  return {
    topic: session.topic,
    provider: { request, on, removeListener } as unknown as EIP1193Provider,
    getAccounts: (chainId) => getAccounts(state, chainId),
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
    cancelRequests: () => ending.abort(),
    leave: () => {
      isEnded = true
      ending.abort()
      emit('accountsChanged', [])
    },
  }
}

/** Time limit in milliseconds for a wallet that agreed to switch to approve an account on the chain. */
const approvalTimeout = 5_000
const notApproved =
  'The wallet has approved no account on this network. Choose the network in the wallet, or disconnect and connect again.'

const switchMethod = 'wallet_switchEthereumChain'

/** Returns whether the wallet has approved the chain, or switches on request. */
const canSwitchTo = ({ grant }: SessionState, chainId: number): boolean =>
  grant.accounts.has(chainId) || grant.methods.has(switchMethod)

/** Requests that wallets answer without asking the person. The client would open the wallet's app for each of them. */
const quietMethods = ['wallet_getCallsStatus', 'wallet_getCapabilities']

type StateAccess = {
  getState: () => SessionState
  setState: (state: SessionState) => void
  /** Resolves once the session is on a chain. Rejects after `approvalTimeout`. */
  waitForChain: (chainId: number) => Promise<void>
  /** Fires when the page ends the session. */
  signal: AbortSignal
}

function createRequest(
  { client, session, requestTimeout, read }: SessionProviderParameters,
  { getState, setState, waitForChain, signal }: StateAccess,
) {
  const { topic, sessionConfig } = session
  const ask = (chainId: number, request: { method: string; params: unknown }) => {
    const isQuiet = quietMethods.includes(request.method)
    // The client replaces the object on updates.
    const known = client.session.getAll().find((it) => it.topic === topic)
    if (known) known.sessionConfig = { ...sessionConfig, ...(isQuiet && { disableDeepLink: true }) }
    const createError = () =>
      signal.aborted
        ? new AbortedError('The wallet was disconnected.')
        : new WalletNotAvailableError('The wallet did not answer in time. Open it and try again.', {
            reason: 'noAnswer',
          })
    const answer = client.request({ topic, chainId: `eip155:${chainId}`, request })
    return withTimeout(answer, requestTimeout, createError, signal)
  }

  const switchChain = async (params: unknown) => {
    const chainId = parseChainId(readProperty(readProperty(params, '0'), 'chainId'))
    if (chainId === undefined) throw createRpcError(-32602, 'The chain id is missing.')
    if (!canSwitchTo(getState(), chainId))
      throw createRpcError(4200, 'The wallet does not switch networks on request. Switch in the wallet.')
    // A request must name an approved chain.
    if (!getState().grant.accounts.has(chainId))
      await ask(getState().chainId, { method: switchMethod, params: [{ chainId: toHex(chainId) }] })
    setState(moveTo(getState(), chainId))
    await waitForChain(chainId)
    return null
  }

  return async ({ method, params = [] }: { method: string; params?: unknown }): Promise<unknown> => {
    const state = getState()
    if (method === 'eth_accounts' || method === 'eth_requestAccounts') return [...getAccounts(state)]
    if (method === 'eth_chainId') return toHex(state.chainId)
    if (method === switchMethod) return switchChain(params)
    if (state.grant.methods.has(method)) {
      const chainId = findChain(state, method, params)
      return isOfOtherChains(state, method, params) ? {} : ask(chainId, { method, params })
    }
    if (/^(wallet_|personal_|eth_(sign|send(Transaction|UserOperation)))/.test(method))
      throw createRpcError(4200, `The wallet does not support ${method}.`)
    return read(state.chainId, { method, params })
  }
}

const namesChain = /^(eth_(send|sign)Transaction|wallet_sendCalls)$/
const namesAccount = /^(personal_sign|eth_(send|sign)|wallet_(sendCalls|getCapabilities))/

/**
 * Returns the chain of a request: the one that its transaction or calls name, else the session's.
 *
 * @throws an error with code 4100 if the wallet has not approved the request's account there
 */
function findChain(state: SessionState, method: string, params: unknown): number {
  const [first, second] = readList(params) ?? []
  const named = namesChain.test(method) ? parseChainId(readProperty(first, 'chainId')) : undefined
  const chainId = named ?? state.chainId
  const account = method === 'personal_sign' ? second : (readProperty(first, 'from') ?? first)
  const isMissing = isAddress(account) && !isApproved(state, chainId, account)
  if (isMissing && namesAccount.test(method))
    throw createRpcError(4100, `The wallet has not approved ${account} on the network ${chainId}.`)
  return chainId
}

/** Checks for capabilities of chains on which the wallet has not approved the account: there are none. */
function isOfOtherChains(state: SessionState, method: string, params: unknown): boolean {
  const [account, chains] = readList(params) ?? []
  const asked = method === 'wallet_getCapabilities' ? readList(chains)?.map(parseChainId) : undefined
  return asked?.every((chainId) => !isApproved(state, chainId ?? 0, String(account))) === true
}

const isApproved = (state: SessionState, chainId: number, account: string) =>
  getAccounts(state, chainId).some((it) => it.toLowerCase() === account.toLowerCase())

const toHex = (chainId: number) => `0x${chainId.toString(16)}`
