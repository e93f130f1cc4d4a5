import { commonNumber } from '../state/nodeHead.ts'
import { doubt, type Node, now, type Pool } from './node.ts'

/** Milliseconds for which a leap needs a second node, although no other node answers. */
const refusedFor = 60_000

/**
 * Returns whether a node reports a block far above the last head; before a head is known, far above the blocks that the
 * other nodes reported. The head never goes back, so one false report could stop the index.
 */
export function isLeap(pool: Pool, node: Node, number: number): boolean {
  const others = pool.nodes.filter(
    (other) => other !== node && other.contact.status === 'answering' && other.head.number > 0,
  )
  const [highest] = others
    .map(({ head }) => ({ number: commonNumber(head), setAt: head.reportedAt }))
    .toSorted((left, right) => right.number - left.number)
  return pool.head.isLeap(number, now(), highest)
}

/** Returns whether no other node contradicts a leap: none has answered since it was refused, a minute ago. */
export function isUnopposed({ nodes, head }: Pool, node: Node): boolean {
  const since = nodes.length === 1 ? Number.NEGATIVE_INFINITY : (head.leapRefusedAt ?? now())
  if (now() - since < refusedFor) return false
  return nodes.every((other) => other === node || other.chain.status === 'other' || other.contact.answeredAt < since)
}

/** Returns whether a node's last newest block was refused as a leap. */
export const isLeaping = ({ contact }: Node): boolean => contact.status === 'silent' && contact.wrong === 'leap'

/** Returns the fault of a refused leap, and marks its node. */
export function refuseLeap(pool: Pool, node: Node): string {
  const fault = 'it returned a newest block far above that of the other nodes'
  pool.head.refuseLeap(now())
  doubt(pool, node, fault, 'leap')
  return fault
}
