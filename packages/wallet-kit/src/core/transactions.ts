import { createClient, custom, type Hash } from 'viem'
import { delay, waitFor } from './abortable.ts'
import type { Following, KitContext, LiveConnection } from './context.ts'
import { WalletKitError, WalletNotAvailableError } from './errors.ts'
import type { FollowedTransaction, Reader } from './readProgress.ts'
import { requestTimeout } from './request.ts'
import type { Transaction, TransactionAccount } from './state.ts'
import { isRecord } from './storage.ts'

export type AddTransactionParameters = {
  /** As the wallet gave it. */
  hash: Hash
  /** One sentence for people: what it does. */
  description: string
  /** Blocks that must hold it before it counts as settled. Default: 1. */
  confirmations?: number
}

/** How long after it was added a transaction counts as pending, also across reloads. */
const receiptTimeout = 300_000
/** Owners of a Safe take minutes or days. */
const ownersInterval = 15_000
/** A node that does not answer at all is asked anew. */
const readTimeout = 3 * requestTimeout
const maxSettled = 10

/** Lists of transactions, each of one account on one chain, the latest first. */
type Lists = Record<string, FollowedTransaction[]>

/** Remembers a transaction of the connected account and follows it until it is settled. */
export function addTransaction(context: KitContext, parameters: AddTransactionParameters): void {
  const { hash, description, confirmations } = parameters
  if (!isHash(hash)) throw new WalletKitError('Invalid transaction hash')
  if (typeof description !== 'string' || !description.trim())
    throw new WalletKitError('Transaction must have a description')
  if (confirmations !== undefined && !isConfirmations(confirmations))
    throw new WalletKitError('Transaction confirmations must be an integer of at least 1')
  const account = getAccount(context)
  if (!account) throw new WalletNotAvailableError('Connect a wallet first.')

  const transaction: FollowedTransaction = {
    hash,
    description,
    ...(confirmations && { confirmations }),
    status: 'pending',
    createdAt: Date.now(),
  }
  const isKnown = (known: Transaction) =>
    [known.hash, known.originalHash].some((one) => one?.toLowerCase() === hash.toLowerCase())
  change(context, account, (list) => (list.some(isKnown) ? list : [transaction, ...list]))
}

/** Forgets the transactions of the connected account on its chain. */
export function clearTransactions(context: KitContext): void {
  const account = getAccount(context)
  if (account) change(context, account, () => [])
}

/** What is remembered of an account on a chain. */
export function readTransactions(context: KitContext, account: TransactionAccount) {
  const transactions = readLists(context)[getKey(account)] ?? []
  return { transactions, hasPendingTransactions: transactions.some(isPending) }
}

/** Follows what is pending of the connected account on its chain. */
export function followTransactions(context: KitContext): void {
  const account = getAccount(context)
  if (!account) return
  for (const transaction of readTransactions(context, account).transactions)
    if (isPending(transaction)) follow(context, account, transaction)
}

/** Takes in what is remembered now; another tab may have written it. */
export function showTransactions(context: KitContext): void {
  const account = getAccount(context)
  if (account) context.store.setState(readTransactions(context, account))
  tellSettled(context)
  followTransactions(context)
}

/** Ends all that this page waits for, or only what the wallet of `live` alone can tell. */
export function stopFollowing({ followed }: KitContext, live?: LiveConnection): void {
  for (const [key, following] of followed) {
    if (live && following.teller !== live) continue
    following.stop.abort()
    followed.delete(key)
  }
}

function change(
  context: KitContext,
  account: TransactionAccount,
  update: (list: FollowedTransaction[]) => FollowedTransaction[],
): void {
  const key = getKey(account)
  const lists = readLists(context)
  context.storage.write('transactions', { ...lists, [key]: keepRecent(update(lists[key] ?? [])) })
  context.tabs?.tell('transactions')
  showTransactions(context)
}

/** Says once what has become of each transaction that this page waited for, whichever tab found it out. */
function tellSettled(context: KitContext): void {
  const lists = readLists(context)
  for (const [key, { account, id, stop }] of context.followed) {
    const transaction = lists[getKey(account)]?.find((known) => getId(known) === id)
    if (transaction && isPending(transaction)) continue
    context.followed.delete(key)
    stop.abort()
    // Each on its own: one that throws keeps nobody else from hearing it.
    if (transaction)
      for (const listener of context.settledListeners) queueMicrotask(() => listener(transaction, account))
  }
}

function follow(context: KitContext, account: TransactionAccount, transaction: FollowedTransaction): void {
  const id = getId(transaction)
  const key = `${getKey(account)}:${id}`
  if (context.followed.has(key) || context.signal.aborted) return
  const teller = context.live?.connector.readTransaction && context.live
  const following = { account, id, stop: new AbortController(), ...(teller && { teller }) }
  context.followed.set(key, following)
  void watch(context, following, transaction.executedAt ?? transaction.createdAt)
}

