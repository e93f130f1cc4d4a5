import { type Address, type Client, createClient, custom, type Hash } from 'viem'
import { delay } from './abortable.ts'
import type { KitContext } from './context.ts'
import { WalletKitError, WalletNotAvailableError } from './errors.ts'
import type { Transaction } from './state.ts'
import { isRecord } from './storage.ts'

export type AddTransactionParameters = { hash: Hash; description: string; confirmations?: number }

/** How long after it was sent a transaction counts as pending, also across reloads. */
const receiptTimeout = 300_000
const maxSettled = 10

type Account = { address: Address; chainId: number }

/** Lists of transactions, each of one account on one chain, the latest first. */
type Lists = Record<string, Transaction[]>

/** Remembers a transaction of the connected account and follows it until it is settled. */
export function addTransaction(context: KitContext, parameters: AddTransactionParameters): void {
  const { hash, description, confirmations } = parameters
  if (!isHash(hash)) throw new WalletKitError('Invalid transaction hash')
  if (typeof description !== 'string' || !description.trim())
    throw new WalletKitError('Transaction must have a description')
  if (confirmations !== undefined && !(Number.isInteger(confirmations) && confirmations >= 1))
    throw new WalletKitError('Transaction confirmations must be an integer of at least 1')
  const account = getAccount(context)
  if (!account) throw new WalletNotAvailableError('Connect a wallet first.')

  const transaction: Transaction = {
    hash,
    description,
    ...(confirmations && { confirmations }),
    status: 'pending',
    createdAt: Date.now(),
  }
  change(context, account, (list) => (list.some((known) => known.hash === hash) ? list : [transaction, ...list]))
}

/** Forgets the transactions of the connected account on its chain. */
export function clearTransactions(context: KitContext): void {
  const account = getAccount(context)
  if (account) change(context, account, () => [])
}

/** What is remembered of an account on a chain. */
export function readTransactions(context: KitContext, account: Account) {
  const transactions = readLists(context)[getKey(account)] ?? []
  return { transactions, hasPendingTransactions: transactions.some(({ status }) => status === 'pending') }
}

/** Follows what is pending of the connected account on its chain. */
export function followTransactions(context: KitContext): void {
  const { address, chainId, transactions } = context.store.getState()
  if (!address || !chainId || !context.config.chains.some(({ id }) => id === chainId)) return
  for (const transaction of transactions)
    if (transaction.status === 'pending') followOnce(context, { address, chainId }, transaction)
}

/** Shows what is remembered of the connected account on its chain now; another tab may have written it. */
export function showTransactions(context: KitContext): void {
  const account = getAccount(context)
  if (!account) return
  context.store.setState(readTransactions(context, account))
  followTransactions(context)
}

function change(context: KitContext, account: Account, update: (list: Transaction[]) => Transaction[]): void {
  const key = getKey(account)
  const lists = readLists(context)
  let settled = 0
  const list = update(lists[key] ?? []).filter(({ status }) => status === 'pending' || ++settled <= maxSettled)
  context.storage.write('transactions', { ...lists, [key]: list })
  context.tabs?.tell('transactions')
  showTransactions(context)
}

function followOnce(context: KitContext, account: Account, transaction: Transaction): void {
  const { followed, signal } = context
  const { hash } = transaction
  if (followed.has(hash)) return
  followed.add(hash)
  void waitForOutcome(findReader(context, account), transaction, signal).then((outcome) => {
    followed.delete(hash)
    if (!signal.aborted)
      change(context, account, (list) => list.map((known) => (known.hash === hash ? { ...known, ...outcome } : known)))
  })
}

function findReader({ live, clients }: KitContext, { chainId }: Account): Client {
  const client = clients.getClient(chainId)
  if (!live?.connector.hasOwnHashes) return client
  return createClient({ pollingInterval: client.pollingInterval, transport: custom(live.provider) })
}

type Outcome = Pick<Transaction, 'status' | 'failureReason'>

/** Reads until there is a receipt; a node that is away for a moment is asked again. */
async function waitForOutcome(client: Client, transaction: Transaction, signal: AbortSignal): Promise<Outcome> {
  const interval = Math.max(client.pollingInterval, 1_000)
  for (;;) {
    const outcome = await readOutcome(client, transaction).catch(() => undefined)
    if (outcome) return outcome
    if (signal.aborted || Date.now() - transaction.createdAt >= receiptTimeout)
      return { status: 'failed', failureReason: 'timeout' }
    await delay(interval, signal)
  }
}

async function readOutcome(client: Client, { hash, confirmations = 1 }: Transaction): Promise<Outcome | undefined> {
  const { getBlockNumber, getTransactionReceipt } = await import('./receipts.ts')
  const receipt = await getTransactionReceipt(client, { hash })
  if (receipt.status === 'reverted') return { status: 'failed', failureReason: 'reverted' }
  if (confirmations === 1) return { status: 'confirmed' }
  const latest = await getBlockNumber(client, { cacheTime: 0 })
  return latest - receipt.blockNumber + 1n >= BigInt(confirmations) ? { status: 'confirmed' } : undefined
}

function getAccount({ live, store }: KitContext): Account | undefined {
  const { address, chainId } = store.getState()
  return live && address && chainId ? { address, chainId } : undefined
}

function getKey({ address, chainId }: Account): string {
  return `${chainId}:${address.toLowerCase()}`
}

function readLists({ storage }: KitContext): Lists {
  return storage.read('transactions', parseLists) ?? {}
}

function parseLists(value: unknown): Lists | undefined {
  if (!isRecord(value)) return undefined
  return Object.fromEntries(
    Object.entries(value).map(([key, list]) => [key, Array.isArray(list) ? list.filter(isTransaction) : []]),
  )
}

function isTransaction(value: unknown): value is Transaction {
  return (
    isRecord(value) &&
    isHash(value.hash) &&
    typeof value.description === 'string' &&
    (value.confirmations === undefined || Number.isInteger(value.confirmations)) &&
    ['pending', 'confirmed', 'failed'].includes(value.status as string) &&
    Number.isFinite(value.createdAt)
  )
}

function isHash(value: unknown): value is Hash {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value)
}
