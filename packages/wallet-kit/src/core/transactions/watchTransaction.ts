// A separate module, loaded with the first transaction. It imports only the page's modules that are built into one
// file.
import { custom, type EIP1193Provider } from 'viem'
import { readErrorCodes } from '../lib/errors.ts'
import { createCancelledError, delay, withTimeout } from '../lib/promises.ts'
import { createClient } from '../provider/createClient.ts'
import { requestProvider, requestTimeout } from '../provider/eip1193.ts'
import { isUnsupportedMethod } from '../provider/requestForViem.ts'
import type { KitContext } from '../state/context.ts'
import type { EstablishedState, TransactionAccount } from '../state/state.ts'
import { parseCallsStatus } from './parseCalls.ts'
import { type Progress, type Reader, readProgress, type StoredTransaction } from './readProgress.ts'

/** Time limit in milliseconds from when a transaction was added, also across reloads. */
const receiptTimeout = 300_000
/** The same for calls: milliseconds after which wallets may forget them. https://eips.ethereum.org/EIPS/eip-5792 */
const callsTimeout = 24 * 3_600_000
/** Interval in milliseconds while people have to act in their wallets, which may take minutes or days. */
const awaitingInterval = 15_000
/** Time limit in milliseconds for one read, after which the node is asked again. */
const readTimeout = 3 * requestTimeout

/** The services of the kit that transactions need. */
export type TransactionsContext = Pick<
  KitContext,
  'config' | 'store' | 'storage' | 'clients' | 'tabs' | 'settled' | 'signal'
>

/** A pending transaction that this page watches. */
export type Watch = {
  account: TransactionAccount
  id: string
  stop: AbortController
  /** The connection whose wallet is asked, because it may know a hash or calls that nodes do not know. */
  connection?: Pick<EstablishedState, 'connectionId' | 'walletId' | 'connector' | 'provider'>
}

export type WatchTransactionParameters = {
  context: Pick<TransactionsContext, 'config' | 'clients'>
  /** Reads the stored transaction. */
  readStored: () => StoredTransaction | undefined
  write: (progress: Progress) => void
  /** Called when another tab settled the transaction, or it was cleared. */
  onSettledElsewhere: () => void
}

/** Reads a transaction until it is settled, by this tab or another one. Failed reads are repeated. */
export async function watchTransaction(
  watch: Watch,
  { context, readStored, write, onSettledElsewhere }: WatchTransactionParameters,
): Promise<void> {
  const { signal } = watch.stop
  const reader = createReader(context, watch)
  const interval = Math.max(reader?.client.pollingInterval ?? 0, 1_000)
  /** The time from which its time limit counts as stored, and as this page counts it, both in Unix milliseconds. */
  let start: number | undefined
  let since = 0
  /** When the first of the failed reads in a row ended, in Unix milliseconds. */
  let failingSince: number | undefined
  while (!signal.aborted) {
    const known = readStored()
    if (known?.status !== 'pending') return onSettledElsewhere()
    const { createdAt, executedAt = createdAt } = known
    // If the clock was set back meanwhile, the transaction would stay pending longer.
    if (start !== executedAt) since = Math.min(executedAt, Date.now())
    start = executedAt
    const isLate = Date.now() - since >= readTimeLimit(known)
    const read = readAny(watch, reader, known, isLate)
    const answer = await withTimeout(read, readTimeout, createCancelledError, signal).then(
      (progress) => ({ progress }),
      () => undefined,
    )
    if (signal.aborted) return
    failingSince = answer ? undefined : (failingSince ?? Date.now())
    // After a sleep of the device, reads fail until it has a network again.
    const isRetried = failingSince !== undefined && Date.now() - failingSince < readTimeout
    const progress = answer?.progress
    const change = progress ?? (isRetried ? {} : withoutReport(known, isLate))
    if (Object.keys(change).length > 0) write({ ...change, ...(change.status && { settledAt: Date.now() }) })
    const awaiting = change.awaiting ?? (!progress && known.awaiting)
    await delay(awaiting ? Math.max(interval, awaitingInterval) : interval, signal)
  }
}

/** Returns milliseconds. People who have to act in their wallets have no time limit. */
function readTimeLimit({ hash, awaiting }: StoredTransaction): number {
  if (!hash) return callsTimeout
  return awaiting ? Number.POSITIVE_INFINITY : receiptTimeout
}

/** Returns the change of a transaction on which neither a node nor the wallet reports. */
function withoutReport({ hash, awaiting }: StoredTransaction, isLate: boolean): Progress {
  if (isLate) return { status: 'failed', failureReason: 'timeout' }
  return hash || awaiting ? {} : { awaiting: 'wallet' }
}

/**
 * Creates the reader of a transaction: the wallet or a node. Returns `undefined` if the app does not read the chain.
 */
function createReader(
  { config, clients }: WatchTransactionParameters['context'],
  { account, connection }: Watch,
): Reader | undefined {
  const { address, chainId } = account
  if (connection) {
    const { connector, provider } = connection
    return { client: createClient({ transport: custom(provider) }), readTransaction: connector.readTransaction }
  }
  const isRead = config.chains.some(({ id }) => id === chainId)
  return isRead ? { client: clients.getClient(chainId), sender: address } : undefined
}

/**
 * Reads the progress of a pending transaction from the node or, for calls without a hash, from the wallet that
 * accepted them. Returns `undefined` if there is no progress, or if the app does not read the chain.
 */
async function readAny(
  { connection }: { connection?: { walletId: string; provider: EIP1193Provider } },
  reader: Reader | undefined,
  { hash, ...known }: StoredTransaction,
  isLate: boolean,
): Promise<Progress | undefined> {
  if (hash) return reader && readProgress(reader, { ...known, hash }, isLate)
  if (connection && connection.walletId === known.walletId) return readCalls(connection.provider, known)
  // Another tab may have that wallet, and writes its progress.
  return isLate ? undefined : {}
}

const method = 'wallet_getCallsStatus'

/** Error code of a wallet that does not know the calls. https://eips.ethereum.org/EIPS/eip-5792 */
const unknownCalls = 5730

/**
 * Reads the progress of calls from the wallet that accepted them. Resolves with `undefined` when it does not know, and
 * rejects when it does not answer.
 */
async function readCalls(
  provider: EIP1193Provider,
  { callsId, awaiting }: StoredTransaction,
): Promise<Progress | undefined> {
  try {
    const status = parseCallsStatus(await requestProvider(provider, { method, params: [callsId] }, requestTimeout))
    if (status !== 'pending') return status
    return awaiting ? { awaiting: undefined } : {}
  } catch (thrown) {
    if (readErrorCodes(thrown).includes(unknownCalls) || isUnsupportedMethod(thrown, method)) return undefined
    throw thrown
  }
}
