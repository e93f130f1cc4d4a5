import {
  type Address,
  getAddress,
  type Hex,
  hexToBigInt,
  isAddress,
  isAddressEqual,
  isHex,
  numberToHex,
  stringify,
  type TypedDataDefinition,
} from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { chainName, type DemoChainId, demoChains, nodeChainId, toDemoChainId } from './chains.ts'
import { decodeCall, decodeMessage, decodeRevert } from './decode.ts'
import { ProviderRpcError } from './errors.ts'
import { createNode, readMethods } from './node.ts'
import type { Answer, Ask } from './questions.ts'
import { type DemoWalletState, readState, writeState } from './store.ts'

type RequestArguments = { method: string; params?: unknown }
type Listener = (value: never) => void
type ProviderEvent = 'connect' | 'accountsChanged' | 'chainChanged'

/** The provider as pages see it. @see https://eips.ethereum.org/EIPS/eip-1193 */
export type DemoProvider = {
  isDemoWallet: true
  request(request: RequestArguments): Promise<unknown>
  on(event: string, listener: Listener): DemoProvider
  removeListener(event: string, listener: Listener): DemoProvider
}

/** The provider as its owner's window uses it. */
export type DemoControls = {
  accounts: readonly Address[]
  getState(): DemoWalletState
  selectAccount(account: Address): void
  selectChain(chainId: DemoChainId): void
  /** Takes the permission back from this site. */
  disconnect(): void
}

export type CreateDemoProviderParameters = { privateKeys: readonly string[]; rpcUrl: string; ask: Ask }

/** For a transaction whose cost cannot be estimated because it would fail. */
const gasForFailure = 300_000n

/**
 * The demo wallet's protocol, without a window: every decision goes through `ask`.
 *
 * @example
 * const { provider } = createDemoProvider({ privateKeys, rpcUrl, ask: async () => ({ kind: 'approved' }) })
 * await provider.request({ method: 'eth_requestAccounts' })
 */
