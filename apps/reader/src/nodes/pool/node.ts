import { type NodeEndpoint, parseNodeUrl } from '../rpc/parseNodeUrl.ts'
import type { ChainHead } from '../state/chainHead.ts'
import { afterOutage, unchecked } from '../state/chainIdentity.ts'
import type { EventShapes } from '../state/eventShapes.ts'
import { initialHeaders } from '../state/headerAccess.ts'
import { allLogs } from '../state/logAccess.ts'
import type { NodeState, WrongAnswer } from '../state/NodeState.ts'
import { noHead } from '../state/nodeHead.ts'
import { initialPace, startRest } from '../state/pace.ts'
import { type Requirements, type WarningKind, warningMessage } from '../state/warnings.ts'

/** A node and its current state. */
export type Node = NodeState & {
  readonly endpoint: NodeEndpoint
  /** The check of its chain in progress, which all requests share. */
  chainCheck: { startedAt: number; done: Promise<void> } | undefined
}

/** All nodes in order of preference, and their shared state. */
export type Pool = {
  nodes: readonly Node[]
  head: ChainHead
  /** Blocks between the last two heads that Ponder has not requested yet, by number. */
  fillers: Map<number, { header: unknown; at: number }>
  requirements: Requirements
  events: EventShapes
  /** Milliseconds that a request may take, over all nodes. */
  patience: number
  log: (message: string) => void
}

/** Returns a monotonic time, precise enough to order events of the same millisecond. */
export const now = () => performance.now()

export function createNode(url: string, index: number): Node {
  const endpoint = parseNodeUrl(url, index + 1)
  if (!endpoint) throw new TypeError(`The URL of node ${index + 1} is not an http or https URL.`)
  return {
    endpoint,
    name: endpoint.name,
    chain: unchecked,
    chainCheck: undefined,
    contact: { status: 'answering', answeredAt: Number.NEGATIVE_INFINITY },
    pace: initialPace,
    logs: allLogs,
    headers: initialHeaders,
    head: noHead,
  }
}

export const isReadable = ({ chain, contact, logs }: Node) =>
  chain.status === 'right' && contact.status === 'answering' && logs.availability.status === 'on'

/** Marks a node as silent. With `rest`, starts a rest of at least that many milliseconds. */
export function silence(pool: Pool, node: Node, reason: string, rest?: number): void {
  const { status, answeredAt } = node.contact
  node.contact = { status: 'silent', answeredAt, reason: reason.replace(/\.+$/, '') }
  node.chain = afterOutage(node.chain)
  if (rest !== undefined) node.pace = startRest(node.pace, rest, now())
  if (status === 'answering') pool.log(messageFor(pool, node, 'node_silent'))
}

/** Marks a node as silent because of a wrong answer. It rests longer with each one, until `believe`. */
export function doubt(pool: Pool, node: Node, reason: string, wrong: WrongAnswer): void {
  silence(pool, node, reason, 100)
  if (node.contact.status === 'silent') node.contact = { ...node.contact, wrong }
}

/** Ends the silence of a node after a right answer to the request that it answered wrongly. */
export function believe(pool: Pool, node: Node, answered: WrongAnswer): void {
  const { contact } = node
  if (contact.status !== 'silent' || contact.wrong !== answered) return
  node.contact = { status: 'answering', answeredAt: contact.answeredAt }
  node.pace = { ...node.pace, rest: 0 }
  pool.log(`${node.name} answers again.`)
}

export const messageFor = ({ requirements }: Pool, node: Node, kind: WarningKind) =>
  warningMessage(kind, node, requirements)
