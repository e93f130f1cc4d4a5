import type { Address } from 'viem'
import { parseAccounts, parseChainId, readProperty } from '../../core/lib/untrusted.ts'

/** Chain and account of a session, stored for the next page. */
export type SessionChoice = { chainId: number; account: Address | undefined }

export type SessionState = SessionChoice & {
  grant: Grant
  /** A chain that the wallet agreed to add; its accounts are still missing. */
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
export function chooseChain({ accounts }: Grant, preferred: number | undefined, chainIds: ChainIds): number {
  const approved = [...accounts.keys()]
  return [preferred, ...chainIds].find((id) => id !== undefined && approved.includes(id)) ?? approved[0] ?? chainIds[0]
}

/** Returns the accounts on the session's chain, the selected one first. */
export function getAccounts({ grant, chainId, account }: SessionState): readonly Address[] {
  // The wallet may move to a chain without approving accounts there; the accounts of the other chains stay.
  const accounts = grant.accounts.get(chainId) ?? [...new Set([...grant.accounts.values()].flat())]
  return account ? [account, ...accounts.filter((it) => it.toLowerCase() !== account.toLowerCase())] : accounts
}

/** Returns the state after the wallet agreed to switch. Some wallets agree and approve no account on the chain. */
export function afterSwitch(state: SessionState, chainId: number): SessionState {
  return state.grant.accounts.has(chainId) ? { ...state, chainId } : { ...state, awaitedChainId: chainId }
}

/** Returns the state after an event of the wallet. Returns the same state if the event has no chain or account. */
export function afterEvent(state: SessionState, payload: unknown): SessionState {
  const params = readProperty(payload, 'params')
  const event = readProperty(params, 'event')
  const data = readProperty(event, 'data')
  if (readProperty(event, 'name') === 'accountsChanged') {
    const accounts = parseAccounts(Array.isArray(data) ? data.map(withoutChain) : [withoutChain(data)])
    return accounts?.[0] ? { ...state, account: accounts[0] } : state
  }
  if (readProperty(event, 'name') === 'chainChanged') {
    const chainId = parseChainId(withoutChain(data)) ?? parseChainId(withoutChain(readProperty(params, 'chainId')))
    if (chainId === undefined) return state
    const { awaitedChainId, ...known } = state
    return { ...known, chainId }
  }
  return state
}

/** Returns the state after the wallet changed the session's namespaces. */
export function afterUpdate(
  { chainId: current, account, awaitedChainId }: SessionState,
  namespaces: unknown,
  chainIds: ChainIds,
): SessionState {
  const grant = parseNamespaces(namespaces)
  const isAdded = awaitedChainId !== undefined && grant.accounts.has(awaitedChainId)
  const chainId = chooseChain(grant, isAdded ? awaitedChainId : current, chainIds)
  const approved = [...grant.accounts.values()].flat().map((it) => it.toLowerCase())
  return {
    grant,
    chainId,
    account: account && approved.includes(account.toLowerCase()) ? account : undefined,
    ...(awaitedChainId !== undefined && chainId !== awaitedChainId && { awaitedChainId }),
  }
}

/** Reads accounts by chain, and methods, from both forms of namespaces: `eip155` and `eip155:56`. */
export function parseNamespaces(namespaces: unknown): Grant {
  const grant: Grant = { accounts: new Map(), methods: new Set() }
  for (const [key, namespace] of Object.entries(namespaces ?? {})) {
    if (key.split(':')[0] !== 'eip155') continue
    const accounts = readProperty(namespace, 'accounts')
    const methods = readProperty(namespace, 'methods')
    for (const entry of Array.isArray(accounts) ? accounts : []) {
      if (typeof entry !== 'string') continue
      const [, chain, address] = entry.split(':')
      const chainId = parseChainId(chain)
      const [account] = parseAccounts([address]) ?? []
      if (chainId && account) grant.accounts.set(chainId, [...(grant.accounts.get(chainId) ?? []), account])
    }
    for (const method of Array.isArray(methods) ? methods : []) grant.methods.add(String(method))
  }
  return grant
}

/** Returns the last part of `eip155:56:0x…` or `eip155:56`. https://chainagnostic.org/CAIPs/caip-10 */
const withoutChain = (payload: unknown) => (typeof payload === 'string' ? payload.split(':').at(-1) : payload)
