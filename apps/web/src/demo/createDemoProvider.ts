import { type Address, type Hex, hexToBigInt, numberToHex, stringify } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createSession, type DemoSession, type DemoWalletState } from './createSession.ts'
import type { Ask } from './questionContent.ts'
import {
  type DemoChainId,
  decodeCall,
  decodeMessage,
  decodeRevert,
  demoChains,
  invalid,
  isRecord,
  nodeChainId,
  ProviderRpcError,
  toAddress,
  toChainId,
  toDemoChainId,
  toTransaction,
  toTypedData,
} from './readRequest.ts'

type Listener = (value: never) => void

/** The provider that pages get. @see https://eips.ethereum.org/EIPS/eip-1193 */
export type DemoProvider = {
  isDemoWallet: true
  request(request: { method: string; params?: unknown }): Promise<unknown>
  on(event: string, listener: Listener): DemoProvider
  removeListener(event: string, listener: Listener): DemoProvider
}

/** Changes that a user can make in the wallet's window. */
export type DemoControls = {
  accounts: readonly Address[]
  getState(): DemoWalletState
  selectAccount(account: Address): void
  selectChain(chainId: DemoChainId): void
  /** Revokes this site's permission. */
  disconnect(): void
}

export type CreateDemoProviderParameters = { privateKeys: readonly string[]; rpcUrl: string; ask: Ask }

/**
 * Creates the demo wallet's EIP-1193 provider. Each decision goes through `ask`.
 *
 * @example
 * const { provider } = createDemoProvider({ privateKeys, rpcUrl, ask: async () => ({ kind: 'approved' }) })
 * await provider.request({ method: 'eth_requestAccounts' })
 */
export function createDemoProvider({ privateKeys, rpcUrl, ask }: CreateDemoProviderParameters) {
  const signers = privateKeys.map((key) => privateKeyToAccount(key as Hex))
  const session = createSession(signers, ask)
  const node = createNode(rpcUrl)
  const methods = createMethods(session, node)
  const { accounts, getState, update } = session

  const provider: DemoProvider = {
    isDemoWallet: true,
    async request(request) {
      const method = isRecord(request) ? request.method : undefined
      if (typeof method !== 'string') throw invalid('The request has no method.')
      const own = Object.hasOwn(methods, method) ? methods[method] : undefined
      if (own) return own(Array.isArray(request.params) ? request.params : [])
      session.assertNode()
      return node(method, request.params ?? [])
    },
    on(event, listener) {
      session.on(event, listener)
      return provider
    },
    removeListener(event, listener) {
      session.removeListener(event, listener)
      return provider
    },
  }

  const controls: DemoControls = {
    accounts,
    getState,
    selectAccount(account) {
      if (accounts.includes(account)) update({ account })
    },
    selectChain: (chainId) => update({ chainId }),
    disconnect: () => update({ permission: 'none' }),
  }

  return { provider, controls }
}

type Method = (params: readonly unknown[]) => unknown

function createMethods(session: DemoSession, node: ChainNode): Record<string, Method> {
  const { getState, permitted, update } = session
  const connect = createConnect(session)
  const switchTo: Method = (params) => switchChain(session, params)
  return {
    eth_accounts: () => [...permitted()],
    eth_requestAccounts: async () => {
      if (permitted().length === 0) await connect()
      return [...permitted()]
    },
    eth_chainId: () => numberToHex(getState().chainId),
    net_version: () => `${getState().chainId}`,
    web3_clientVersion: () => 'DemoWallet/1.0.0',
    wallet_getPermissions: () => permissionsOf(session),
    wallet_requestPermissions: async (params) => {
      if (!isRecord(params[0]) || !('eth_accounts' in params[0]))
        throw invalid('The only supported permission is eth_accounts.')
      await connect()
      return permissionsOf(session)
    },
    wallet_revokePermissions: () => {
      update({ permission: 'none' })
      return null
    },
    wallet_switchEthereumChain: switchTo,
    // Switches to the chain, like wallets that already know it.
    wallet_addEthereumChain: switchTo,
    personal_sign: (params) => signMessage(session, params),
    eth_signTypedData_v4: (params) => signTypedData(session, params),
    eth_sendTransaction: (params) => sendTransaction(session, node, params),
  }
}

/** Returns a function that asks the owner to connect this site. It throws while that question is open. */
function createConnect({ accounts, approve, enqueue, getState, update }: DemoSession): () => Promise<void> {
  let phase: 'idle' | 'asking' = 'idle'
  return async () => {
    if (phase === 'asking')
      throw new ProviderRpcError(
        'resourceUnavailable',
        'A request is already open in the demo wallet. Answer it there.',
      )
    phase = 'asking'
    try {
      await enqueue(async () => {
        const current = getState().account
        const { account = current } = await approve({ kind: 'connect', accounts, account: current })
        if (!accounts.includes(account)) throw new ProviderRpcError('internal', 'The demo wallet has no such account.')
        update({ account, permission: 'granted' })
      })
    } finally {
      phase = 'idle'
    }
  }
}

