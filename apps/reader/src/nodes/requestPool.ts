import { setTimeout as delay } from 'node:timers/promises'
import { findObstacle, isOff, onBatchServed, onRangeRefused, onRangeServed, onRangeTimedOut } from './access.ts'
import type { ShapedLog } from './eventShapes.ts'
import { type Headers, headerAt, readBatches } from './headers.ts'
import { mapConcurrently } from './mapConcurrently.ts'
import { isReadable, messageFor, type Node, now, type Pool, recordRightAnswer } from './node.ts'
import { executionFailed, isMisunderstood, NodeError, saysWhy, TooWideError, toNodeError } from './nodeError.ts'
import { commonNumber } from './nodeState.ts'
import { isResting } from './pace.ts'
import { type BlockRange, countBlocks, heightOf, isByHash, logRangeOf, newestNumber, type RpcRequest } from './rpc.ts'
import { checkChain, sendPaced } from './send.ts'
import {
  type Attempt,
  type ChainCheck,
  checkForm,
  createAttempt,
  retryIfAlone,
  verifyResult,
  verifyShapes,
  wrongAnswerTo,
} from './verify.ts'

/** Sends a request to the nodes in order until one returns a result. */
export async function requestPool(pool: Pool, rpc: RpcRequest, chainCheck: ChainCheck = 'each'): Promise<unknown> {
  const attempt = createAttempt(pool, chainCheck)
  const { deadline } = attempt
  let [misses, doubts] = [0, 0]
  for (;;) {
    const { result, failures } = await tryEach(pool, rpc, attempt)
    if (result != null) return result
    const time = now()
    const mustExist = isByHash(rpc) || (heightOf(rpc) ?? Number.POSITIVE_INFINITY) <= pool.head.number
    // A node that does not answer is not waited for if another one does not understand the request: the caller may ask otherwise.
    const awaited = failures.some(isMisunderstood)
      ? pool.nodes.filter(({ contact }) => contact.status === 'answering')
      : pool.nodes
    const wakesAt = Math.min(...awaited.map(({ pace }) => pace.restsUntil).filter((until) => until > time))
    const isNull = result === null
    const isDoubtful = areDoubtful(rpc, failures)
    const round = { failures, isNull, mustExist, misses, isDoubtful, doubts, wakesAt, now: time, deadline }
    const step = nextStep(round)
    if (step.action === 'answer_null') return null
    if (step.action === 'fail') throw step.error
    ;({ misses, doubts } = step)
    await delay(Math.ceil(step.wait))
  }
}

/**
 * Tries each node once.
 *
 * @returns the first result; `null` if all results were `null`, `undefined` if all nodes failed
 */
async function tryEach(pool: Pool, rpc: RpcRequest, attempt: Attempt) {
  const failures: NodeError[] = []
  let result: unknown
  for (const node of pool.inOrder()) {
    if (isResting(node.pace, now())) continue
    try {
      // A lagging node returns null for data that the next node has.
      result = await requestNode(pool, node, rpc, attempt)
      if (typeof result === 'object' && result !== null && !pool.servedBy.has(result))
        pool.servedBy.set(result, node.name)
      if (result !== null) return { result, failures }
    } catch (error) {
      const failure = toNodeError(error)
      if (isFaultOfRequest(failure)) throw failure
      failures.push(failure)
    }
  }
  return { result, failures }
}

/** Returns whether every node would return the same error: the call reverts. Parameters may be wrong for one node only. */
function isFaultOfRequest({ kind, rpcError }: NodeError): boolean {
  if (kind !== 'refused' || !rpcError) return false
  return rpcError.code === 3 || executionFailed.test(rpcError.message)
}

/**
 * Returns whether a node may answer if it is asked again, although its error does not say so: some fail a share of all
 * requests with any error.
 */
