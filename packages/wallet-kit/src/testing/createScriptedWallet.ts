import { type Address, createWalletClient, type EIP1193Provider, type Hex, hexToBigInt, http, isHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { createEvents, createRpcError } from '../core/lib/providerParts.ts'

/** Script of one method, which replaces the normal answer. */
export type Behaviour =
  /** The person rejects (4001). */
  | 'reject'
  /** Another request is open in the wallet (-32002). `approve()` answers it. */
  | 'alreadyOpen'
  /** Never answers. */
  | 'hang'
  /** Waits for `release()`, then answers normally. */
  | 'wait'
  /** Throws synchronously instead of returning a rejected promise. */
  | 'throw'
  /** Fails with this error; with `times`, only that many times. */
  | { error: unknown; times?: number }
  | { result: unknown }

export type ScriptedWalletOptions = {
  /** Accounts, the selected one first. Default: the account of `privateKey`, else a fixed one. */
  accounts?: readonly Address[] | undefined
  /** Signs messages and transactions. */
  privateKey?: Hex | undefined
  /** Default: 56. */
  chainId?: number | undefined
  /** Chains it can switch to without adding them. Default: only `chainId`. */
  knownChains?: readonly number[] | undefined
  /** Format of its chain ids. Default: `hex`, as in the standard. */
  chainIdFormat?: 'hex' | 'decimal' | 'number' | 'bigint' | undefined
  /** `true` if the page already has permission. Default: `false`. */
  authorized?: boolean | undefined
  /** A locked wallet returns no accounts until `eth_requestAccounts`. Default: `false`. */
  locked?: boolean | undefined
  /** Event methods it supports. Default: `all`. */
  listeners?: 'all' | 'noRemoveListener' | 'none' | undefined
  behaviours?: Readonly<Record<string, Behaviour>> | undefined
  /** URL of a node for methods that wallets forward. Without it, they are unsupported (4200). */
  rpcUrl?: string | undefined
  /** Support for lists of calls, which it sends as one transaction each (EIP-5792). Default: `unsupported`. */
  calls?: 'supported' | 'unsupported' | undefined
  /** Support for connecting and signing in with one approval (ERC-7846). Default: `unsupported`. */
  signInOnConnect?: 'supported' | 'unsupported' | undefined
  /** Properties of the provider that identify a wallet: `{ isTrust: true }`. */
  flags?: Readonly<Record<string, unknown>> | undefined
}

/** A scripted wallet: its provider, and functions that control it. */
export type ScriptedWallet = {
  provider: EIP1193Provider
  /** All requests, in order. */
  requests: { method: string; params?: unknown }[]
  /** Lets the person approve the request that is already open. */
  approve: () => void
  /**
   * Answers waiting requests: those of `method`, or all.
   *
   * @param method - A method, such as `personal_sign`. Default: all.
   */
  release: (method?: string) => void
  /**
   * Changes the script of a method; `undefined` restores the normal answer.
   *
   * @param method - A method, such as `personal_sign`.
   * @param behaviour - Its new script.
   */
  setBehaviour: (method: string, behaviour: Behaviour | undefined) => void
  /**
   * Lets the person choose other accounts.
   *
   * @param accounts - The accounts, the selected one first.
   */
  setAccounts: (accounts: readonly Address[]) => void
  /**
   * Lets the person switch the chain in the wallet.
   *
   * @param chainId - The chain.
   */
  setChain: (chainId: number) => void
  lock: () => void
  /** Lets the wallet end the connection. */
  disconnect: () => void
  /**
   * Emits an event of the provider.
   *
   * @param event - Its name, such as `accountsChanged`.
   * @param payload - Its payload, which may be one that no standard allows.
   */
  emit: (event: string, payload: unknown) => void
  /** Number of event listeners. */
  listenerCount: () => number
}

const defaultAccount: Address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

/**
 * Creates a scripted wallet for tests and stories: an EIP-1193 provider with a script for each method, whose accounts,
 * chain and events you control.
 *
 * @param options - Its accounts, chain and scripts. Default: one account on chain 56 that agrees to everything.
 * @see https://eips.ethereum.org/EIPS/eip-1193
 * @example
 * const wallet = createScriptedWallet({ behaviours: { eth_requestAccounts: 'reject' } })
 * announceWallet({ info: { name: 'MetaMask', rdns: 'io.metamask' }, provider: wallet.provider })
 */
export function createScriptedWallet(options: ScriptedWalletOptions = {}): ScriptedWallet {
  const { privateKey, rpcUrl, chainIdFormat = 'hex', listeners = 'all', calls, flags } = options
  const signer = privateKey && privateKeyToAccount(privateKey)
  const { accounts = [signer?.address ?? defaultAccount], chainId = 56, knownChains = [chainId] } = options
  const state: State = { ...options, accounts, chainId, knownChains: new Set(knownChains) }
  const behaviours: Behaviours = new Map(Object.entries(options.behaviours ?? {}))
  const { emit, listenerCount, ...events } = createEvents()
  const format = (chainId: number) => formatChainId(chainId, chainIdFormat)
  const setChain = (chainId: number) => {
    state.chainId = chainId
    emit('chainChanged', format(chainId))
  }
  const emitAccounts = (accounts: readonly Address[]) => emit('accountsChanged', [...accounts])
  const methods: Methods = {
    ...createMethods(state, setChain, emitAccounts, format),
    ...(signer && createSigningMethods(signer, rpcUrl)),
  }
  if (options.signInOnConnect === 'supported') methods.wallet_connect = createConnectMethod(state, signer)
  if (calls === 'supported') Object.assign(methods, createCallsMethods(state, methods, rpcUrl))
  const { request, requests, release } = createRequest(behaviours, async (method, params) => {
    const run = methods[method]
    if (run) return run(params)
    if (rpcUrl) return http(rpcUrl)({}).request({ method, params })
    throw createRpcError(4200, `The scripted wallet does not support ${method}.`)
  })
  const supported = { all: events, noRemoveListener: { on: events.on }, none: {} }[listeners]
  return {
    provider: { ...flags, request, ...supported } as unknown as EIP1193Provider,
    requests,
    release,
    emit,
    listenerCount,
    setChain,
    setAccounts: (accounts) => {
      state.accounts = accounts
      emitAccounts(accounts)
    },
    approve: () => {
      grant(state)
      emitAccounts(state.accounts)
    },
    setBehaviour: (method, behaviour) => void behaviours.set(method, behaviour),
    lock: () => {
      state.locked = true
      emitAccounts([])
    },
    disconnect: () => {
      state.authorized = false
      emit('disconnect', createRpcError(4900, 'The provider is disconnected.'))
    },
  }
}

type State = {
  accounts: readonly Address[]
  chainId: number
  authorized?: boolean
  locked?: boolean
  knownChains: Set<number>
}
type Behaviours = Map<string, Behaviour | undefined>
type Methods = Record<string, (params: readonly unknown[]) => unknown>

function grant(state: State): void {
  state.authorized = true
  state.locked = false
}

function createMethods(
  state: State,
  setChain: (chainId: number) => void,
  emitAccounts: (accounts: readonly Address[]) => void,
  format: (chainId: number) => unknown,
): Methods {
  return {
    eth_requestAccounts: () => {
      grant(state)
      return [...state.accounts]
    },
    eth_accounts: () => (state.authorized && !state.locked ? [...state.accounts] : []),
    eth_chainId: () => format(state.chainId),
    net_version: () => String(state.chainId),
    wallet_switchEthereumChain: ([target]) => {
      const chainId = Number((target as { chainId: Hex }).chainId)
      if (!state.knownChains.has(chainId)) throw createRpcError(4902, `Unrecognized chain ID "${chainId}".`)
      setChain(chainId)
      return null
    },
    wallet_addEthereumChain: ([target]) => {
      state.knownChains.add(Number((target as { chainId: Hex }).chainId))
      return null
    },
    wallet_revokePermissions: () => {
      state.authorized = false
      emitAccounts([])
      return null
    },
  }
}

/** Creates a request function that applies the script of each method; `answer` answers methods without one. */
function createRequest(
  behaviours: Behaviours,
  answer: (method: string, params: readonly unknown[]) => Promise<unknown>,
) {
  const requests: ScriptedWallet['requests'] = []
  const waiting = new Set<{ method: string; settle: () => void }>()
  const request = ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
    requests.push({ method, ...(params !== undefined && { params }) })
    const behaviour = takeBehaviour(behaviours, method)
    if (behaviour === 'throw') throw new Error(`${method} threw synchronously`)
    return new Promise((resolve, reject) => {
      const settle = () => void answer(method, Array.isArray(params) ? params : []).then(resolve, reject)
      if (behaviour === undefined) settle()
      else if (behaviour === 'reject') reject(createRpcError(4001, 'User rejected the request.'))
      else if (behaviour === 'alreadyOpen')
        reject(createRpcError(-32002, `Request of type '${method}' already pending.`))
      else if (behaviour === 'wait') waiting.add({ method, settle })
      else if (behaviour !== 'hang') 'error' in behaviour ? reject(behaviour.error) : resolve(behaviour.result)
    })
  }
  const release = (method?: string) => {
    for (const held of waiting)
      if (method === undefined || held.method === method) {
        waiting.delete(held)
        held.settle()
      }
  }
  return { request, requests, release }
}

