import type { Address, Calls, Hash, Hex, Narrow } from 'viem'
import {
  AbortedError,
  assertParameters,
  ChainError,
  createNotConnectedError,
  toWalletKitError,
  WalletKitError,
  type WalletKitErrorType,
} from '../lib/errors.ts'
import { createCancelledError, delay, withTimeout } from '../lib/promises.ts'
import { isAddress, isHash } from '../lib/untrusted.ts'
import { requestProvider, requestTimeout } from '../provider/eip1193.ts'
import { isUnsupportedMethod } from '../provider/requestForViem.ts'
import { type KitContext, signalWhile } from '../state/context.ts'
import {
  type EstablishedState,
  isEstablished,
  type Transaction,
  type TransactionAccount,
  type WalletKitState,
} from '../state/state.ts'
import { parseCapabilities, type WalletCapabilities } from './parseCalls.ts'
import { type Progress, readProgress } from './readProgress.ts'
import { parseSentId, recordSent } from './recordSent.ts'

export type SendCallsParameters<
  calls extends readonly unknown[] = readonly unknown[],
  chainId extends number = number,
> = {
  /** Calls to send: `{ to, data, value }`, or `{ to, abi, functionName, args, value }`. */
  calls: Calls<Narrow<calls>>
  /** Switches the wallet to this chain first. Default: the chain it is on. */
  chainId?: chainId | undefined
  /** Description for people, in one sentence. With it, the kit shows and follows the calls. */
  description?: string | undefined
  /** `required`: all calls or none; wallets that do not support that refuse. Default: `preferred`. */
  atomic?: 'required' | 'preferred' | undefined
  /** Capabilities that the wallet should use, by name: `{ paymasterService: { url, optional: true } }`. */
  capabilities?: Readonly<Record<string, unknown>> | undefined
  /**
   * Fallback for a wallet that does not accept lists of calls. `sequential`: the person signs one transaction after
   * the other, each once the previous one is in a block. Not with `atomic: 'required'`, nor with capabilities that
   * are not optional. Default: `none`, an error.
   */
  fallback?: 'none' | 'sequential' | undefined
}

/** How the calls were sent, and which were not. */
export type SentCalls = {
  /** Method that was used: `eth_sendTransaction` sends one transaction per call. */
  method: 'wallet_sendCalls' | 'eth_sendTransaction'
  /**
   * The wallet's id of the calls; or one entry per sent transaction: its hash, or the wallet's answer if that is not
   * a hash.
   */
  ids: readonly string[]
  /** The reason why the calls after the last id were not sent. */
  error?: WalletKitErrorType
}

const method = 'wallet_sendCalls'

/** Error codes of a wallet without lists on this chain (5710), or without lists of this length (5740). */
const noListCodes = [5710, 5740]

type Call = { to: Address; data?: Hex; value?: Hex }
type Connected = Pick<EstablishedState, 'walletId' | 'address' | 'chainId' | 'provider' | 'connectionId'>

/** Sends calls as one list, or one after the other if the wallet does not accept lists and the app allows it. */
export async function sendCalls(context: KitContext, parameters: SendCallsParameters): Promise<SentCalls> {
  const { chainId, description, fallback = 'none' } = parameters
  const given: unknown = parameters.calls
  const calls = await Promise.all(Array.isArray(given) ? given.map(encodeCall) : [])
  if (calls.length === 0) throw new WalletKitError('No calls were given.')
  if (description !== undefined && !description.trim()) throw new WalletKitError('Transaction must have a description')
  const { transactions, switchChain } = await context.connected.load()
  if (chainId !== undefined && chainId !== context.store.getState().chainId) await switchChain(context, { chainId })
  const state = context.store.getState()
  if (!isEstablished(state)) throw createNotConnectedError()
  if (!state.isSupportedChain || state.chainId !== (chainId ?? state.chainId))
    throw new ChainError('The wallet is on another network. Switch networks first.')
  try {
    const id = await sendList(state, calls, parameters)
    // A Safe that contains the page can report on its own hashes.
    const kind = state.connector.readTransaction ? 'transaction' : 'calls'
    if (description) recordSent(transactions, kind, id, { description, connection: state })
    return { method, ids: [id] }
  } catch (thrown) {
    if (!isUnsupportedMethod(thrown, method, noListCodes)) throw toWalletKitError(thrown)
    if (fallback === 'none' || !canFallBack(parameters))
      throw new WalletKitError('The wallet cannot send several calls at once. Choose another wallet.', {
        details: toWalletKitError(thrown).message,
        cause: thrown,
      })
  }
  return sendSequentially(context, state, calls, description)
}

async function encodeCall(given: unknown): Promise<Call> {
  const { to, data, value, dataSuffix, ...contract } = Object(given) as Record<string, unknown> & {
    to?: Address
    data?: Hex
    value?: bigint
    dataSuffix?: Hex
  }
  // Without an address, a wallet sends the value to a new contract.
  if (!isAddress(to)) throw new WalletKitError('Invalid address')
  if (value !== undefined && typeof value !== 'bigint')
    throw new WalletKitError('The value of a call must be a bigint.')
  const encoded = contract.abi
    ? (await import('../provider/publicClient.ts')).encodeFunctionData(contract as never)
    : data
  const input = encoded && dataSuffix ? (`${encoded}${dataSuffix.slice(2)}` as const) : encoded
  return { to, ...(input && { data: input }), ...(value && { value: toHex(value) }) }
}