export function areDoubtful({ method }: RpcRequest, failures: readonly NodeError[]): boolean {
  const isDoubtful = ({ kind, rpcError }: NodeError) =>
    rpcError !== undefined &&
    ((kind === 'refused' && !saysWhy(rpcError)) || (kind === 'missing' && method === 'eth_getLogs'))
  return !failures.some((one) => one instanceof TooWideError || isMisunderstood(one)) && failures.some(isDoubtful)
}

/** Outcome of one round over all nodes that returned no result. */
export type Round = {
  failures: readonly NodeError[]
  /** Whether a node answered `null`. */
  isNull: boolean
  /** Whether the data is known to exist, because an earlier answer named it. */
  mustExist: boolean
  /** Number of earlier rounds in which every node lacked data that must exist. */
  misses: number
  /** Whether a node may answer if it is asked again, and the number of earlier rounds of which this was so. */
  isDoubtful?: boolean
  doubts?: number
  /** Time when the first resting node may be used again; `Infinity` if none rests. */
  wakesAt: number
  now: number
  deadline: number
}

export type NextStep =
  | { action: 'retry'; wait: number; misses: number; doubts: number }
  | { action: 'answer_null' }
  | { action: 'fail'; error: NodeError }

/** Largest number of rounds for data that must exist. */
const maxMisses = 10
/** Largest number of times that a node may fail a request before its error counts. */
const maxFailures = 6
const minWait = 10

/** Decides what to do after a round in which no node returned a result. */
export function nextStep(round: Round): NextStep {
  const { failures, isNull, mustExist, isDoubtful, wakesAt, now, deadline } = round
  let { misses, doubts = 0 } = round
  const noneRests = wakesAt === Number.POSITIVE_INFINITY
  if (mustExist && noneRests && failures.every(({ kind }) => kind === 'missing')) {
    misses++
    // One of several nodes behind a URL may lag, and the next request may reach another one.
    if (misses < maxMisses && now < deadline) return { action: 'retry', wait: misses * 2, misses, doubts }
  }
  if (isDoubtful && ++doubts < maxFailures && now < deadline)
    return { action: 'retry', wait: Math.min(25 * 2 ** doubts, 400), misses, doubts }
  if (isNull) return { action: 'answer_null' }
  // If no node rests or is rate-limited, a retry would have the same result.
  const isSettled = failures.length > 0 && failures.every(({ kind }) => kind !== 'rate_limited')
  const wait = noneRests ? 0 : wakesAt - now
  if ((noneRests && isSettled) || now + wait > deadline) return { action: 'fail', error: mostUseful(failures) }
  return { action: 'retry', wait: Math.max(wait, minWait), misses, doubts }
}

/**
 * Returns the failure with the widest allowed range, because the caller can split a range. Otherwise that of a node that
 * does not understand the request, unless one that does lacks the data; otherwise the last failure.
 */
function mostUseful(failures: readonly NodeError[]): NodeError {
  const ranges = failures.filter((failure) => failure instanceof TooWideError)
  const widest = ranges.toSorted((left, right) => right.maxBlocks - left.maxBlocks)[0]
  const missing = failures.find(({ kind }) => kind === 'missing')
  const misunderstood = failures.find(isMisunderstood)
  return (
    widest ??
    (misunderstood && (missing ?? misunderstood)) ??
    failures.at(-1) ??
    new NodeError('unreachable', 'No node answered in time.')
  )
}

/** Number of concurrent single requests. */
const concurrency = 4

/**
 * Requests the headers of blocks in batches as large as a node serves, from the first node that has them. Headers
 * missing from the batches are requested one by one.
 *
 * @throws {NodeError} if no node has a header
 */