function takeBehaviour(behaviours: Behaviours, method: string): Behaviour | undefined {
  const behaviour = behaviours.get(method)
  if (typeof behaviour !== 'object' || !('error' in behaviour) || behaviour.times === undefined) return behaviour
  const times = behaviour.times - 1
  behaviours.set(method, times > 0 ? { ...behaviour, times } : undefined)
  return behaviour
}

function createSigningMethods(account: PrivateKeyAccount, rpcUrl: string | undefined): Methods {
  return {
    personal_sign: ([message]) => account.signMessage({ message: isHex(message) ? { raw: message } : String(message) }),
    eth_signTypedData_v4: ([, typedData]) =>
      account.signTypedData(typeof typedData === 'string' ? JSON.parse(typedData) : typedData),
    eth_sendTransaction: ([transaction]) => {
      if (!rpcUrl) throw createRpcError(4200, 'The scripted wallet needs rpcUrl to send transactions.')
      const { to, data, value } = transaction as { to?: Address; data?: Hex; value?: Hex }
      const client = createWalletClient({ account, transport: http(rpcUrl) })
      return client.sendTransaction({ chain: null, to, data, ...(value && { value: hexToBigInt(value) }) })
    },
  }
}

/**
 * Creates the method that writes and signs the message of `signInWithEthereum` for the account. @see
 * https://eips.ethereum.org/EIPS/eip-7846
 */
