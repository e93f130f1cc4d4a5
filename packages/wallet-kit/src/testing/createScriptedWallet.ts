import { type Address, createWalletClient, type EIP1193Provider, type Hex, hexToBigInt, http, isHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/** How a method answers, instead of as a good wallet would. */
export type Behaviour =
  /** The person says no (4001). */
  | 'reject'
  /** A request is already open in the wallet (-32002). `approve()` answers it. */
  | 'alreadyOpen'
  /** No answer, ever. */
  | 'hang'
  /** No answer until `release()`; then as a good wallet would. */
  | 'wait'
  /** Throws on the spot, not as a rejected promise. */
  | 'throw'
  /** Fails so; with `times`, only so often. */
  | { error: unknown; times?: number }
  | { result: unknown }

export type ScriptedWalletOptions = {
  /** The selected one first. Default: the account of `privateKey`, else a fixed one. */
  accounts?: readonly Address[]
  /** Signs messages and transactions. */
  privateKey?: Hex
  /** Default: 56. */
  chainId?: number
  /** Chains it can switch to without adding them. Default: `chainId` alone. */
  knownChains?: readonly number[]
  /** How it writes chain ids. Default: hex, as the standard says. */
  chainIdFormat?: 'hex' | 'decimal' | 'number' | 'bigint'
  /** Whether this page was granted the accounts earlier. Default: `false`. */
  authorized?: boolean
  /** A locked wallet shows no accounts until the person is asked. Default: `false`. */
  locked?: boolean
  /** What of events it supports. Default: all. */
  listeners?: 'all' | 'noRemoveListener' | 'none'
  behaviours?: Readonly<Record<string, Behaviour>>
  /** Node that answers what a wallet passes on. Without one such methods are unsupported (4200). */
  rpcUrl?: string
  /** Properties by which a wallet is told that announces nothing: `{ isTrust: true }`. */
  flags?: Readonly<Record<string, unknown>>
}

export type ScriptedWallet = {
  provider: EIP1193Provider
  /** All it was asked, in order. */
  requests: { method: string; params?: unknown }[]
  /** The person answers the request that is already open. */
  approve: () => void
  /** Lets requests that wait go on: those of `method`, or all. */
  release: (method?: string) => void
  /** From now on `method` behaves like this; `undefined`: well. */
  setBehaviour: (method: string, behaviour: Behaviour | undefined) => void
  setAccounts: (accounts: readonly Address[]) => void
  setChain: (chainId: number) => void
  lock: () => void
  /** The wallet ends the connection. */
  disconnect: () => void
  emit: (event: string, payload: unknown) => void
  /** How many listeners it has. */
  listenerCount: () => number
}

const defaultAccount: Address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

/**
 * A wallet that does as it is told, for tests and stories: an EIP-1193 provider with a script for each method and a hand
 * on all it reports.
 *
 * @see https://eips.ethereum.org/EIPS/eip-1193
 * @example
 * const wallet = createScriptedWallet({ behaviours: { eth_requestAccounts: 'reject' } })
 * announceWallet({ info: { name: 'MetaMask', rdns: 'io.metamask' }, provider: wallet.provider })
 */
export function createScriptedWallet(options: ScriptedWalletOptions = {}): ScriptedWallet {
  const { privateKey, rpcUrl, chainIdFormat = 'hex', listeners: support = 'all', flags } = options
  const signer = privateKey && privateKeyToAccount(privateKey)
  let accounts = options.accounts ?? [signer?.address ?? defaultAccount]
  let { chainId = 56, authorized = false, locked = false } = options
  const knownChains = new Set(options.knownChains ?? [chainId])
  const behaviours = new Map(Object.entries(options.behaviours ?? {}))
  const requests: ScriptedWallet['requests'] = []
  const listeners = new Map<string, Set<(payload: unknown) => void>>()
  const waiting = new Set<{ method: string; go: () => void }>()

  const emit = (event: string, payload: unknown) => {
    for (const listener of [...(listeners.get(event) ?? [])]) listener(payload)
  }
  const setChain = (next: number) => {
    chainId = next
    emit('chainChanged', writeChainId(next, chainIdFormat))
  }
  const grant = () => {
    authorized = true
    locked = false
  }

  const methods: Record<string, (params: readonly unknown[]) => unknown> = {
    eth_requestAccounts: () => {
      grant()
      return [...accounts]
    },
    eth_accounts: () => (authorized && !locked ? [...accounts] : []),
    eth_chainId: () => writeChainId(chainId, chainIdFormat),
    net_version: () => String(chainId),
    wallet_switchEthereumChain: ([target]) => {
      const next = Number((target as { chainId: Hex }).chainId)
      if (!knownChains.has(next)) throw rpcError(4902, `Unrecognized chain ID "${next}".`)
      setChain(next)
      return null
    },
    wallet_addEthereumChain: ([target]) => {
      knownChains.add(Number((target as { chainId: Hex }).chainId))
      return null
    },
    wallet_revokePermissions: () => {
      authorized = false
      emit('accountsChanged', [])
      return null
    },
    ...(signer && createSigning(signer, rpcUrl)),
  }

  const answer = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const own = methods[method]
    if (own) return own(params)
    if (rpcUrl) return http(rpcUrl)({}).request({ method, params })
    throw rpcError(4200, `The scripted wallet does not support ${method}.`)
  }

  const request = ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
    requests.push({ method, ...(params !== undefined && { params }) })
    const list = Array.isArray(params) ? params : []
    const behaviour = takeBehaviour(behaviours, method)
    if (behaviour === 'throw') throw new Error(`${method} failed on the spot`)
    return new Promise((resolve, reject) => {
      const settle = () => void answer(method, list).then(resolve, reject)
      if (behaviour === undefined) settle()
      else if (behaviour === 'reject') reject(rpcError(4001, 'User rejected the request.'))
      else if (behaviour === 'alreadyOpen') reject(rpcError(-32002, `Request of type '${method}' already pending.`))
      else if (behaviour === 'wait') waiting.add({ method, go: settle })
      else if (behaviour !== 'hang') 'error' in behaviour ? reject(behaviour.error) : resolve(behaviour.result)
    })
  }

  const events = {
    on: (event: string, listener: (payload: unknown) => void) => {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
    },
    ...(support === 'all' && {
      removeListener: (event: string, listener: (payload: unknown) => void) => {
        listeners.get(event)?.delete(listener)
      },
    }),
  }

  return {
    provider: { ...flags, request, ...(support !== 'none' && events) } as unknown as EIP1193Provider,
    requests,
    approve: () => {
      grant()
      emit('accountsChanged', [...accounts])
    },
    release: (method) => {
      for (const held of waiting)
        if (method === undefined || held.method === method) {
          waiting.delete(held)
          held.go()
        }
    },
    setBehaviour: (method, behaviour) => {
      if (behaviour === undefined) behaviours.delete(method)
      else behaviours.set(method, behaviour)
    },
    setAccounts: (next) => {
      accounts = next
      emit('accountsChanged', [...next])
    },
    setChain,
    lock: () => {
      locked = true
      emit('accountsChanged', [])
    },
    disconnect: () => {
      authorized = false
      emit('disconnect', rpcError(4900, 'The provider is disconnected.'))
    },
    emit,
    listenerCount: () => [...listeners.values()].reduce((count, set) => count + set.size, 0),
  }
}