export async function requestHeaders(pool: Pool, numbers: readonly number[], chainCheck: ChainCheck): Promise<Headers> {
  const found: Headers = new Map()
  const listMissing = () => numbers.filter((number) => !found.has(number))
  const restLast = pool
    .inOrder()
    .toSorted((left, right) => restOf(left.pace.restsUntil) - restOf(right.pace.restsUntil))
  for (const node of restLast) await readBatches(pool, node, listMissing(), found)
  const node = pool.inOrder().find(isReadable)
  const requestOne = async (number: number) => {
    const header = await requestPool(pool, headerAt(number), chainCheck)
    if (typeof header !== 'object' || header === null) throw new NodeError('missing', `No node has block ${number}`)
    found.set(number, header)
    if (node) node.headers = onBatchServed(node.headers, 1)
  }
  // One request shows whether the nodes answer at all.
  const [first, ...others] = listMissing()
  if (first !== undefined) await requestOne(first)
  await mapConcurrently(others, concurrency, requestOne)
  return found
}

const restOf = (until: number) => Math.max(until - now(), 0)

/** Milliseconds after which a node's chain is checked again. */
const chainCheckInterval = { right: 60_000, unchecked: 60_000, other: 5_000 }

/** Sends a request to one node, and checks the result. */
export async function requestNode(
  pool: Pool,
  node: Node,
  rpc: RpcRequest,
  attempt: Attempt = createAttempt(pool),
): Promise<unknown> {
  await checkChain(pool, node, now() - chainCheckInterval[node.chain.status])
  if (rpc.method === 'eth_getLogs' && isOff(node.logs, now()))
    throw new NodeError('unsupported', messageFor(pool, node, 'node_without_logs'))
  const range = logRangeOf(rpc)
  const result = range
    ? await requestLogs(pool, node, rpc, range, attempt)
    : await sendVerified(pool, node, rpc, attempt)
  if (rpc.method === 'eth_getLogs') await verifyShapes(pool, node, result as readonly ShapedLog[])
  recordRightAnswer(pool, node, wrongAnswerTo(rpc))
  return result
}

async function sendVerified(pool: Pool, node: Node, rpc: RpcRequest, attempt: Attempt): Promise<unknown> {
  const result = await sendPaced(pool, node, rpc)
  await verifyResult(pool, node, rpc, result, attempt)
  return result
}

/** Largest expected distance in blocks between two nodes behind one URL. */
const maxSpread = 256

/**
 * Requests the logs of a range from one node that has reached its end, and confirms an empty list. Whether a list that
 * is not empty is complete cannot be seen here: the audits compare the index with the contract.
 */
async function requestLogs(pool: Pool, node: Node, rpc: RpcRequest, range: BlockRange, attempt: Attempt) {
  await checkRange(pool, node, range)
  try {
    const logs =
      attempt.chainCheck === 'never'
        ? await sendPaced(pool, node, rpc)
        : await sendConfirmed(pool, node, rpc, range, attempt)
    await verifyResult(pool, node, rpc, logs, attempt)
    node.logs = onRangeServed(node.logs, range)
    return logs
  } catch (error) {
    const failure = toNodeError(error)
    const failures = (attempt.failures.get(node) ?? 0) + 1
    attempt.failures.set(node, failures)
    const isLast = failures >= maxFailures || now() + 1_000 > attempt.deadline
    if (failure.kind === 'unreachable' && (isLast || failure.timedOut) && (await isTooWide(pool, node, range)))
      throw recordWidth(pool, node, range, failure)
    // Some nodes refuse the logs of all contracts, and serve those of one.
    const isOfAll = (rpc.params[0] as { address?: unknown }).address === undefined && countBlocks(range) === 1
    const needsAddress = isOfAll && /address/i.test(failure.rpcError?.message ?? '')
    const isRefusal = failure.kind === 'unsupported' || (failure.kind === 'refused' && !needsAddress)
    const isSettled = isLast || failure.kind === 'unsupported' || !failure.rpcError || saysWhy(failure.rpcError)
    throw isRefusal && isSettled ? recordRefusal(pool, node, range, failure) : failure
  }
}