export function createDemoProvider(parameters: CreateDemoProviderParameters) {
  const signers = parameters.privateKeys.map((key) => privateKeyToAccount(key as Hex))
  const accounts = signers.map((signer) => signer.address)
  const node = createNode(parameters.rpcUrl)
  const listeners = new Map<string, Set<Listener>>()
  let state = readState(accounts)
  /** One question at a time: the next waits until this one is answered. */
  let turn: Promise<unknown> = Promise.resolve()
  let connecting: 'no' | 'asked' = 'no'

  const permitted = (): readonly Address[] => (state.permission === 'granted' ? [state.account] : [])

  function update(next: Partial<DemoWalletState>): void {
    const [accountsBefore, chainBefore] = [permitted().join(), state.chainId]
    state = { ...state, ...next }
    writeState(state)
    if (permitted().join() !== accountsBefore) emit('accountsChanged', [...permitted()])
    if (state.chainId !== chainBefore) emit('chainChanged', numberToHex(state.chainId))
  }

  function emit(event: ProviderEvent, value: unknown): void {
    for (const listener of [...(listeners.get(event) ?? [])]) {
      try {
        listener(value as never)
      } catch (error) {
        // A page's own fault must not keep the others from hearing it.
        reportError(error)
      }
    }
  }

  function inTurn<value>(work: () => Promise<value>): Promise<value> {
    const result = turn.then(work)
    turn = result.catch(() => {})
    return result
  }

  async function approved(answer: Promise<Answer>): Promise<{ account?: Address }> {
    const settled = await answer
    if (settled.kind === 'rejected')
      throw new ProviderRpcError('userRejected', 'The request was rejected in the wallet.')
    return settled
  }

  async function connect(): Promise<readonly Address[]> {
    if (connecting === 'asked') {
      throw new ProviderRpcError('resourceUnavailable', 'The demo wallet is already asking. Answer in its window.')
    }
    connecting = 'asked'
    try {
      await inTurn(async () => {
        const { account = state.account } = await approved(
          parameters.ask({ kind: 'connect', accounts, account: state.account }),
        )
        if (!accounts.includes(account)) throw new ProviderRpcError('internal', 'The demo wallet has no such account.')
        const before = state.permission
        update({ account, permission: 'granted' })
        if (before === 'none') emit('connect', { chainId: numberToHex(state.chainId) })
      })
      return permitted()
    } finally {
      connecting = 'no'
    }
  }

  /** The signer for an account that this site was given. */
  function signerOf(value: unknown): PrivateKeyAccount {
    const address = toAddress(value)
    const signer = signers.find((each) => address && isAddressEqual(each.address, address))
    if (!signer || !permitted().includes(signer.address)) {
      throw new ProviderRpcError('unauthorized', 'The demo wallet has not given this account to the site.')
    }
    return signer
  }

  async function signMessage(params: readonly unknown[]): Promise<Hex> {
    // Some apps hand the address in first.
    const [message, address] = toAddress(params[0]) && !toAddress(params[1]) ? [params[1], params[0]] : params
    if (typeof message !== 'string') throw invalid('personal_sign needs a message and an address.')
    const decoded = decodeMessage(message)
    signerOf(address)
    return inTurn(async () => {
      const signer = signerOf(address)
      await approved(parameters.ask({ kind: 'signMessage', account: signer.address, message: decoded }))
      return signer.signMessage({ message: { raw: decoded.raw } })
    })
  }

  async function signTypedData(params: readonly unknown[]): Promise<Hex> {
    const [address, given] = params
    const typedData = toTypedData(given)
    const { chainId, name } = typedData.domain ?? {}
    signerOf(address)
    return inTurn(async () => {
      const signer = signerOf(address)
      if (chainId !== undefined && Number(chainId) !== state.chainId) {
        throw invalid(`The typed data is for chain ${chainId}, and the demo wallet is on ${state.chainId}.`)
      }
      const { primaryType, domain, message } = typedData
      const text = stringify({ domain, message }, null, 2)
      const account = signer.address
      await approved(parameters.ask({ kind: 'signTypedData', account, primaryType, domainName: name, text }))
      try {
        return await signer.signTypedData(typedData)
      } catch (cause) {
        throw new ProviderRpcError('invalidParams', 'The typed data does not fit its types.', cause)
      }
    })
  }

  async function send(params: readonly unknown[]): Promise<unknown> {
    const { from, to, value, data, chainId } = toTransaction(params[0])
    signerOf(from)
    return inTurn(async () => {
      const signer = signerOf(from)
      assertNode()
      if (chainId !== undefined && chainId !== state.chainId) {
        throw invalid(`The transaction is for chain ${chainId}, and the demo wallet is on ${state.chainId}.`)
      }
      const call = { from: signer.address, ...(to && { to }), value: numberToHex(value), data }
      const [estimate, gasPrice] = await Promise.all([
        estimateGas(call),
        node('eth_gasPrice', []).then((price) => (hexToBigInt(price as Hex) * 5n) / 4n),
      ])
      await approved(
        parameters.ask({
          kind: 'send',
          account: signer.address,
          chainId: state.chainId,
          to,
          value,
          data,
          call: decodeCall(data),
          maxFee: estimate.gas * gasPrice,
          warning: estimate.warning,
        }),
      )
      const nonce = Number(await node('eth_getTransactionCount', [signer.address, 'pending']))
      const serialized = await signer.signTransaction({
        type: 'legacy',
        chainId: nodeChainId,
        to,
        value,
        data,
        nonce,
        gas: estimate.gas,
        gasPrice,
      })
      return node('eth_sendRawTransaction', [serialized])
    })
  }

  async function estimateGas(call: object): Promise<{ gas: bigint; warning: string | undefined }> {
    try {
      const gas = hexToBigInt((await node('eth_estimateGas', [call])) as Hex)
      return { gas: (gas * 6n) / 5n, warning: undefined }
    } catch (error) {
      return { gas: gasForFailure, warning: decodeRevert(error as ProviderRpcError) }
    }
  }

  async function switchChain(params: readonly unknown[]): Promise<null> {
    const wanted = chainIdOf(params[0])
    const chainId = toDemoChainId(wanted)
    if (!chainId) {
      const known = demoChains.map(({ id, name }) => `${name} (${id})`).join(' and ')
      throw new ProviderRpcError('unrecognizedChain', `The demo wallet knows ${known} only, not chain ${wanted}.`)
    }
    return inTurn(async () => {
      if (state.chainId === chainId) return null
      await approved(parameters.ask({ kind: 'switchChain', from: state.chainId, to: chainId }))
      update({ chainId })
      return null
    })
  }

  function assertNode(): void {
    if (state.chainId === nodeChainId) return
    const message = `${chainName(state.chainId)} has no node in this demo. Switch to ${chainName(nodeChainId)}.`
    throw new ProviderRpcError('chainDisconnected', message)
  }

  const permissions = () =>
    permitted().length === 0
      ? []
      : [
          {
            parentCapability: 'eth_accounts',
            invoker: globalThis.location?.origin ?? '',
            caveats: [{ type: 'restrictReturnedAccounts', value: [...permitted()] }],
          },
        ]

  const methods: Record<string, (params: readonly unknown[]) => unknown> = {
    eth_accounts: () => [...permitted()],
    eth_requestAccounts: async () => [...(permitted().length > 0 ? permitted() : await connect())],
    eth_chainId: () => numberToHex(state.chainId),
    net_version: () => `${state.chainId}`,
    web3_clientVersion: () => 'DemoWallet/1.0.0',
    wallet_getPermissions: permissions,
    wallet_requestPermissions: async (params) => {
      if (!isRecord(params[0]) || !('eth_accounts' in params[0])) throw invalid('Only eth_accounts can be asked for.')
      await connect()
      return permissions()
    },
    wallet_revokePermissions: () => {
      update({ permission: 'none' })
      return null
    },
    wallet_switchEthereumChain: switchChain,
    // It adds nothing: a chain it knows is switched to, as wallets do with one they have.
    wallet_addEthereumChain: switchChain,
    personal_sign: signMessage,
    eth_signTypedData_v4: signTypedData,
    eth_sendTransaction: send,
  }

  const provider: DemoProvider = {
    isDemoWallet: true,
    async request(request) {
      const method = isRecord(request) ? request.method : undefined
      if (typeof method !== 'string') throw invalid('A request needs a method.')
      const own = Object.hasOwn(methods, method) ? methods[method] : undefined
      if (own) return own(Array.isArray(request.params) ? request.params : [])
      if (!readMethods.has(method)) {
        throw new ProviderRpcError('unsupportedMethod', `The demo wallet does not know ${method}.`)
      }
      assertNode()
      return node(method, request.params ?? [])
    },
    on(event, listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
      return provider
    },
    removeListener(event, listener) {
      listeners.get(event)?.delete(listener)
      return provider
    },
  }

  const controls: DemoControls = {
    accounts,
    getState: () => state,
    selectAccount(account) {
      if (accounts.includes(account)) update({ account })
    },
    selectChain: (chainId) => update({ chainId }),
    disconnect: () => update({ permission: 'none' }),
  }

  return { provider, controls }
}