function takeBehaviour(behaviours: Map<string, Behaviour>, method: string): Behaviour | undefined {
  const behaviour = behaviours.get(method)
  if (typeof behaviour !== 'object' || !('error' in behaviour) || behaviour.times === undefined) return behaviour
  if (behaviour.times > 1) behaviours.set(method, { ...behaviour, times: behaviour.times - 1 })
  else behaviours.delete(method)
  return behaviour
}

function createSigning(account: PrivateKeyAccount, rpcUrl: string | undefined) {
  return {
    personal_sign: ([message]: readonly unknown[]) =>
      account.signMessage({ message: isHex(message) ? { raw: message } : String(message) }),
    eth_signTypedData_v4: ([, typedData]: readonly unknown[]) =>
      account.signTypedData(typeof typedData === 'string' ? JSON.parse(typedData) : typedData),
    eth_sendTransaction: ([transaction]: readonly unknown[]) => {
      if (!rpcUrl) throw rpcError(4200, 'The scripted wallet needs rpcUrl to send transactions.')
      const { to, data, value } = transaction as { to?: Address; data?: Hex; value?: Hex }
      const client = createWalletClient({ account, transport: http(rpcUrl) })
      return client.sendTransaction({ chain: null, to, data, ...(value && { value: hexToBigInt(value) }) })
    },
  }
}

function writeChainId(chainId: number, format: ScriptedWalletOptions['chainIdFormat']): unknown {
  if (format === 'number') return chainId
  if (format === 'bigint') return BigInt(chainId)
  return format === 'decimal' ? String(chainId) : `0x${chainId.toString(16)}`
}

function rpcError(code: number, message: string): Error & { code: number } {
  return Object.assign(new Error(message), { code })
}
