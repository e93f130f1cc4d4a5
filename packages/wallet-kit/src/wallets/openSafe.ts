import type { Address, EIP1193Provider, Hash } from 'viem'
import { AbortedError, WalletKitError, WalletNotAvailableError } from '../core/lib/errors.ts'
import { withTimeout } from '../core/lib/promises.ts'
import { createRpcError } from '../core/lib/providerParts.ts'
import { isHash, parseAccounts, parseChainId, readProperty } from '../core/lib/untrusted.ts'
import { requestTimeout } from '../core/provider/eip1193.ts'
import type { Connector, ConnectorConnection, WalletTransaction } from '../core/wallets/wallet.ts'

export type OpenSafe = ConnectorConnection & { readTransaction: NonNullable<Connector['readTransaction']> }

/** The page that frames this one, and the Safe that it answered as. */
export type SafeFrame = {
  isAllowed: (origin: string) => boolean
  signal: AbortSignal
  opening?: Promise<OpenSafe> | undefined
  found?: OpenSafe
}

/** Time limit in milliseconds for a Safe that the person picks. */
const pickTimeout = 3_000

/**
 * Connects to the Safe that frames this page, as soon as it answers. A page that is not a Safe never does, which is an error once
 * the person picks it. A silent page is asked at once then.
 */
export function openSafe(frame: SafeFrame, isPicked: boolean): Promise<OpenSafe> {
  const earlier = frame.opening
  frame.opening ??= greetSafe(frame)
    .then((safe) => {
      frame.found ??= safe
      return frame.found
    })
    .finally(() => {
      frame.opening = frame.found && frame.opening
    })
  if (!isPicked) return frame.opening
  const again = earlier && !frame.found ? [greetSafe(frame, pickTimeout)] : []
  return withTimeout(Promise.race([frame.opening, ...again]), pickTimeout, createSilenceError).then((safe) => {
    frame.found ??= safe
    return frame.found
  })
}

/** Milliseconds after which a silent page is asked again, then twice as long each time: it may have begun to listen later. */
const firstInterval = 2_000
/** No longer interval is waited for, so that a page that is no Safe is not asked for ever. */
const longestInterval = 3_600_000

/** Asks the page for its Safe. Later requests go only to the origin that answered. */
async function greetSafe({ isAllowed, signal }: SafeFrame, timeout?: number): Promise<OpenSafe> {
  const { data, origin } = await askParent({
    method: 'getSafeInfo',
    targetOrigin: '*',
    isAllowed,
    signal,
    ...(timeout ? { timeout } : { interval: firstInterval }),
  })
  const accounts = parseAccounts([readProperty(data, 'safeAddress')])
  const chainId = parseChainId(readProperty(data, 'chainId'))
  if (!accounts?.[0] || chainId === undefined)
    throw new WalletNotAvailableError('The page that embeds this one is not a Safe.', { reason: 'notReachable' })
  const ask: AskSafe = async (method, params, timeout) => {
    const isSame = (it: string) => it === origin
    const question = { method, params, targetOrigin: origin, isAllowed: isSame, signal, ...(timeout && { timeout }) }
    return (await askParent(question)).data
  }
  const provider = createSafeProvider({ address: accounts[0], chainId, ask })
  return { provider, accounts, chainId, readTransaction: (hash) => readSafeTransaction(ask, hash) }
}

const createSilenceError = () =>
  new WalletNotAvailableError('The Safe does not answer. Reload its page and try again.', { reason: 'noAnswer' })

const statuses = {
  AWAITING_CONFIRMATIONS: 'awaitingOwners',
  AWAITING_EXECUTION: 'awaitingExecution',
  CANCELLED: 'cancelled',
  FAILED: 'failed',
  SUCCESS: 'executed',
} as const satisfies Record<string, WalletTransaction['status']>

/**
 * Returns the status of a Safe transaction. Returns `undefined` if the Safe does not know the hash, reports no known
 * status, or does not answer.
 *
 * @see https://github.com/safe-global/safe-apps-sdk/blob/main/packages/safe-apps-sdk/src/types/gateway.ts
 */
