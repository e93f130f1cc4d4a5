import type { Hash } from 'viem'
import { createNotConnectedError, WalletKitError } from '../lib/errors.ts'
import { delay } from '../lib/promises.ts'
import { isCallsId, isHash, isRecord } from '../lib/untrusted.ts'
import { type KitContext, type Transactions, update } from '../state/context.ts'
import {
  type Connection,
  isEstablished,
  type Transaction,
  type TransactionAccount,
  toConnection,
} from '../state/state.ts'
import { showTransactions } from '../state/transitions.ts'
import type { StoredTransaction } from './readProgress.ts'
import type { TransactionsContext, Watch, WatchTransactionParameters } from './watchTransaction.ts'

export type AddTransactionParameters = {
  /** The hash that the wallet returned. */
  hash: Hash
  /** Description for people, in one sentence. */
  description: string
  /** Confirmations after which it is settled. Default: 1. */
  confirmations?: number | undefined
  /** The connection that sent it, from `kit.connect` or `useWalletConnection`. Default: the current one. */
  connection?: Connection<string> | undefined
}

export type AddCallsParameters = {
  /** The id that the wallet returned for the calls. */
  id: string
  /** Description for people, in one sentence. */
  description: string
  /** The connection that sent them, from `kit.connect` or `useWalletConnection`. Default: the current one. */
  connection?: Connection<string> | undefined
}

type Service = TransactionsContext & {
  /** Watches by account, chain and id. */
  watches: Map<string, Watch>
}

/** Creates the service that stores transactions and watches the pending ones. */
export function createTransactions(context: TransactionsContext): Transactions {
  const service: Service = { ...context, watches: new Map() }
  context.signal.addEventListener('abort', () => stopWatches(service, () => true))
  return {
    addTransaction: (parameters) => addTransaction(service, parameters),
    addCalls: (parameters) => addCalls(service, parameters),
    clear: () => {
      const account = readAccount(service)
      if (account) change(service, account, () => [])
    },
    refresh: () => refresh(service),
    watch: () => watchPending(service),
    leaveConnection: (connectionId) =>
      stopWatches(service, ({ connection }) => connection?.connectionId === connectionId),
  }
}

function addTransaction(service: Service, parameters: AddTransactionParameters): void {
  const { hash, confirmations } = parameters
  // The person has signed, so the signature is followed instead of refused.
  if (isSignature(hash)) {
    addCalls(service, { ...parameters, id: hash })
    return
  }
  if (!isHash(hash)) throw new WalletKitError('Invalid transaction hash')
  if (confirmations !== undefined && !isConfirmations(confirmations))
    throw new WalletKitError('Transaction confirmations must be a positive integer')
  add(service, parameters, { hash, ...(confirmations && { confirmations }) })
}

/** Returns whether a value is hex of 65 bytes or more: a signature, which some contract wallets return for a transaction. */
const isSignature = (value: unknown): boolean => isCallsId(value) && /^0x([0-9a-f]{2}){65,}$/i.test(value)

function addCalls(service: Service, parameters: AddCallsParameters): void {
  if (!isCallsId(parameters.id)) throw new WalletKitError('Invalid id of calls')
  add(service, parameters, { callsId: parameters.id })
}

function add(
  service: Service,
  { description, connection = toConnection(service.store.getState()) }: Omit<AddCallsParameters, 'id'>,
  fields: Pick<StoredTransaction, 'hash' | 'callsId' | 'confirmations'>,
): void {
  if (typeof description !== 'string' || !description.trim())
    throw new WalletKitError('Transaction must have a description')
  if (!connection) throw createNotConnectedError()
  const { walletId } = connection
  const transaction: StoredTransaction = { ...fields, walletId, description, status: 'pending', createdAt: Date.now() }
  const isKnown = (known: Transaction) =>
    toId(known) === toId(transaction) || (fields.hash && known.hash?.toLowerCase() === fields.hash.toLowerCase())
  change(service, connection, (list) => (list.some(isKnown) ? list : [transaction, ...list]))
}

/** Reads the stored transactions of an account on a chain. */
export function readTransactions(context: Pick<KitContext, 'storage'>, account: TransactionAccount) {
  const transactions = readStored(context)[toAccountKey(account)] ?? []
  return { transactions, hasPendingTransactions: transactions.some(isPending) }
}

function change(
  service: Service,
  account: TransactionAccount,
  apply: (list: StoredTransaction[]) => StoredTransaction[],
): void {
  const key = toAccountKey(account)
  const stored = readStored(service)
  service.storage.write('transactions', { ...stored, [key]: keepRecent(apply(stored[key] ?? [])) })
  service.tabs?.post('transactions')
  refresh(service)
}

/** Shows the stored transactions, reports settled ones, and watches pending ones. */
function refresh(service: Service): void {
  const account = readAccount(service)
  if (account) update(service, (state) => showTransactions(state, readTransactions(service, account)))
  reportSettled(service)
  watchPending(service)
}

/** Reports each watched transaction that has settled, even if another tab detected it. */
function reportSettled(service: Service): void {
  const stored = readStored(service)
  for (const [key, { account, id, stop }] of service.watches) {
    const transaction = stored[toAccountKey(account)]?.find((known) => toId(known) === id)
    if (transaction && isPending(transaction)) continue
    service.watches.delete(key)
    stop.abort()
    if (transaction) service.settled.setState([transaction, account], true)
  }
}

function watchPending(service: Service): void {
  const account = readAccount(service)
  if (!account || service.signal.aborted) return
  for (const transaction of readTransactions(service, account).transactions)
    if (isPending(transaction)) startWatch(service, account, transaction)
}

