import { isFarAbove, type Reached } from '../state/chainHead.ts'
import { commonNumber, type NodeHead, restartHead } from '../state/nodeHead.ts'
import { believe, doubt, type Node, now, type Pool } from './node.ts'

/** Milliseconds for which a leap needs a second node, although no other node answers. */
const refusedFor = 60_000
/** Milliseconds for which the head of a node confirms that of another one: nodes with a leap rest, often in turns. */
const confirmsFor = 60_000

/**
 * Returns whether a node reports a block far above the last head, and no other node confirms it; before a head is
 * known, far above the blocks that the other nodes reported. The head never goes back, so one false report could stop
 * the index.
 */
export function isLeap(pool: Pool, node: Node, number: number): boolean {
  const others = pool.nodes.filter((other) => other !== node && other.head.number > 0)
  const [highest] = others
    .filter(({ contact }) => contact.status === 'answering')
    .map(({ head }) => toReached(head))
    // A node that is still far below the first block to read cannot be used instead.
    .filter((reached) => !isFarAbove(pool.requirements.lowestHead, reached, now()))
    .toSorted((left, right) => right.number - left.number)
  return pool.head.isLeap(number, now(), highest) && !others.some((other) => isConfirming(other, number))
}

const toReached = (head: NodeHead): Reached => ({ number: commonNumber(head), setAt: head.reportedAt })

/** Returns whether a node lately reported a head that this number is not far above. */
function isConfirming({ contact, head }: Node, number: number): boolean {
  const isMalformed = contact.status === 'silent' && contact.wrong === 'newest'
  return !isMalformed && head.reportedAt > now() - confirmsFor && !isFarAbove(number, toReached(head), now())
}

/** Returns whether no other node has answered since a leap was first refused without an answer of one, a minute ago. */
export function isUnopposed(pool: Pool, node: Node): boolean {
  if (pool.nodes.length === 1) return true
  const since = pool.head.leapUnopposedSince ?? now()
  return now() - since >= refusedFor && lastAnswerOfOthers(pool, node) < since
}

const lastAnswerOfOthers = ({ nodes }: Pool, node: Node) =>
  Math.max(
    ...nodes
      .filter((other) => other !== node && other.chain.status !== 'other')
      .map(({ contact }) => contact.answeredAt),
  )

/** Returns whether a node's last newest block was refused as a leap. */
export const isLeaping = ({ contact }: Node): boolean => contact.status === 'silent' && contact.wrong === 'leap'

/** Returns the fault of a refused leap, and marks its node. `roundStart`: when the nodes were asked, in milliseconds. */
export function refuseLeap(pool: Pool, node: Node, roundStart: number): string {
  const fault = 'it returned a newest block far above that of the other nodes'
  const answeredAt = lastAnswerOfOthers(pool, node)
  const before = pool.head.leapUnopposedSince
  const since = before !== undefined && answeredAt < before ? before : now()
  // A node that answers in this round, and is only busy later, still contradicts the leap.
  pool.head.refuseLeap(answeredAt >= roundStart ? undefined : since)
  doubt(pool, node, fault, 'leap')
  return fault
}

/** Ends the doubt about a node whose leap was refused, because a head that it reports can be accepted. */
export function endLeap(pool: Pool, node: Node, number: number): void {
  if (!isLeaping(node)) return
  if (isFarAbove(node.head.number, { number, setAt: now() }, now())) node.head = restartHead(node.head, number)
  believe(pool, node, 'leap')
}
