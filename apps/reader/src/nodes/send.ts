import { setTimeout as delay } from 'node:timers/promises'
import { dropRepeats } from './findFault.ts'
import {
  logContact,
  markSilent,
  messageFor,
  type Node,
  now,
  type Pool,
  recordRightAnswer,
  recordWrongAnswer,
} from './node.ts'
import { NodeError, retry, toNodeError } from './nodeError.ts'
import { identify, isOutdated, onHeadReported } from './nodeState.ts'
import { hasLostTurn, isFailing, isLimiting, onAnswered, onFailed, onRateLimited, type Pace, takeTurn } from './pace.ts'
import { postBatch, postRpc } from './postRpc.ts'
import { isNewest, parseBlock, parseQuantity, type RpcRequest, toHeaderRequest } from './rpc.ts'

/** Milliseconds after which a node that rate-limits every request counts as silent. */
const maxLimited = 10_000

/** Sends a request to one node at its pace, and updates the node's state by the outcome. */
export async function sendPaced(pool: Pool, node: Node, rpc: RpcRequest): Promise<unknown> {
  await waitForTurn(node)
  const sentAt = now()
  const sent = toHeaderRequest(rpc, node.headers.method)
  try {
    const answer = await postRpc(node.endpoint, sent)
    const result = rpc.method === 'eth_getLogs' ? dropRepeats(answer) : answer
    recordAnswer(pool, node, rpc, result)
    return result
  } catch (error) {
    const failure = toNodeError(error)
    if (stopsHeaders(node, sent, failure)) return sendPaced(pool, node, rpc)
    if (failure.kind === 'rate_limited') recordRateLimit(pool, node, failure, sentAt)
    if (failure.kind === 'unreachable') recordFailure(pool, node, failure, sentAt)
    throw failure
  }
}

/** Milliseconds since its last answer after which a node that was reached, and failed, counts as silent. */
const failingFor = 3_000

/** `shortest`: milliseconds for which a silent node rests at least. */
function recordFailure(pool: Pool, node: Node, error: NodeError, sentAt: number, shortest = 100): void {
  const { status, answeredAt } = node.contact
  const isOutage = now() - answeredAt >= failingFor
  const isSilent = !error.wasReached || status === 'silent' || isOutage
  const failure = { sentAt, shortest: isSilent ? shortest : 25, reason: error.message, isOutage }
  setPace(pool, node, onFailed(node.pace, failure, now()))
  if (isSilent) markSilent(pool, node, error.message)
}

/** Returns whether a node may answer when a request that failed is repeated: it limits their rate, or fails a share of them. */
export const mayAnswerSoon = ({ contact }: Node, { kind }: NodeError): boolean =>
  kind === 'rate_limited' || (kind === 'unreachable' && contact.status === 'answering')

/**
 * Sends several requests to one node as a batch, which takes one turn.
 *
 * @returns the result or the error of each request
 * @throws {NodeError} if the node refuses the whole batch. It may answer single requests, so it does not count as
 * silent
 */
export async function sendBatch(pool: Pool, node: Node, requests: readonly RpcRequest[]): Promise<unknown[]> {
  while (!(await takesTurn(node))) await delay(Math.max(Math.ceil(node.pace.restsUntil - now()), 1))
  const sentAt = now()
  const sent = requests.map((rpc) => toHeaderRequest(rpc, node.headers.method))
  try {
    const answers = await postBatch(node.endpoint, sent)
    const failures = answers.filter((answer) => answer instanceof NodeError)
    const limited = failures.find(({ kind }) => kind === 'rate_limited')
    if (limited) throw limited
    const [first] = sent
    if (first && failures.some((failure) => stopsHeaders(node, first, failure))) return sendBatch(pool, node, requests)
    recordContact(pool, node, 'data')
    node.servedAt = now()
    return answers
  } catch (error) {
    const failure = toNodeError(error)
    if (failure.kind === 'rate_limited') recordRateLimit(pool, node, failure, sentAt)
    throw failure
  }
}

/** Returns whether the node has stopped offering the methods for headers: another node may answer at its URL. */
function stopsHeaders(node: Node, sent: RpcRequest, { kind }: NodeError): boolean {
  if (kind !== 'unsupported' || !/^eth_getHeader/.test(sent.method)) return false
  node.headers = { ...node.headers, method: 'block' }
  return true
}

async function waitForTurn(node: Node): Promise<void> {
  if (!(await takesTurn(node))) throw new NodeError('rate_limited', `${node.name} is resting`)
}