function startWatch(service: Service, account: TransactionAccount, transaction: StoredTransaction): void {
  const id = toId(transaction)
  const key = `${toAccountKey(account)}:${id}`
  if (service.watches.has(key)) return
  const state = service.store.getState()
  // A transaction with the wallet's own hash or id is known only to that wallet.
  const isAsked = isEstablished(state) && (transaction.callsId || state.connector.readTransaction)
  const watch: Watch = { account, id, stop: new AbortController(), ...(isAsked && { connection: state }) }
  service.watches.set(key, watch)
  void loadWatcher(watch, {
    context: service,
    readStored: () => readTransactions(service, account).transactions.find((one) => toId(one) === id),
    write: (progress) => {
      const apply = (one: StoredTransaction) => (toId(one) === id && isPending(one) ? { ...one, ...progress } : one)
      change(service, account, (list) => list.map(apply))
    },
    onSettledElsewhere: () => refresh(service),
  })
}

/** Loads the code that watches a transaction, and runs it. Retries, because the page may be offline. */
async function loadWatcher(watch: Watch, parameters: WatchTransactionParameters): Promise<void> {
  const { signal } = watch.stop
  while (!signal.aborted) {
    const loaded = await import('./watchTransaction.ts').catch(() => undefined)
    if (loaded) return loaded.watchTransaction(watch, parameters)
    await delay(1_000, signal)
  }
}

function stopWatches({ watches }: Service, isOver: (watch: Watch) => boolean): void {
  for (const [key, watch] of watches) {
    if (!isOver(watch)) continue
    watch.stop.abort()
    watches.delete(key)
  }
}

function readAccount({ store }: Service): TransactionAccount | undefined {
  const connection = toConnection(store.getState())
  return connection && { address: connection.address, chainId: connection.chainId }
}

function readStored({ storage }: Pick<KitContext, 'storage'>): StoredTransactions {
  return storage.read('transactions', parseTransactions) ?? {}
}

const maxSettled = 10

/** Transactions by `toAccountKey`, the latest first. */
type StoredTransactions = Record<string, StoredTransaction[]>

const isPending = ({ status }: Transaction): boolean => status === 'pending'

/** Returns the id of a transaction, which stays the same when it is replaced by one with a higher fee. */
const toId = ({ hash, originalHash = hash, callsId }: Transaction): string => callsId ?? `${originalHash}`.toLowerCase()

const toAccountKey = ({ address, chainId }: TransactionAccount): string => `${chainId}:${address.toLowerCase()}`

/** Returns all pending transactions and the `maxSettled` that settled last. */
function keepRecent(list: StoredTransaction[]): StoredTransaction[] {
  const settled = list.filter((transaction) => !isPending(transaction))
  const old = new Set(settled.sort((a, b) => toEnd(b) - toEnd(a)).slice(maxSettled))
  return list.filter((transaction) => !old.has(transaction))
}

const toEnd = ({ settledAt, createdAt }: Transaction): number => settledAt ?? createdAt

/** Parses stored transactions; drops invalid entries. */
function parseTransactions(value: unknown): StoredTransactions | undefined {
  if (!isRecord(value)) return undefined
  return Object.fromEntries(
    Object.entries(value).map(([key, list]) => [key, Array.isArray(list) ? keepRecent(parseList(list)) : []]),
  )
}

function parseList(list: unknown[]): StoredTransaction[] {
  const transactions = new Map<string, StoredTransaction>()
  for (const entry of list) {
    const transaction = parseTransaction(entry)
    if (transaction && !transactions.has(toId(transaction))) transactions.set(toId(transaction), transaction)
  }
  return [...transactions.values()]
}

const isText = (value: unknown): value is string => typeof value === 'string'

const isSent = (value: unknown): boolean => isRecord(value) && isHash(value.call) && Number.isSafeInteger(value.nonce)

/** Checks for milliseconds that a `Date` can hold. */
const isTime = (value: unknown): value is number => (value as number) >= 0 && +new Date(value as number) === value

const isConfirmations = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 1

const oneOf =
  (...texts: string[]) =>
  (value: unknown) =>
    texts.includes(value as string)

/** Checks of the fields of a stored transaction. Fields that fail are dropped. */
const checks: { [key in keyof Required<StoredTransaction>]: (value: unknown) => boolean } = {
  hash: isHash,
  originalHash: isHash,
  callsId: isCallsId,
  walletId: isText,
  description: isText,
  confirmations: isConfirmations,
  status: oneOf('pending', 'confirmed', 'failed'),
  awaiting: oneOf('owners', 'execution', 'wallet'),
  failureReason: oneOf('reverted', 'partial', 'timeout', 'cancelled', 'dropped'),
  createdAt: isTime,
  executedAt: isTime,
  settledAt: isTime,
  sent: isSent,
}

function parseTransaction(value: unknown): StoredTransaction | undefined {
  if (!isRecord(value)) return undefined
  const valid = Object.entries(checks).filter(([key, isValid]) => isValid(value[key]))
  const parsed: Partial<StoredTransaction> = Object.fromEntries(valid.map(([key]) => [key, value[key]]))
  if (parsed.status !== 'pending' || 'executedAt' in parsed) delete parsed.awaiting
  if (parsed.status !== 'failed') delete parsed.failureReason
  return isComplete(parsed) ? parsed : undefined
}

const isComplete = (parsed: Partial<StoredTransaction>): parsed is StoredTransaction =>
  ('hash' in parsed || 'callsId' in parsed) && 'description' in parsed && 'status' in parsed && 'createdAt' in parsed
