import { setTimeout as delay } from 'node:timers/promises'
import { isFarAbove, type Reached } from './chainHead.ts'
import { type Node, now, type Pool, recordRightAnswer, recordWrongAnswer } from './node.ts'
import { NodeError, toNodeError } from './nodeError.ts'
import { commonNumber, type NodeHead, restartHead } from './nodeState.ts'
import { isResting } from './pace.ts'
import { areDoubtful, nextStep, requestNode } from './requestPool.ts'
import { newestNumber, parseBlock, type RpcRequest } from './rpc.ts'

const newestBlock: RpcRequest = { method: 'eth_getBlockByNumber', params: ['latest', false] }

/**
 * Requests the newest block. It never goes back on the same chain.
 *
 * Returns the head of the first node that does not lag. A head far above the last one needs a second node, which may
 * report it earlier or later. If all other nodes lag, returns the last head again. While all nodes rest, waits.
 */
export async function requestNewest(pool: Pool, deadline = now() + pool.patience, doubts = 0): Promise<unknown> {
  const startedAt = now()
  const { heads, lagging, failures } = await askEach(pool)
  const isRefused = ({ node, block }: Answered) => isFarAhead(pool, node, numberOf(block))
  const accepted = heads.findLast((head) => !isRefused(head)) ?? heads.find(({ node }) => isAcceptedAlone(pool, node))
  for (const head of heads) {
    const { node, block } = head
    if (head === accepted || !isRefused(head)) acceptHead(pool, node, numberOf(block))
    else failures.push(new NodeError('unreachable', `${node.name}: ${refuseFarHead(pool, node, startedAt)}`))
  }
  if (accepted) return advanceHead(pool, accepted)
  if (lagging !== undefined) return keepHead(pool, lagging)
  const known = pool.head.block
  if (heads.length > 0 && known) return known
  const time = now()
  const wakesAt = Math.min(...pool.nodes.map(({ pace }) => pace.restsUntil).filter((until) => until > time))
  const isDoubtful = areDoubtful(newestBlock, failures)
  const round = {
    failures,
    isNull: false,
    mustExist: false,
    misses: 0,
    isDoubtful,
    doubts,
    wakesAt,
    now: time,
    deadline,
  }
  const step = nextStep(round)
  if (step.action === 'fail') throw step.error
  if (step.action === 'answer_null') return requestNewest(pool, deadline, doubts)
  await delay(Math.ceil(step.wait))
  return requestNewest(pool, deadline, step.doubts)
}

const numberOf = (block: unknown) => parseBlock(block)?.number ?? 0

type Answered = { node: Node; block: unknown }

/** Asks the nodes in order, until the head of one can be accepted: its own, or an earlier one that it confirms. */
async function askEach(pool: Pool) {
  const failures: NodeError[] = []
  const heads: Answered[] = []
  let lagging: unknown
  for (const node of pool.inOrder()) {
    if (isResting(node.pace, now())) continue
    try {
      const block = await requestNode(pool, node, newestBlock)
      const isLagging = pool.head.isLagging(block)
      node.head = { ...node.head, lag: isLagging ? pool.head.lagOf(block) : 0 }
      if (isLagging) {
        lagging ??= block
        acceptHead(pool, node, numberOf(block))
        continue
      }
      heads.push({ node, block })
      if (heads.some((head) => !isFarAhead(pool, head.node, numberOf(head.block)))) break
    } catch (error) {
      failures.push(toNodeError(error))
    }
  }
  return { heads, lagging, failures }
}

function advanceHead({ nodes, head }: Pool, { block }: Answered): unknown {
  head.setHead(block, now())
  // An accepted leap is the new measure.
  if (!nodes.some(isRefusedAsFar) || head.isFarAhead(numberOf(block), now())) head.forgetRefusal()
  return block
}

/** Returns the last head again, or the lagging block before the first head. */
function keepHead({ head, requirements: { lowestHead } }: Pool, lagging: unknown): unknown {
  if (!head.block && numberOf(lagging) < lowestHead)
    throw new NodeError('missing', `No node has reached block ${lowestHead} yet`)
  return head.block ?? lagging
}

