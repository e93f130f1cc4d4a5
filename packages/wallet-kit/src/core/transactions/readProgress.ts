import { type Address, type Client, concatHex, type Hash, type Hex, keccak256, numberToHex } from 'viem'
import { getBlock, getBlockNumber, getTransaction, getTransactionCount, getTransactionReceipt } from 'viem/actions'
import { readProperty } from '../lib/untrusted.ts'
import type { Transaction } from '../state/state.ts'
import type { Connector, WalletTransaction } from '../wallets/wallet.ts'

/** A transaction as stored. */
export type StoredTransaction = Transaction & {
  /** The wallet that knows its `callsId`. */
  walletId?: string
  /** Nonce and hash of the call, which identify a replacement with a higher fee. */
  sent?: { nonce: number; call: Hash }
}

/** A transaction with a hash. */
type HashedTransaction = StoredTransaction & { hash: Hash }

/** The sources of a transaction's progress. */
export type Reader = {
  client: Client
  /** The account that sends the transaction, to find replacements by nonce. Not set for a wallet's own hashes. */
  sender?: Address
  /** Reads from the wallet a transaction with the wallet's own hash. */
  readTransaction?: Connector['readTransaction']
}

/** The changes of a transaction since it was stored. */
export type Progress = Partial<
  Pick<StoredTransaction, 'status' | 'failureReason' | 'hash' | 'originalHash' | 'executedAt' | 'settledAt' | 'sent'>
> & { awaiting?: Transaction['awaiting'] | undefined }

/**
 * Reads the progress of a pending transaction. Returns `undefined` if no receipt is known, and `{}` if it needs more
 * confirmations. `isLate`: the time limit has passed.
 *
 * The receipt is read again each time, because a block can be reorganised. viem's `waitForTransactionReceipt` keeps
 * its first receipt, fails with the first failing node, cannot be aborted, and misses replacements from before its
 * call.
 *
 * @see https://github.com/wevm/viem/issues/3875
 */
export async function readProgress(
  reader: Reader,
  transaction: HashedTransaction,
  isLate: boolean,
): Promise<Progress | undefined> {
  const { client, sender, readTransaction } = reader
  const { hash, sent, awaiting, executedAt } = transaction
  if (readTransaction && executedAt === undefined) {
    const known = await readTransaction(hash)
    if (known) return readWalletProgress(client, transaction, known)
    if (awaiting) return undefined
  }
  const receipt = await orUndefined(getTransactionReceipt(client, { hash }), 'TransactionReceiptNotFoundError')
  if (receipt?.blockNumber) {
    if (!(await isConfirmed(client, transaction, receipt.blockNumber))) return {}
    return receipt.status === 'success' ? { status: 'confirmed' } : fail('reverted')
  }
  if (!sender) return undefined
  if (sent) return readReplacement(client, sender, { ...transaction, sent }, isLate)
  const pending = await findTransaction(client, hash)
  // Bundlers send transactions of an account with their own nonces.
  return pending && isSame(pending.from, sender)
    ? { sent: { nonce: pending.nonce, call: hashCall(pending) } }
    : undefined
}

async function isConfirmed(client: Client, { confirmations = 1 }: StoredTransaction, block: bigint): Promise<boolean> {
  return confirmations === 1 || (await getBlockNumber(client, { cacheTime: 0 })) - block + 1n >= BigInt(confirmations)
}