/** Returns whether only this range fails: some gateways time out on it each time and answer everything else. */
async function isTooWide(pool: Pool, node: Node, range: BlockRange): Promise<boolean> {
  const { contact } = node
  const isWrong = contact.status === 'silent' && contact.wrong !== undefined
  if (countBlocks(range) <= 2 || isWrong) return false
  return sendPaced(pool, node, newestNumber).then(
    () => true,
    () => false,
  )
}

/** Returns the error that makes the caller request fewer blocks after a range has failed. Remembers what has timed out. */
function recordWidth({ log }: Pool, node: Node, range: BlockRange, { timedOut }: NodeError): TooWideError {
  const blocks = countBlocks(range)
  if (!timedOut) return new TooWideError()
  const before = node.logs.width.size
  node.logs = onRangeTimedOut(node.logs, blocks)
  const { size } = node.logs.width
  if (size < before) log(`${node.name} times out on the logs of ${blocks} blocks, so ${size} are requested at once.`)
  return new TooWideError(size)
}

/** Checks that the node has the whole range: a lagging node returns the logs it has, and no error. */
async function checkRange(pool: Pool, node: Node, range: BlockRange): Promise<void> {
  const obstacle = findObstacle(node.logs, range)
  if (obstacle === 'pruned') throw new NodeError('missing', messageFor(pool, node, 'node_without_history'))
  if (obstacle === 'too_wide') throw new TooWideError(node.logs.width.size)
  const { number, reportedAt } = node.head
  const isNear = range.toBlock > number - maxSpread && reportedAt < now() - 1_000
  if (range.toBlock > number || isNear) await sendPaced(pool, node, newestNumber)
  if (range.toBlock > commonNumber(node.head))
    throw new NodeError('missing', `${node.name} has not reached block ${range.toBlock} yet`)
}

/**
 * Sends the request, and confirms an empty list, because a node that pruned its logs, lags or is faulty also returns
 * one. An empty list counts if another node returns it too, or the same node a second time.
 */
async function sendConfirmed(pool: Pool, node: Node, rpc: RpcRequest, range: BlockRange, attempt: Attempt) {
  const { empty, failures, deadline } = attempt
  if (!empty.has(node)) {
    const logs = await sendPaced(pool, node, rpc)
    if (!Array.isArray(logs) || logs.length > 0) return logs
    empty.add(node)
    failures.delete(node)
  }
  const other = pool.inOrder().find((candidate) => candidate !== node && canServe(candidate, range))
  const second = other && (await sendChecked(pool, other, rpc).catch(() => undefined))
  if (Array.isArray(second)) pool.servedBy.set(second, other?.name ?? '')
  return Array.isArray(second) ? second : retryIfAlone(pool, node, () => sendPaced(pool, node, rpc), deadline)
}

async function sendChecked(pool: Pool, node: Node, rpc: RpcRequest) {
  const logs = await sendPaced(pool, node, rpc)
  checkForm(pool, node, rpc, logs)
  return logs
}

const canServe = (node: Node, range: BlockRange) =>
  isReadable(node) &&
  !isResting(node.pace, now()) &&
  range.toBlock <= node.head.number &&
  findObstacle(node.logs, range) === undefined

/** Returns the error that makes the caller request fewer blocks, if the node serves logs at all. */
function recordRefusal(pool: Pool, node: Node, range: BlockRange, failure: NodeError): NodeError {
  const before = node.logs.availability.status
  const { logs, limit } = onRangeRefused(node.logs, range, failure, now())
  node.logs = logs
  if (logs.availability.status === 'off') {
    const message = messageFor(pool, node, 'node_without_logs')
    if (before === 'on') pool.log(`${message} Its error: ${failure.message}`, 'warn')
    return new NodeError('unsupported', message)
  }
  if (limit !== undefined) pool.log(`${node.name} serves the logs of ${limit} blocks per request.`)
  return new TooWideError(limit)
}
