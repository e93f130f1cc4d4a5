import { type NodeUrl, parseNodeUrl } from '@lineage/communities'
import type { Log } from '../log.ts'
import { allLogs, initialHeaders } from './access.ts'
import type { ChainHead } from './chainHead.ts'
import type { EventShapes } from './eventShapes.ts'
import {
  afterOutage,
  failsInPart,
  type NodeState,
  noHead,
  type Requirements,
  unchecked,
  type WarningKind,
  type WrongAnswer,
  warningMessage,
} from './nodeState.ts'
import { initialPace, startRest } from './pace.ts'
import type { HashChecks } from './proofs.ts'

/** A node and its current state. */
export type Node = NodeState & {
  readonly endpoint: NodeUrl
  /** The check of its chain in progress, which all requests share. */
  chainCheck: { startedAt: number; done: Promise<void> } | undefined
  /** Time of its last answer to anything but the request for its chain id. */
  servedAt: number
  /** What the log last said of its contact. */
  logged: 'answering' | 'silent'
}

/** All nodes in order of preference, and their shared state. */
export type Pool = {
  nodes: readonly Node[]
  /** Returns the nodes in the order in which a request tries them. */
  inOrder: () => readonly Node[]
  head: ChainHead
  /** Headers of blocks between the last two heads that were not requested yet, by number. */
  gapHeaders: Map<number, { header: unknown; at: number }>
  /** Names of the nodes that returned these results. */
  servedBy: WeakMap<object, string>
  requirements: Requirements
  events: EventShapes
  hashes: HashChecks
  /** Milliseconds that a request may take, over all nodes. */
  patience: number
  log: Log
}

/** Returns a monotonic time, precise enough to order events of the same millisecond. */
export const now = () => performance.now()

export function createNode(url: string, index: number): Node {
  const endpoint = parseNodeUrl(url)
  if (!endpoint) throw new TypeError(`The URL of node ${index + 1} is not an http or https URL.`)
  return {
    endpoint,
    name: `node ${index + 1} (${endpoint.host})`,
    chain: unchecked,
    chainCheck: undefined,
    servedAt: Number.NEGATIVE_INFINITY,
    contact: { status: 'answering', answeredAt: Number.NEGATIVE_INFINITY },
    logged: 'answering',
    pace: initialPace,
    logs: allLogs,
    headers: initialHeaders,
    head: noHead,
    blockHashes: 'known',
  }
}

export const isReadable = ({ chain, contact, logs }: Node) =>
  chain.status === 'right' && contact.status === 'answering' && logs.availability.status === 'on'

/** Marks a node as silent: it does not answer, or gave a wrong answer. */
export function markSilent(pool: Pool, node: Node, reason: string, wrong?: WrongAnswer): void {
  const { answeredAt } = node.contact
  node.contact = { status: 'silent', answeredAt, reason: reason.replace(/\.+$/, ''), ...(wrong && { wrong }) }
  node.chain = afterOutage(node.chain)
  logContact(pool, node)
}

/** Logs that a node is silent, or answers again, unless it fails a share of all requests: that is logged once. */
export function logContact(pool: Pool, node: Node): void {
  const { status } = node.contact
  if (status === node.logged || failsInPart(node, now())) return
  node.logged = status
  if (status === 'silent') pool.log(messageFor(pool, node, 'node_silent'), 'warn')
  else pool.log(`${node.name} answers again.`)
}

/** Milliseconds for which a node is asked after the others since its last wrong answer. */
const distrustedFor = 3_600_000

/** Returns nodes in order of preference, with those last that lately gave a wrong answer. */
export const byTrust = (nodes: readonly Node[]): Node[] => {
  const since = now() - distrustedFor
  const wrongAt = ({ lastWrong }: Node) => Math.max(lastWrong?.at ?? since, since)
  return nodes.toSorted((left, right) => wrongAt(left) - wrongAt(right))
}

/** Marks a node as silent because of a wrong answer. It rests longer with each one, until `recordRightAnswer`. */
export function recordWrongAnswer(pool: Pool, node: Node, reason: string, wrong: WrongAnswer): void {
  markSilent(pool, node, reason, wrong)
  node.pace = startRest(node.pace, 100, now())
  // A head far above may be right, where the other nodes stand still.
  if (wrong !== 'far_head') node.lastWrong = { at: now(), ...(wrong === 'eth_getLogs' && { logs: reason }) }
}

/** Marks the node that returned these logs, because the block has others. */
export function noteWrongLogs(pool: Pool, logs: readonly object[], block: number): void {
  const node = pool.nodes.find(({ name }) => name === pool.servedBy.get(logs))
  if (node) recordWrongAnswer(pool, node, `it returned other logs than block ${block} has`, 'eth_getLogs')
}

/** Ends the silence of a node after a right answer to the request that it answered wrongly. */
export function recordRightAnswer(pool: Pool, node: Node, answered: WrongAnswer): void {
  const { contact } = node
  if (contact.status !== 'silent' || contact.wrong !== answered) return
  node.contact = { status: 'answering', answeredAt: contact.answeredAt }
  node.pace = { ...node.pace, rest: 0 }
  logContact(pool, node)
}

export const messageFor = ({ requirements }: Pool, node: Node, kind: WarningKind) =>
  warningMessage(kind, node, requirements)