async function readSafeTransaction(ask: AskSafe, safeTxHash: Hash): Promise<WalletTransaction | undefined> {
  const details = await ask('getTxBySafeTxHash', { safeTxHash }, requestTimeout).catch(() => undefined)
  const given = readProperty(details, 'txStatus')
  const status = Object.entries(statuses).find(([name]) => name === given)?.[1]
  const txHash = readProperty(details, 'txHash')
  return status && { status, ...(isHash(txHash) && { hash: txHash }) }
}

type AskParentParameters = {
  method: string
  params?: unknown
  /** Origin of the receiver; `*` only for requests without private data. */
  targetOrigin: string
  /** Checks whether an answer from this origin is accepted. */
  isAllowed: (origin: string) => boolean
  /** Cancels the request. */
  signal: AbortSignal
  /** Time limit in milliseconds. Omit it if a person has to answer. */
  timeout?: number
  /** Milliseconds after which the request is sent again, then twice as long each time. */
  interval?: number
}

type ParentAnswer = { data: unknown; origin: string }

/**
 * Sends a request of the Safe Apps protocol to the page that frames this one. Accepts only an answer to this request,
 * from that window and an allowed origin.
 *
 * @see https://github.com/safe-global/safe-apps-sdk/tree/main/packages/safe-apps-sdk/src/communication
 */
function askParent(parameters: AskParentParameters): Promise<ParentAnswer> {
  const { method, params, targetOrigin, isAllowed, signal, timeout, interval } = parameters
  const id = Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = (settle: () => void) => {
      clearTimeout(timer)
      window.removeEventListener('message', onMessage)
      signal.removeEventListener('abort', onAbort)
      settle()
    }
    const onAbort = () => end(() => reject(new AbortedError('Request cancelled.')))
    const onMessage = ({ source, origin, data }: MessageEvent<unknown>) => {
      if (source !== window.parent || !isAllowed(origin) || readProperty(data, 'id') !== id) return
      const success = readProperty(data, 'success')
      if (success === true) end(() => resolve({ data: readProperty(data, 'data'), origin }))
      else if (success === false) end(() => reject(new Error(readReason(data))))
    }
    if (signal.aborted) return onAbort()
    window.addEventListener('message', onMessage)
    signal.addEventListener('abort', onAbort)
    if (timeout !== undefined) timer = setTimeout(() => end(() => reject(createSilenceError())), timeout)
    const send = (next = interval) => {
      try {
        window.parent.postMessage({ id, method, params, env: { sdkVersion: '9.1.0' } }, targetOrigin)
        if (next && next < longestInterval) timer = setTimeout(send, next, 2 * next)
      } catch (thrown) {
        end(() => reject(thrown))
      }
    }
    send()
  })
}

function readReason(data: unknown): string {
  const error = readProperty(data, 'error')
  return typeof error === 'string' && error.trim() ? error : 'The Safe returned an unknown error.'
}

type Answer = (params: readonly unknown[]) => unknown
type Methods = Record<string, Answer>

type SafeProviderParameters = {
  address: Address
  chainId: number
  ask: AskSafe
}

/** Sends a request to the Safe's page. Without a timeout, it waits for a person. */
export type AskSafe = (method: string, params?: unknown, timeout?: number) => Promise<unknown>

/** Methods that the Safe's page forwards to its node. */
const nodeMethods = [
  'eth_call',
  'eth_estimateGas',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getCode',
  'eth_getLogs',
  'eth_getStorageAt',
  'eth_getTransactionCount',
]

/**
 * Creates an EIP-1193 provider for a Safe. A transaction has a Safe hash before its owners have signed and executed it;
 * requests for that hash return the transaction and receipt on chain.
 *
 * @see https://github.com/safe-global/safe-apps-sdk/blob/main/packages/safe-apps-provider/src/provider.ts
 */