async function sendList(
  { address, chainId, provider }: Connected,
  calls: readonly Call[],
  { atomic, capabilities }: SendCallsParameters,
): Promise<string> {
  const list = {
    version: '2.0.0',
    from: address,
    chainId: toHex(chainId),
    atomicRequired: atomic === 'required',
    calls,
    ...(capabilities && { capabilities }),
  }
  const answer = await requestProvider(provider, { method, params: [list] })
  return parseSentId(answer)
}

function canFallBack({ calls, atomic, capabilities = {} }: SendCallsParameters): boolean {
  const isOptional = (capability: unknown) => (capability as { optional?: unknown } | null)?.optional === true
  return (atomic !== 'required' || calls.length === 1) && Object.values(capabilities).every(isOptional)
}

/**
 * Sends each call once the previous one is in a block. Throws nothing after the first call, because the person has
 * signed.
 */
async function sendSequentially(
  context: KitContext,
  state: Connected,
  calls: readonly Call[],
  description: string | undefined,
): Promise<SentCalls> {
  const { transactions } = await context.connected.load()
  const ids: string[] = []
  try {
    for (const call of calls) {
      await waitForEarlier(context, state, ids.at(-1))
      const id = await sendOne(state, call)
      ids.push(id)
      const part = calls.length > 1 ? ` (${ids.length}/${calls.length})` : ''
      const sent = { description: `${description}${part}`, connection: state }
      if (description) recordSent(transactions, 'transaction', id, sent)
    }
  } catch (thrown) {
    const error = toWalletKitError(thrown)
    if (ids.length === 0) throw error
    return { method: 'eth_sendTransaction', ids, error }
  }
  return { method: 'eth_sendTransaction', ids }
}

/**
 * Waits for the block of the earlier transaction; not for one with the wallet's own id, which no node knows. Rejects
 * when the account or network changes.
 */
async function waitForEarlier(context: KitContext, before: Connected, id: string | undefined): Promise<void> {
  const { signal, release } = signalWhile(context, (state) => isUnchanged(state, before))
  try {
    if (isHash(id)) await waitForBlock(context, before, id, signal)
  } finally {
    release()
  }
  if (signal.aborted) throw createChangedError()
}

/** Returns whether the wallet is still connected with the account and network of the calls. */
const isUnchanged = ({ connectionId, address, chainId }: WalletKitState, before: Connected): boolean =>
  connectionId === before.connectionId && address === before.address && chainId === before.chainId

const createChangedError = () =>
  new AbortedError('The wallet was disconnected, or its account or network changed. The calls after it were not sent.')

async function sendOne({ address, chainId, provider }: Connected, call: Call): Promise<string> {
  const params = [{ from: address, chainId: toHex(chainId), ...call }]
  const answer = await requestProvider(provider, { method: 'eth_sendTransaction', params })
  return parseSentId(answer)
}

const toHex = (value: number | bigint): Hex => `0x${value.toString(16)}`

export type GetCapabilitiesParameters<chainId extends number = number> = {
  /** Default: the chain of the wallet. */
  chainId?: chainId | undefined
}

const capabilitiesMethod = 'wallet_getCapabilities'

/** Asks the wallet for its capabilities on a chain. A wallet without the method has none. */
export async function getCapabilities(
  { store }: Pick<KitContext, 'store'>,
  parameters: GetCapabilitiesParameters = {},
): Promise<WalletCapabilities> {
  assertParameters(parameters, 'chainId')
  const state = store.getState()
  if (!isEstablished(state)) throw createNotConnectedError()
  const { provider, address, chainId: current } = state
  // A caller without types may give a text, which `toString(16)` would take for hex.
  const wanted = Number(parameters.chainId ?? current)
  try {
    const request = { method: capabilitiesMethod, params: [address, [`0x${wanted.toString(16)}`]] }
    return parseCapabilities(await requestProvider(provider, request, requestTimeout), wanted)
  } catch (thrown) {
    if (isUnsupportedMethod(thrown, capabilitiesMethod)) return {}
    throw toWalletKitError(thrown)
  }
}

/** Time limits in milliseconds for a transaction to be in a block, and for one read. Below: the interval of reads. */
const blockTimeout = 300_000
const readTimeout = 3 * requestTimeout
const interval = 1_000

const failures: Partial<Record<NonNullable<Transaction['failureReason']>, string>> = {
  reverted: 'A call was reverted.',
  cancelled: 'A call was cancelled in the wallet.',
  dropped: 'A call was replaced or dropped.',
}

/**
 * Waits until a transaction, or the same one with a higher fee, is in a block. Ends without an error when `signal`
 * fires.
 *
 * @throws {WalletKitError} when it was reverted, cancelled or replaced, or is in no block after five minutes
 */
async function waitForBlock(
  { clients }: Pick<KitContext, 'clients'>,
  { address, chainId }: TransactionAccount,
  hash: Hash,
  signal: AbortSignal,
): Promise<void> {
  const reader = { client: clients.getClient(chainId), sender: address }
  const createdAt = Date.now()
  let known = { hash, description: '', status: 'pending' as Transaction['status'], createdAt }
  while (!signal.aborted) {
    const isLate = Date.now() - createdAt >= blockTimeout
    const read = readProgress(reader, known, isLate)
    const progress: Progress =
      (await withTimeout(read, readTimeout, createCancelledError, signal).catch(() => {})) ?? {}
    known = { ...known, ...progress } as typeof known
    if (progress.status === 'confirmed') return
    const failure = progress.failureReason && failures[progress.failureReason]
    if (failure) throw new WalletKitError(`${failure} The calls after it were not sent.`)
    if (isLate) throw new WalletKitError('A call was in no block for five minutes. The calls after it were not sent.')
    await delay(interval, signal)
  }
}