const invalid = (message: string) => new ProviderRpcError('invalidParams', message)

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function toAddress(value: unknown): Address | undefined {
  return typeof value === 'string' && isAddress(value, { strict: false }) ? getAddress(value) : undefined
}

function toQuantity(value: unknown): bigint | undefined {
  return isHex(value) && value.length > 2 ? hexToBigInt(value) : undefined
}

function chainIdOf(value: unknown): number {
  const chainId = isRecord(value) ? toQuantity(value.chainId) : undefined
  if (chainId === undefined) throw invalid('chainId must be a hexadecimal string such as 0x38.')
  return Number(chainId)
}

function toTransaction(value: unknown) {
  if (!isRecord(value)) throw invalid('A transaction is missing.')
  const data = value.data ?? value.input ?? '0x'
  if (!isHex(data)) throw invalid('The data of the transaction must be hexadecimal.')
  const to = toAddress(value.to)
  if (value.to !== undefined && value.to !== null && !to) throw invalid('The transaction has no valid receiver.')
  const amount = value.value === undefined ? 0n : toQuantity(value.value)
  if (amount === undefined) throw invalid('The value of the transaction must be hexadecimal.')
  const chainId = value.chainId === undefined ? undefined : chainIdOf(value)
  return { from: value.from, to, value: amount, data, chainId }
}

type TypedData = TypedDataDefinition & { domain?: { name?: string; chainId?: unknown } }

function toTypedData(value: unknown): TypedData {
  let parsed: unknown = value
  if (typeof value === 'string') {
    try {
      parsed = JSON.parse(value)
    } catch {
      throw invalid('The typed data is not JSON.')
    }
  }
  if (
    !isRecord(parsed) ||
    !isRecord(parsed.types) ||
    !isRecord(parsed.message) ||
    typeof parsed.primaryType !== 'string'
  ) {
    throw invalid('The typed data needs types, primaryType, domain and message.')
  }
  return parsed as TypedData
}
