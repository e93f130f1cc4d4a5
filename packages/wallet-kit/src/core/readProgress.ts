// On its own, to be loaded with the first transaction.
import { type Address, type Client, concatHex, type Hash, type Hex, keccak256, numberToHex } from 'viem'
import { getBlock, getBlockNumber, getTransaction, getTransactionCount, getTransactionReceipt } from 'viem/actions'
import { read } from './read.ts'
import type { Transaction } from './state.ts'
import type { Connector, WalletTransaction } from './wallet.ts'

/** A transaction as it is stored. */
export type FollowedTransaction = Transaction & {
  /** The nonce it uses and a hash of what it asks for: enough to know it in one that takes its place. */
  sent?: { nonce: number; call: Hash }
}

export type Reader = {
  client: Client
  /** The account whose nonces say what became of a transaction; none where hashes are the wallet's own. */
  sender?: Address
  /** What the wallet says of one that it knows by a hash of its own. */
  readTransaction?: Connector['readTransaction']
}

export type Progress = Partial<
  Pick<FollowedTransaction, 'status' | 'awaiting' | 'failureReason' | 'hash' | 'originalHash' | 'executedAt' | 'sent'>
>

/**
 * What the chain says of a pending transaction; `undefined` for nothing new. `isLate` asks for the last time.
 *
 * Read anew each time, since a block may be taken back; viem's `waitForTransactionReceipt` keeps its first receipt, gives up
 * with the first failing node, cannot be aborted, and misses what was replaced before it looked.
 *
 * @see https://github.com/wevm/viem/issues/3875
 */
export async function readProgress(
  { client, sender, readTransaction }: Reader,
  transaction: FollowedTransaction,
  isLate: boolean,
): Promise<Progress | undefined> {
  const { hash, confirmations = 1, sent, awaiting, executedAt } = transaction
  if (readTransaction && executedAt === undefined) {
    const known = await readTransaction(hash)
    if (known) return readOwners({ client }, transaction, known)
    if (awaiting) return undefined
  }
  const isDeep = async (block: bigint) =>
    confirmations === 1 || (await getBlockNumber(client, { cacheTime: 0 })) - block + 1n >= BigInt(confirmations)

  const receipt = await orUndefined(getTransactionReceipt(client, { hash }), 'TransactionReceiptNotFoundError')
  if (receipt?.blockNumber) {
    if (!(await isDeep(receipt.blockNumber))) return undefined
    return receipt.status === 'success' ? { status: 'confirmed' } : fail('reverted')
  }
  if (!sender) return undefined
  if (!sent) {
    const pending = await findTransaction(client, hash)
    // What others send for the account, as bundlers do, follows nonces of theirs.
    return pending && isSame(pending.from, sender)
      ? { sent: { nonce: pending.nonce, call: hashCall(pending) } }
      : undefined
  }

  const count = await getTransactionCount(client, { address: sender })
  // Another node may still hold what this one has dropped.
  if (count <= sent.nonce) return isLate && !(await findTransaction(client, hash)) ? fail('dropped') : undefined

  const taker = await findNonce(client, sender, sent.nonce).catch((error: unknown) => {
    // Few nodes know how things stood long ago.
    if (isLate) return { block: 0n, transaction: undefined }
    throw error
  })
  // Of two nodes behind one address the second may not be as far yet.
  if (!taker || taker.transaction?.hash === hash) return undefined
  if (taker.transaction && hashCall(taker.transaction) === sent.call) {
    const moved = { hash: taker.transaction.hash, originalHash: transaction.originalHash ?? hash }
    return { ...moved, ...(await readProgress({ client, sender }, { ...transaction, ...moved }, isLate)) }
  }
  if (!(await isDeep(taker.block))) return undefined
  return fail(taker.transaction && isCancellation(taker.transaction) ? 'cancelled' : 'dropped')
}

/** What it is to the owners of the wallet; on the chain, once they have executed it. */
async function readOwners(
  reader: Reader,
  transaction: FollowedTransaction,
  known: WalletTransaction,
): Promise<Progress | undefined> {
  const { hash, awaiting } = transaction
  const waits = waiting[known.status]
  if (waits) return waits === awaiting ? undefined : { awaiting: waits }
  if (known.status === 'cancelled') return fail('cancelled')
  const executed = { ...(known.hash && { hash: known.hash, originalHash: hash }), executedAt: Date.now() }
  // The chain may count it as a success: the Safe took the call, and the call did nothing.
  if (known.status === 'failed') return { ...executed, ...fail('reverted') }
  const progress = await readProgress(reader, { ...transaction, ...executed }, false).catch(() => undefined)
  return { ...executed, ...progress }
}

const waiting: Partial<Record<WalletTransaction['status'], NonNullable<Transaction['awaiting']>>> = {
  awaitingOwners: 'owners',
  awaitingExecution: 'execution',
}

const fail = (failureReason: NonNullable<FollowedTransaction['failureReason']>): Progress => ({
  status: 'failed',
  failureReason,
})

const findTransaction = (client: Client, hash: Hash) =>
  orUndefined(getTransaction(client, { hash }), 'TransactionNotFoundError')

/** Where the account used this nonce, and on what; that is none of its transactions if a delegation took it (EIP-7702). */
async function findNonce(client: Client, address: Address, nonce: number) {
  const isUsedAt = async (blockNumber: bigint) => (await getTransactionCount(client, { address, blockNumber })) > nonce
  let used = await getBlockNumber(client, { cacheTime: 0 })
  if (!(await isUsedAt(used))) return undefined

  // Backwards in longer and longer steps, since it was most likely a moment ago; then by halving.
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

/** What it asks for, whatever it pays for that. */
const hashCall = ({ to, value, input }: Call): Hash =>
  keccak256(concatHex([to ?? '0x', numberToHex(value, { size: 32 }), input]))

/** How wallets cancel: a later transaction with the same nonce that does nothing. */
const isCancellation = ({ from, to, value, input }: Call) =>
  to !== null && isSame(from, to) && value === 0n && input === '0x'

const isSame = (a: Address, b: Address) => a.toLowerCase() === b.toLowerCase()

async function orUndefined<T>(answer: Promise<T>, errorName: string): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (read(error, 'name') === errorName) return undefined
    throw error
  }
}