async function switchChain({ approve, enqueue, getState, update }: DemoSession, params: readonly unknown[]) {
  const wanted = toChainId(params[0])
  const chainId = toDemoChainId(wanted)
  if (!chainId) {
    const known = demoChains.map(({ id, name }) => `${name} (${id})`).join(' and ')
    throw new ProviderRpcError('unrecognizedChain', `The demo wallet supports only ${known}, not chain ${wanted}.`)
  }
  return enqueue(async () => {
    const from = getState().chainId
    if (from === chainId) return null
    await approve({ kind: 'switchChain', from, to: chainId })
    update({ chainId })
    return null
  })
}

/** Returns the permissions of this site. @see https://eips.ethereum.org/EIPS/eip-2255 */
function permissionsOf({ permitted }: DemoSession) {
  if (permitted().length === 0) return []
  const caveats = [{ type: 'restrictReturnedAccounts', value: [...permitted()] }]
  return [{ parentCapability: 'eth_accounts', invoker: globalThis.location?.origin ?? '', caveats }]
}

/** Gas limit for a transaction whose gas cannot be estimated because it would fail. */
const gasForFailure = 300_000n

/** Handles `eth_sendTransaction`. */
function sendTransaction(session: DemoSession, node: ChainNode, params: readonly unknown[]): Promise<unknown> {
  const { from, to, value, data, chainId } = toTransaction(params[0])
  session.signerOf(from)
  return session.enqueue(async () => {
    const signer = session.signerOf(from)
    const current = session.getState().chainId
    session.assertNode()
    if (chainId !== undefined && chainId !== current)
      throw invalid(`The transaction is for chain ${chainId}, and the demo wallet is on ${current}.`)
    const account = signer.address
    const [{ gas, warning }, gasPrice] = await Promise.all([
      estimateGas(node, { from: account, ...(to && { to }), value: numberToHex(value), data }),
      node('eth_gasPrice', []).then((price) => (hexToBigInt(price as Hex) * 5n) / 4n),
    ])
    const [call, maxFee] = [decodeCall(data), gas * gasPrice]
    await session.approve({ kind: 'send', account, chainId: current, to, value, data, call, maxFee, warning })
    const nonce = Number(await node('eth_getTransactionCount', [account, 'pending']))
    const transaction = { type: 'legacy', chainId: nodeChainId, to, value, data, nonce, gas, gasPrice } as const
    return node('eth_sendRawTransaction', [await signer.signTransaction(transaction)])
  })
}

async function estimateGas(node: ChainNode, call: object): Promise<{ gas: bigint; warning: string | undefined }> {
  try {
    const gas = hexToBigInt((await node('eth_estimateGas', [call])) as Hex)
    return { gas: (gas * 6n) / 5n, warning: undefined }
  } catch (error) {
    return { gas: gasForFailure, warning: decodeRevert(error as ProviderRpcError) }
  }
}

/** Handles `personal_sign`. */
function signMessage(session: DemoSession, params: readonly unknown[]): Promise<Hex> {
  // Some apps pass the address first.
  const [message, address] = toAddress(params[0]) && !toAddress(params[1]) ? [params[1], params[0]] : params
  if (typeof message !== 'string') throw invalid('personal_sign needs a message and an address.')
  const decoded = decodeMessage(message)
  session.signerOf(address)
  return session.enqueue(async () => {
    const signer = session.signerOf(address)
    await session.approve({ kind: 'signMessage', account: signer.address, message: decoded })
    return signer.signMessage({ message: { raw: decoded.raw } })
  })
}

/** Handles `eth_signTypedData_v4`. */
function signTypedData(session: DemoSession, [address, data]: readonly unknown[]): Promise<Hex> {
  const typedData = toTypedData(data)
  const { primaryType, domain, message } = typedData
  session.signerOf(address)
  return session.enqueue(async () => {
    const signer = session.signerOf(address)
    const current = session.getState().chainId
    if (domain?.chainId !== undefined && Number(domain.chainId) !== current)
      throw invalid(`The typed data is for chain ${domain.chainId}, and the demo wallet is on ${current}.`)
    await session.approve({
      kind: 'signTypedData',
      account: signer.address,
      primaryType,
      domainName: domain?.name,
      text: stringify({ domain, message }, null, 2),
    })
    try {
      return await signer.signTypedData(typedData)
    } catch (cause) {
      throw new ProviderRpcError('invalidParams', 'The typed data does not match its types.', cause)
    }
  })
}

export type ChainNode = (method: string, params: unknown) => Promise<unknown>

/** JSON-RPC code of a node that does not have the method. */
const methodNotFound = -32601

/** Creates a JSON-RPC client; errors keep the node's code and message. The node allows only read methods. */
function createNode(rpcUrl: string): ChainNode {
  return async (method, params) => {
    let answer: { result?: unknown; error?: { code?: number; message?: string; data?: unknown } }
    try {
      const response = await fetch(rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        signal: AbortSignal.timeout(10_000),
      })
      answer = await response.json()
    } catch (cause) {
      throw new ProviderRpcError('internal', 'The node did not respond. Try again in a moment.', cause)
    }
    const { error } = answer
    if (error?.code === methodNotFound)
      throw new ProviderRpcError('unsupportedMethod', `The demo wallet does not support ${method}.`)
    if (error)
      throw new ProviderRpcError(error.code ?? -32603, error.message ?? 'The node rejected the request.', error.data)
    if (!('result' in answer)) throw new ProviderRpcError('internal', 'The node returned an invalid response.')
    return answer.result
  }
}