/** Reads until it is settled, here or by another tab; a node that is away for a moment is asked again. */
async function watch(context: KitContext, following: Following, sentAt: number): Promise<void> {
  const { account, id, stop } = following
  const { signal } = stop
  const reader = findReader(context, following)
  const interval = Math.max(reader?.client.pollingInterval ?? 0, 1_000)
  // A clock that has been set back since would let it pend for longer.
  let since = Math.min(sentAt, Date.now())
  while (!signal.aborted) {
    const known = readTransactions(context, account).transactions.find((one) => getId(one) === id)
    // Another tab was faster, or it was cleared.
    if (!known || !isPending(known)) return showTransactions(context)
    const isLate = !known.awaiting && Date.now() - since >= receiptTimeout
    const answer = reader && import('./readProgress.ts').then((it) => it.readProgress(reader, known, isLate))
    const progress = answer && (await waitFor(answer, readTimeout, signal).catch(() => undefined))
    if (signal.aborted) return
    const news = progress ?? (isLate ? ({ status: 'failed', failureReason: 'timeout' } as const) : undefined)
    if (news) {
      if (progress?.executedAt) since = Date.now()
      const settledAt = news.status && { settledAt: Date.now() }
      const apply = (one: FollowedTransaction) =>
        getId(one) === id && isPending(one) ? { ...one, ...news, ...settledAt } : one
      change(context, account, (list) => list.map(apply))
    }
    const awaiting = progress?.awaiting ?? (!progress && known.awaiting)
    await delay(awaiting ? Math.max(interval, ownersInterval) : interval, signal)
  }
}

/** A chain that the app does not read has no reader. */
function findReader({ config, clients }: KitContext, { account, teller }: Following): Reader | undefined {
  const { address, chainId } = account
  if (teller) {
    const { readTransaction } = teller.connector
    return { client: createClient({ transport: custom(teller.provider) }), ...(readTransaction && { readTransaction }) }
  }
  const isRead = config.chains.some(({ id }) => id === chainId)
  return isRead ? { client: clients.getClient(chainId), sender: address } : undefined
}

const isPending = ({ status }: Transaction): boolean => status === 'pending'

/** Stays the same when it is sped up. */
const getId = ({ hash, originalHash = hash }: Transaction): string => originalHash.toLowerCase()

/** Every pending one, and of the settled those that settled last. */
function keepRecent(list: FollowedTransaction[]): FollowedTransaction[] {
  const settled = list.filter((transaction) => !isPending(transaction))
  const old = new Set(settled.sort((a, b) => getEnd(b) - getEnd(a)).slice(maxSettled))
  return list.filter((transaction) => !old.has(transaction))
}

const getEnd = ({ settledAt, createdAt }: Transaction): number => settledAt ?? createdAt

function getAccount({ live, store }: KitContext): TransactionAccount | undefined {
  const { address, chainId } = store.getState()
  return live && address && chainId ? { address, chainId } : undefined
}

function getKey({ address, chainId }: TransactionAccount): string {
  return `${chainId}:${address.toLowerCase()}`
}

function readLists({ storage }: KitContext): Lists {
  return storage.read('transactions', parseLists) ?? {}
}

function parseLists(value: unknown): Lists | undefined {
  if (!isRecord(value)) return undefined
  return Object.fromEntries(
    Object.entries(value).map(([key, list]) => [key, Array.isArray(list) ? keepRecent(parseList(list)) : []]),
  )
}

/** What is no transaction is left out, and what is there twice is there once. */
function parseList(list: unknown[]): FollowedTransaction[] {
  const transactions = new Map<string, FollowedTransaction>()
  for (const entry of list) {
    const transaction = parseTransaction(entry)
    if (transaction && !transactions.has(getId(transaction))) transactions.set(getId(transaction), transaction)
  }
  return [...transactions.values()]
}

const statuses = ['pending', 'confirmed', 'failed'] as const
const awaited = ['owners', 'execution'] as const
const failureReasons = ['reverted', 'timeout', 'cancelled', 'dropped'] as const

function parseTransaction(value: unknown): FollowedTransaction | undefined {
  if (!isRecord(value)) return undefined
  const { hash, originalHash, description, confirmations, sent, createdAt, executedAt, settledAt } = value
  const status = statuses.find((one) => one === value.status)
  const awaiting = awaited.find((one) => one === value.awaiting)
  const failureReason = failureReasons.find((one) => one === value.failureReason)
  if (!isHash(hash) || typeof description !== 'string' || !status || !isTime(createdAt)) return undefined
  return {
    hash,
    ...(isHash(originalHash) && { originalHash }),
    description,
    ...(isConfirmations(confirmations) && { confirmations }),
    status,
    ...(status === 'pending' && awaiting && !isTime(executedAt) && { awaiting }),
    ...(status === 'failed' && failureReason && { failureReason }),
    createdAt,
    ...(isTime(executedAt) && { executedAt }),
    ...(isTime(settledAt) && { settledAt }),
    ...(isRecord(sent) &&
      isHash(sent.call) &&
      Number.isSafeInteger(sent.nonce) && { sent: { nonce: sent.nonce as number, call: sent.call } }),
  }
}

const isTime = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

const isConfirmations = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 1

function isHash(value: unknown): value is Hash {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value)
}