function createConnectMethod(state: State, signer: PrivateKeyAccount | undefined): Methods[string] {
  return async ([request]) => {
    grant(state)
    const accounts = state.accounts.map((address) => ({ address, capabilities: {} }))
    const [first, ...others] = accounts
    const { signInWithEthereum: asked } = (request as { capabilities: Record<string, Record<string, string>> })
      .capabilities
    if (!asked || !signer || !first) return { accounts }
    const dates = ['issuedAt', 'expirationTime', 'notBefore'].flatMap((name) =>
      asked[name] === undefined ? [] : [[name, new Date(asked[name])]],
    )
    const fields = { ...asked, ...Object.fromEntries(dates), chainId: Number(asked.chainId), address: first.address }
    const message = createSiweMessage(fields as unknown as Parameters<typeof createSiweMessage>[0])
    const signInWithEthereum = { message, signature: await signer.signMessage({ message }) }
    return { accounts: [{ ...first, capabilities: { signInWithEthereum } }, ...others] }
  }
}

function createCallsMethods(state: State, { eth_sendTransaction }: Methods, rpcUrl: string | undefined): Methods {
  const sent = new Map<unknown, { chainId: string; hashes: unknown[] }>()
  const toHex = (value: number) => `0x${value.toString(16)}`
  const readReceipt = async (hash: unknown) =>
    rpcUrl === undefined ? null : http(rpcUrl)({}).request({ method: 'eth_getTransactionReceipt', params: [hash] })
  return {
    wallet_getCapabilities: () => ({ [toHex(state.chainId)]: { atomic: { status: 'unsupported' } } }),
    wallet_sendCalls: async ([list]) => {
      const { calls, atomicRequired } = list as { calls: readonly object[]; atomicRequired?: boolean }
      if (atomicRequired && calls.length > 1)
        throw createRpcError(5760, 'The scripted wallet does not send calls as one.')
      const id = `0x${(sent.size + 1).toString(16).padStart(128, '0')}`
      const hashes: unknown[] = []
      if (rpcUrl !== undefined) for (const call of calls) hashes.push(await eth_sendTransaction?.([call]))
      sent.set(id, { chainId: toHex(state.chainId), hashes })
      return { id }
    },
    wallet_getCallsStatus: async ([id]) => {
      const { chainId, hashes } = sent.get(id) ?? {}
      if (!hashes) throw createRpcError(5730, 'The scripted wallet does not know these calls.')
      const receipts = (await Promise.all(hashes.map(readReceipt))) as ({ status: string } | null)[]
      const isPending = receipts.length === 0 || receipts.includes(null)
      const succeeded = receipts.filter((receipt) => receipt?.status === '0x1').length
      const status = isPending ? 100 : succeeded === receipts.length ? 200 : succeeded > 0 ? 600 : 500
      return { version: '2.0.0', id, chainId, atomic: false, status, receipts: isPending ? [] : receipts }
    },
  }
}

function formatChainId(chainId: number, format: ScriptedWalletOptions['chainIdFormat']): unknown {
  if (format === 'number') return chainId
  if (format === 'bigint') return BigInt(chainId)
  return format === 'decimal' ? String(chainId) : `0x${chainId.toString(16)}`
}