/** Looks for another transaction with the same nonce: the same call with a higher fee, a cancellation, or another call. */
async function readReplacement(
  client: Client,
  sender: Address,
  transaction: HashedTransaction & Required<Pick<StoredTransaction, 'sent'>>,
  isLate: boolean,
): Promise<Progress | undefined> {
  const { hash, sent } = transaction
  const count = await getTransactionCount(client, { address: sender })
  // Another node may still know the transaction.
  if (count <= sent.nonce) return isLate && !(await findTransaction(client, hash)) ? fail('dropped') : undefined

  const found = await findNonce(client, sender, sent.nonce).catch((error: unknown) => {
    // Few nodes keep the state of old blocks.
    if (isLate) return { block: 0n, transaction: undefined }
    throw error
  })
  // Several nodes may answer behind one address, and some may lag behind.
  if (!found || found.transaction?.hash === hash) return undefined
  if (found.transaction && hashCall(found.transaction) === sent.call) {
    const moved = { hash: found.transaction.hash, originalHash: transaction.originalHash ?? hash }
    return { ...moved, ...(await readProgress({ client, sender }, { ...transaction, ...moved }, isLate)) }
  }
  if (!(await isConfirmed(client, transaction, found.block))) return {}
  return fail(found.transaction && isCancellation(found.transaction) ? 'cancelled' : 'dropped')
}

/** Reads the progress of a transaction that the owners of a wallet have to sign and execute. */
async function readWalletProgress(
  client: Client,
  transaction: HashedTransaction,
  known: WalletTransaction,
): Promise<Progress | undefined> {
  const { hash, awaiting } = transaction
  const next = awaited[known.status]
  if (next) return next === awaiting ? undefined : { awaiting: next }
  if (known.status === 'cancelled') return fail('cancelled')
  const executed = { ...(known.hash && { hash: known.hash, originalHash: hash }), executedAt: Date.now() }
  // On chain it may be a success: the Safe's transaction succeeded, but the call inside failed.
  if (known.status === 'failed') return { ...executed, ...fail('reverted') }
  const progress = await readProgress({ client }, { ...transaction, ...executed }, false).catch(() => undefined)
  return { ...executed, ...progress }
}

const awaited: Partial<Record<WalletTransaction['status'], NonNullable<Transaction['awaiting']>>> = {
  awaitingOwners: 'owners',
  awaitingExecution: 'execution',
}

const fail = (failureReason: NonNullable<StoredTransaction['failureReason']>): Progress => ({
  status: 'failed',
  failureReason,
})

const findTransaction = (client: Client, hash: Hash) =>
  orUndefined(getTransaction(client, { hash }), 'TransactionNotFoundError')

/**
 * Finds the block in which the account used a nonce, and its transaction. EIP-7702 delegations use a nonce without a
 * transaction.
 */
async function findNonce(client: Client, address: Address, nonce: number) {
  const isUsedAt = async (blockNumber: bigint) => (await getTransactionCount(client, { address, blockNumber })) > nonce
  let used = await getBlockNumber(client, { cacheTime: 0 })
  if (!(await isUsedAt(used))) return undefined

  // Searches backwards in growing steps, because it is probably recent, and then by bisection.
  let unused = 0n
  for (let step = 1n; used > step; step *= 2n) {
    if (!(await isUsedAt(used - step))) {
      unused = used - step
      break
    }
    used -= step
  }
  while (used - unused > 1n) {
    const middle = (used + unused) / 2n
    if (await isUsedAt(middle)) used = middle
    else unused = middle
  }
  const { transactions } = await getBlock(client, { blockNumber: used, includeTransactions: true })
  return { block: used, transaction: transactions.find((one) => one.nonce === nonce && isSame(one.from, address)) }
}

type Call = { from: Address; to: Address | null; value: bigint; input: Hex }

/** Hashes a call without its fees. */
const hashCall = ({ to, value, input }: Call): Hash =>
  keccak256(concatHex([to ?? '0x', numberToHex(value, { size: 32 }), input]))

/** Returns whether a call is the empty transaction to oneself with which wallets cancel another one. */
const isCancellation = ({ from, to, value, input }: Call) =>
  to !== null && isSame(from, to) && value === 0n && input === '0x'

const isSame = (a: Address, b: Address) => a.toLowerCase() === b.toLowerCase()

async function orUndefined<T>(answer: Promise<T>, errorName: string): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (readProperty(error, 'name') === errorName) return undefined
    throw error
  }
}