/** Milliseconds for which a leap needs a second node, although no other node answers. */
const refusedFor = 60_000
/** Milliseconds for which the head of a node confirms that of another one: nodes with a leap rest, often in turns. */
const confirmsFor = 60_000

/**
 * Returns whether a node reports a block far above the last head, and no other node confirms it; before a head is
 * known, far above the blocks that the other nodes reported. The head never goes back, so one false report could stop
 * the index.
 */
function isFarAhead(pool: Pool, node: Node, number: number): boolean {
  const others = pool.nodes.filter((other) => other !== node && other.head.number > 0)
  const [highest] = others
    .filter(({ contact }) => contact.status === 'answering')
    .map(({ head }) => toReached(head))
    // A node that is still far below the first block to read cannot be used instead.
    .filter((reached) => !isFarAbove(pool.requirements.lowestHead, reached, now()))
    .toSorted((left, right) => right.number - left.number)
  return pool.head.isFarAhead(number, now(), highest) && !others.some((other) => isConfirming(other, number))
}

const toReached = (head: NodeHead): Reached => ({ number: commonNumber(head), setAt: head.reportedAt })

/** Returns whether a node lately reported a head that this number is not far above. */
function isConfirming({ contact, head }: Node, number: number): boolean {
  const isMalformed = contact.status === 'silent' && contact.wrong === 'newest'
  return !isMalformed && head.reportedAt > now() - confirmsFor && !isFarAbove(number, toReached(head), now())
}

/** Returns whether no other node has answered since a leap was first refused without an answer of one, a minute ago. */
function isAcceptedAlone(pool: Pool, node: Node): boolean {
  if (pool.nodes.length === 1) return true
  const since = pool.head.uncontradictedSince ?? now()
  return now() - since >= refusedFor && lastAnswerOfOthers(pool, node) < since
}

const lastAnswerOfOthers = ({ nodes }: Pool, node: Node) =>
  Math.max(
    ...nodes
      .filter((other) => other !== node && other.chain.status !== 'other')
      .map(({ contact }) => contact.answeredAt),
  )

/** Returns whether a node's last newest block was refused as a leap. */
const isRefusedAsFar = ({ contact }: Node): boolean => contact.status === 'silent' && contact.wrong === 'far_head'

/** Returns the fault of a refused leap, and marks its node. `roundStart`: when the nodes were asked, in milliseconds. */
function refuseFarHead(pool: Pool, node: Node, roundStart: number): string {
  const fault = 'it returned a newest block far above that of the other nodes'
  const answeredAt = lastAnswerOfOthers(pool, node)
  const before = pool.head.uncontradictedSince
  const since = before !== undefined && answeredAt < before ? before : now()
  // A node that answers in this round, and is only busy later, still contradicts the leap.
  pool.head.refuseFarHead(answeredAt >= roundStart ? undefined : since)
  recordWrongAnswer(pool, node, fault, 'far_head')
  return fault
}

/**
 * Ends the doubt about a node whose leap was refused, because a head that it reports can be accepted. Forgets a number far
 * above that the node has returned in any answer.
 */
function acceptHead(pool: Pool, node: Node, number: number): void {
  if (isFarAbove(node.head.number, { number, setAt: now() }, now())) node.head = restartHead(node.head, number)
  if (isRefusedAsFar(node)) recordRightAnswer(pool, node, 'far_head')
}

/** Requests the newest block from a node that is silent or behind, and updates its state. */
export async function probeNode(pool: Pool, node: Node): Promise<void> {
  const isGood = node.contact.status === 'answering' && node.head.lag === 0
  if (isGood || isResting(node.pace, now())) return
  try {
    const number = Number(await requestNode(pool, node, newestNumber))
    if (!isFarAhead(pool, node, number)) acceptHead(pool, node, number)
    node.head = { ...node.head, lag: Math.max(pool.head.number - node.head.number, 0) }
  } catch {
    // The node's state records the failure.
  }
}