export function createSafeProvider(safe: SafeProviderParameters): EIP1193Provider {
  const methods = {
    ...createAccountMethods(safe),
    ...createSigningMethods(safe),
    ...createTransactionMethods(safe),
    ...createCallsMethods(safe),
  }
  return {
    request: async ({ method, params }: { method: string; params?: unknown }) => {
      const answer = Object.hasOwn(methods, method) ? methods[method] : undefined
      if (!answer) throw createRpcError(4200, `A Safe does not support ${method}.`)
      return answer(Array.isArray(params) ? params : [])
    },
    // A Safe's account and network are fixed while its page is open.
    on: () => {},
    removeListener: () => {},
  } as unknown as EIP1193Provider
}

function createAccountMethods(safe: SafeProviderParameters): Methods {
  const { address, chainId } = safe
  return {
    ...Object.fromEntries(nodeMethods.map((method) => [method, (params) => askNode(safe, method, params)])),
    eth_accounts: () => [address],
    eth_requestAccounts: () => [address],
    eth_chainId: () => toHex(chainId),
    net_version: () => String(chainId),
    eth_blockNumber: async () => readProperty(await askNode(safe, 'eth_getBlockByNumber', ['latest', false]), 'number'),
    wallet_switchEthereumChain: ([target]) => {
      if (parseChainId(target) === chainId) return null
      throw createRpcError(4200, otherNetwork)
    },
  }
}

function createSigningMethods(safe: SafeProviderParameters): Methods {
  const sign = async (account: unknown, method: 'signMessage' | 'signTypedMessage', params: unknown) => {
    assertSafe(safe, account)
    // Older Safes lack this setting and sign on chain.
    await askNode(safe, 'safe_setSettings', [{ offChainSigning: true }]).catch(() => {})
    // A message signed on chain is verified with an empty signature. https://eips.ethereum.org/EIPS/eip-1271
    return readProperty(await askPerson(safe, method, params), 'signature') || '0x'
  }
  const signTypedData: Answer = async ([account, data]) =>
    sign(account, 'signTypedMessage', { typedData: typeof data === 'string' ? JSON.parse(data) : data })
  return {
    personal_sign: ([message, account]) => sign(account, 'signMessage', { message }),
    eth_sign: ([account, message]) => sign(account, 'signMessage', { message }),
    eth_signTypedData: signTypedData,
    eth_signTypedData_v4: signTypedData,
  }
}

function createTransactionMethods(safe: SafeProviderParameters): Methods {
  /** Transactions of this page that are not on chain yet, by Safe hash. */
  const submitted = new Map<unknown, object>()
  return {
    eth_sendTransaction: async ([transaction]) => {
      const { hash, ...sent } = await sendTransaction(safe, transaction)
      const pending = { blockHash: null, blockNumber: null, transactionIndex: null, nonce: '0x0', gas: '0x0' }
      submitted.set(hash, { ...pending, ...sent, hash, from: safe.address, gasPrice: '0x0' })
      return hash
    },
    eth_getTransactionByHash: async ([hash]) => {
      const transaction = await askNode(safe, 'eth_getTransactionByHash', [await findHash(safe, hash)])
      return transaction ? { ...transaction, hash } : (submitted.get(hash) ?? null)
    },
    eth_getTransactionReceipt: async ([hash]) => {
      const receipt = await askNode(safe, 'eth_getTransactionReceipt', [await findHash(safe, hash)])
      return receipt ? { ...receipt, transactionHash: hash } : null
    },
  }
}

/**
 * Creates the methods of EIP-5792: a Safe executes a list of calls as one transaction, whose Safe hash is the id of
 * the calls.
 */
function createCallsMethods(safe: SafeProviderParameters): Methods {
  const { ask, chainId } = safe
  return {
    wallet_getCapabilities: () => ({ [toHex(chainId)]: { atomic: { status: 'supported' } } }),
    wallet_sendCalls: async ([list]) => {
      const calls = readProperty(list, 'calls')
      if (!Array.isArray(calls) || calls.length === 0) throw createRpcError(-32602, 'The calls are missing.')
      assertChain(safe, list, 5710)
      assertSender(safe, list)
      return { id: await sendTransactions(safe, calls.map(toSafeCall)) }
    },
    wallet_getCallsStatus: async ([id]) => {
      const details = await ask('getTxBySafeTxHash', { safeTxHash: id }, requestTimeout).catch(() => undefined)
      const status = callsStatuses[String(readProperty(details, 'txStatus'))]
      if (status === undefined) throw createRpcError(5730, 'The Safe does not know these calls.')
      const hash = readProperty(details, 'txHash')
      const receipt = hash ? await askNode(safe, 'eth_getTransactionReceipt', [hash]) : null
      const receipts = receipt ? [receipt] : []
      return { version: '2.0.0', id, chainId: toHex(chainId), atomic: true, status, receipts }
    },
  }
}