/** Waits for a turn. Returns `false` if a rate limit cancelled the turn meanwhile. */
async function takesTurn(node: Node): Promise<boolean> {
  const reservedAt = now()
  const { pace, sendAt } = takeTurn(node.pace, reservedAt)
  node.pace = pace
  if (sendAt <= reservedAt) return true
  await delay(Math.ceil(sendAt - reservedAt))
  return !hasLostTurn(node.pace, reservedAt, now())
}

function recordAnswer(pool: Pool, node: Node, rpc: RpcRequest, result: unknown): void {
  recordContact(pool, node, rpc.method === 'eth_chainId' ? 'chain' : 'data')
  if (rpc.method !== 'eth_chainId') node.servedAt = now()
  if (!isNewest(rpc)) return
  const head = rpc.method === 'eth_blockNumber' ? parseQuantity(result) : parseBlock(result)?.number
  if (head !== undefined) node.head = onHeadReported(node.head, head, now())
}

/** `chain`: the node returned its chain id. It may fail all other requests, so its next rest is longer than the last one all the same. */
function recordContact(pool: Pool, node: Node, answer: 'chain' | 'data'): void {
  const { contact, pace } = node
  const isDistrusted = contact.status === 'silent' && contact.wrong !== undefined
  node.contact = isDistrusted ? { ...contact, answeredAt: now() } : { status: 'answering', answeredAt: now() }
  const answered = onAnswered(pace, now())
  setPace(pool, node, isDistrusted || answer === 'chain' ? { ...answered, rest: pace.rest } : answered)
  logContact(pool, node)
}

function recordRateLimit(pool: Pool, node: Node, { message, retryAfter }: NodeError, sentAt: number): void {
  setPace(pool, node, onRateLimited(node.pace, { sentAt, retryAfter }, now()))
  if (now() - node.contact.answeredAt > maxLimited) markSilent(pool, node, message)
}

function setPace(pool: Pool, node: Node, pace: Pace): void {
  const before = node.pace
  node.pace = pace
  if (before.limitedShare === 0 && isLimiting(pace, now())) pool.log(messageFor(pool, node, 'node_limiting'), 'warn')
  if (!isFailing(before, now()) && isFailing(pace, now())) pool.log(messageFor(pool, node, 'node_failing'), 'warn')
}

/** Throws if the node serves another chain. Uses a check that started at or after `since`. */
export async function checkChain(pool: Pool, node: Node, since: number): Promise<void> {
  while (isOutdated(node.chain, since)) {
    node.chainCheck ??= {
      startedAt: now(),
      done: requestChainId(pool, node).finally(() => {
        node.chainCheck = undefined
      }),
    }
    const { startedAt, done } = node.chainCheck
    // A check that started too early does not count; the next one is shared.
    await (startedAt < since ? done.catch(() => undefined) : done)
  }
  if (node.chain.status === 'other') throw new NodeError('missing', messageFor(pool, node, 'node_other_chain'))
}

async function requestChainId(pool: Pool, node: Node): Promise<void> {
  const { chainId: expected } = pool.requirements
  const startedAt = now()
  const answer = await sendPaced(pool, node, { method: 'eth_chainId', params: [] }).catch((error: unknown) => {
    const failure = toNodeError(error)
    if (['unreachable', 'rate_limited'].includes(failure.kind)) throw failure
    // A node that refuses even its chain id needs a key or a paid plan.
    recordFailure(pool, node, failure, startedAt, 1_000)
    throw new NodeError('unreachable', failure.message)
  })
  const chainId = parseQuantity(answer)
  if (chainId === undefined) {
    recordWrongAnswer(pool, node, 'it returned a chain id that is not a number', 'eth_chainId')
    throw new NodeError('unreachable', `${node.name} returned a chain id that is not a number`)
  }
  recordRightAnswer(pool, node, 'eth_chainId')
  const before = node.chain.status
  node.chain = identify(chainId, expected, startedAt)
  if (node.chain.status === 'right') return
  node.head = { ...node.head, number: 0 }
  if (before !== 'other') pool.log(messageFor(pool, node, 'node_other_chain'), 'warn')
}

/** Checks once, after many answers, that all nodes that may have given them are on the right chain. */
export async function confirmChain(pool: Pool, since: number): Promise<void> {
  const before = now()
  const asked = pool.nodes.filter(({ servedAt }) => servedAt >= since)
  const deadline = before + pool.patience
  const wakesAt = ({ pace }: Node) => Math.max(pace.restsUntil, now() + 10)
  // Otherwise all these answers would be requested again.
  const check = (node: Node) =>
    retry(
      () => checkChain(pool, node, before),
      (error) =>
        mayAnswerSoon(node, error) && wakesAt(node) <= deadline ? Math.ceil(wakesAt(node) - now()) : undefined,
    )
  await Promise.all(asked.map(check))
}
