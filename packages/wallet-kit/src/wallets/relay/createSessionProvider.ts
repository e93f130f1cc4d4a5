import type { Address, EIP1193Provider } from 'viem'
import { WalletNotAvailableError } from '../../core/errors.ts'
import { parseAccounts, parseChainId } from '../../core/payloads.ts'
import { read } from '../../core/read.ts'
import type { ConnectorContext } from '../../core/wallet.ts'
import { within } from '../../core/within.ts'
import type { RelayClient, RelaySession } from './loadRelayClient.ts'

/** What a person chose in a session, kept for the next page. */
export type SessionChoice = { chainId: number; account: Address | undefined }

export type SessionProviderParameters = {
  client: RelayClient
  session: RelaySession
  /** As it was on the last page. */
  choice?: Partial<SessionChoice>
  onChoice: (choice: SessionChoice) => void
  /** How long a person may take to answer a request, in milliseconds. */
  requestTimeout: number
} & Pick<ConnectorContext, 'chainIds' | 'read'>

/** A relay session as a provider, and what the wallet tells of it. */
export type SessionProvider = {
  topic: string
  provider: EIP1193Provider
  getAccounts: () => readonly Address[]
  getChainId: () => number
  onEvent: (payload: unknown) => void
  onUpdate: (namespaces: unknown) => void
  onEnd: () => void
}

/**
 * Makes a session speak EIP-1193: accounts and chain are answered from what the wallet approved, what a person has to
 * answer goes to the wallet, and everything else to the app's own nodes.
 *
 * @see https://eips.ethereum.org/EIPS/eip-1193
 */
export function createSessionProvider({
  client,
  session: { topic, namespaces: approved },
  choice = {},
  onChoice,
  requestTimeout,
  chainIds,
  read: readNode,
}: SessionProviderParameters): SessionProvider {
  const listeners = new Map<string, Set<(payload: never) => void>>()
  let grant = parseNamespaces(approved)
  let chainId = choose(choice.chainId)
  let account = choice.account
  /** A chain that the wallet has agreed to add, and has not yet. */
  let awaited: number | undefined

  function choose(preferred: number | undefined): number {
    const chains = [...grant.accounts.keys()]
    return [preferred, ...chainIds].find((id) => id !== undefined && chains.includes(id)) ?? chains[0] ?? chainIds[0]
  }

  const getAccounts = (): readonly Address[] => {
    // On a chain the wallet moved to without saying who it is there, it is who it was.
    const list = grant.accounts.get(chainId) ?? [...new Set([...grant.accounts.values()].flat())]
    return account ? [account, ...list.filter((it) => it.toLowerCase() !== account?.toLowerCase())] : list
  }

  const emit = (event: string, payload: unknown) => {
    for (const listener of listeners.get(event) ?? []) listener(payload as never)
  }

  /** Says what is new, once. */
  const change = (apply: () => void) => {
    const before = { chainId, accounts: getAccounts().join().toLowerCase() }
    apply()
    if (before.chainId !== chainId) emit('chainChanged', toHex(chainId))
    if (before.accounts !== getAccounts().join().toLowerCase()) emit('accountsChanged', [...getAccounts()])
    onChoice({ chainId, account })
  }

  const ask = (chain: number, request: { method: string; params: unknown }) =>
    within(
      client.request({ topic, chainId: `eip155:${chain}`, request }),
      requestTimeout,
      () => new WalletNotAvailableError('The wallet did not answer in time. Open it and try again.'),
    )

  const switchChain = async (params: unknown) => {
    const wanted = parseChainId(read(read(params, '0'), 'chainId'))
    if (wanted === undefined) throw rpcError(-32602, 'The chain id is missing.')
    if (!grant.accounts.has(wanted)) {
      if (!grant.methods.has('wallet_switchEthereumChain'))
        throw rpcError(4200, 'The wallet changes networks by itself.')
      // A request has to name a chain that is approved.
      await ask(choose(chainId), { method: 'wallet_switchEthereumChain', params: [{ chainId: toHex(wanted) }] })
    }
    // A yes is no approval: some wallets say it and give no account there.
    if (grant.accounts.has(wanted)) change(() => (chainId = wanted))
    else awaited = wanted
    return null
  }

  const request = async ({ method, params = [] }: { method: string; params?: unknown }): Promise<unknown> => {
    if (method === 'eth_accounts' || method === 'eth_requestAccounts') return [...getAccounts()]
    if (method === 'eth_chainId') return toHex(chainId)
    if (method === 'wallet_switchEthereumChain') return switchChain(params)
    if (grant.methods.has(method)) return ask(chainId, { method, params })
    if (/^(wallet_|personal_|eth_(sign|send(Transaction|UserOperation)))/.test(method))
      throw rpcError(4200, `The wallet does not offer ${method}.`)
    return readNode(chainId, { method, params })
  }

  const provider = {
    request,
    on: (event: string, listener: (payload: never) => void) => {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
      return provider
    },
    removeListener: (event: string, listener: (payload: never) => void) => {
      listeners.get(event)?.delete(listener)
      return provider
    },
  }

  return {
    topic,
    provider: provider as unknown as EIP1193Provider,
    getAccounts,
    getChainId: () => chainId,
    onEvent: (payload) => {
      const params = read(payload, 'params')
      const event = read(params, 'event')
      const data = read(event, 'data')
      if (read(event, 'name') === 'accountsChanged') {
        const accounts = parseAccounts(Array.isArray(data) ? data.map(withoutChain) : [withoutChain(data)])
        if (accounts?.length) change(() => (account = accounts[0]))
      }
      if (read(event, 'name') === 'chainChanged') {
        const next = parseChainId(withoutChain(data)) ?? parseChainId(withoutChain(read(params, 'chainId')))
        if (next !== undefined) change(() => (chainId = next))
      }
    },
    onUpdate: (namespaces) =>
      change(() => {
        grant = parseNamespaces(namespaces)
        chainId = choose(awaited !== undefined && grant.accounts.has(awaited) ? awaited : chainId)
        if (chainId === awaited) awaited = undefined
        const known = [...grant.accounts.values()].flat().map((it) => it.toLowerCase())
        if (account && !known.includes(account.toLowerCase())) account = undefined
      }),
    onEnd: () => emit('disconnect', rpcError(4900, 'The wallet ended the session.')),
  }
}

type Grant = { accounts: Map<number, Address[]>; methods: Set<string> }

/** The accounts of each chain and the methods, from both forms of namespaces: `eip155` and `eip155:56`. */
export function parseNamespaces(namespaces: unknown): Grant {
  const grant: Grant = { accounts: new Map(), methods: new Set() }
  for (const [key, namespace] of Object.entries(namespaces ?? {})) {
    if (key.split(':')[0] !== 'eip155') continue
    const accounts = read(namespace, 'accounts')
    const methods = read(namespace, 'methods')
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

/** `eip155:56:0x…` and `eip155:56` end with what is meant. https://chainagnostic.org/CAIPs/caip-10 */
const withoutChain = (payload: unknown) => (typeof payload === 'string' ? payload.split(':').at(-1) : payload)

const toHex = (chainId: number) => `0x${chainId.toString(16)}`

const rpcError = (code: number, message: string) => Object.assign(new Error(message), { code })