const callsStatuses: Readonly<Record<string, number>> = {
  AWAITING_CONFIRMATIONS: 100,
  AWAITING_EXECUTION: 100,
  SUCCESS: 200,
  CANCELLED: 400,
  FAILED: 500,
}

async function sendTransaction(safe: SafeProviderParameters, transaction: unknown) {
  assertChain(safe, transaction, -32602)
  assertSender(safe, transaction)
  const call = toSafeCall(transaction)
  const gas = readProperty(transaction, 'gas')
  const hash = await sendTransactions(safe, [call], gas === undefined ? undefined : { safeTxGas: Number(gas) })
  return { hash, to: call.to, value: toHex(call.value), input: call.data }
}

function toSafeCall(call: unknown) {
  const to = readProperty(call, 'to')
  if (typeof to !== 'string')
    throw createRpcError(-32602, 'A Safe sends only to an address; it cannot create a contract.')
  return { to, value: toDecimal(readProperty(call, 'value') || 0), data: readProperty(call, 'data') || '0x' }
}

async function sendTransactions(safe: SafeProviderParameters, txs: readonly object[], params?: object) {
  const hash = readProperty(await askPerson(safe, 'sendTransactions', { txs, params }), 'safeTxHash')
  if (typeof hash !== 'string') throw createRpcError(-32603, 'The Safe returned no transaction hash.')
  return hash
}

const otherNetwork = 'A Safe is on one network only. Open a Safe of the other network in Safe.'

/** Throws an error with this code if a request names another chain. */
function assertChain({ chainId }: SafeProviderParameters, request: unknown, code: number): void {
  const asked = readProperty(request, 'chainId')
  if (asked !== undefined && parseChainId(asked) !== chainId) throw createRpcError(code, otherNetwork)
}

function assertSender(safe: SafeProviderParameters, transaction: unknown): void {
  const from = readProperty(transaction, 'from')
  if (from !== undefined) assertSafe(safe, from)
}

const askNode = ({ ask }: SafeProviderParameters, call: string, params: readonly unknown[]) =>
  ask('rpcCall', { call, params }, requestTimeout)

/** Sends a request that a person answers. The Safe reports a rejection only as text. */
async function askPerson({ ask }: SafeProviderParameters, method: string, params: unknown): Promise<unknown> {
  try {
    return await ask(method, params)
  } catch (thrown) {
    const reason = readProperty(thrown, 'message')
    if (thrown instanceof WalletKitError) throw thrown
    throw /reject|declin|cancel/i.test(String(reason)) ? createRpcError(4001, String(reason)) : thrown
  }
}

/** Returns the hash on chain for a Safe hash. Returns any other hash unchanged. */
async function findHash({ ask }: SafeProviderParameters, hash: unknown): Promise<unknown> {
  const details = await ask('getTxBySafeTxHash', { safeTxHash: hash }, requestTimeout).catch(() => undefined)
  return readProperty(details, 'txHash') || hash
}

function assertSafe({ address }: SafeProviderParameters, account: unknown): void {
  if (typeof account !== 'string' || account.toLowerCase() !== address.toLowerCase())
    throw createRpcError(-32602, `This Safe is ${address}; it cannot act for ${String(account)}.`)
}

function toDecimal(value: unknown): string {
  try {
    return BigInt(value as string).toString()
  } catch {
    throw createRpcError(-32602, `Invalid amount: ${String(value)}`)
  }
}

const toHex = (value: string | number) => `0x${BigInt(value).toString(16)}`
