import type { Address } from 'viem'
import { parseAccounts, parseChainId, readList, readProperty } from '../../core/lib/untrusted.ts'

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
  for (const [key, namespace] of Object.entries(namespaces ?? {})) {
    if (key.split(':')[0] !== 'eip155') continue
    for (const entry of readList(readProperty(namespace, 'accounts')) ?? []) addAccount(grant, entry)
    for (const method of readList(readProperty(namespace, 'methods')) ?? []) grant.methods.add(String(method))
  }
  return grant
}

/** Adds an account such as `eip155:56:0x…`, unless its chain has it already. https://chainagnostic.org/CAIPs/caip-10 */
function addAccount({ accounts }: Grant, entry: unknown): void {
  const [namespace, chain, address] = typeof entry === 'string' ? entry.split(':') : []
  const chainId = parseChainId(chain)
  const [account] = parseAccounts([address]) ?? []
  if (namespace !== 'eip155' || !chainId || !account) return
  const known = accounts.get(chainId) ?? []
  const isKnown = known.some((it) => it.toLowerCase() === account.toLowerCase())
  if (!isKnown) accounts.set(chainId, [...known, account])
}

/** Returns the last part of `eip155:56:0x…` or `eip155:56`. https://chainagnostic.org/CAIPs/caip-10 */
const withoutChain = (payload: unknown) => (typeof payload === 'string' ? payload.split(':').at(-1) : payload)
