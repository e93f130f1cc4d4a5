import type { HeaderAccess, LogAccess } from './access.ts'
import { isFailing, isLimiting, type Pace } from './pace.ts'
import { finality } from './rpc.ts'

/** Kind of request that a node answered wrongly: a method, or the newest block. */
export type WrongAnswer = string

type Contact =
  | { status: 'answering'; answeredAt: number }
  /** With `wrong`, it lasts until the node answers a request of that kind well; otherwise until it answers. */
  | { status: 'silent'; answeredAt: number; reason: string; wrong?: WrongAnswer }

/** State of one node. The transitions, each in its own file, replace its parts. */
export type NodeState = {
  readonly name: string
  chain: ChainIdentity
  contact: Contact
  /** The last wrong answer. Wrong `logs` are reported for a while, even if the node answers well in between. */
  lastWrong?: { at: number; logs?: string }
  pace: Pace
  logs: LogAccess
  headers: HeaderAccess
  head: NodeHead
  /** `unknown`: the hash of its last block could not be checked. */
  blockHashes: 'known' | 'unknown'
}

/** Chain that a node serves. It is checked again after a while and each outage: the URL may lead to another node by then. */
export type ChainIdentity =
  | { status: 'unchecked' }
  | { status: 'right'; checkedAt: number }
  | { status: 'other'; chainId: number; checkedAt: number }

export const unchecked: ChainIdentity = { status: 'unchecked' }

/** Returns the identity of a node that answered with `chainId`. */
export function identify(chainId: number, expected: number, checkedAt: number): ChainIdentity {
  return chainId === expected ? { status: 'right', checkedAt } : { status: 'other', chainId, checkedAt }
}

/** Returns whether the chain was not checked since that time. */
export function isOutdated(identity: ChainIdentity, since: number): boolean {
  return identity.status === 'unchecked' || identity.checkedAt < since
}

/** Marks a correct chain as unchecked. A wrong chain stays known until the next check. */
export function afterOutage(identity: ChainIdentity): ChainIdentity {
  return identity.status === 'other' ? identity : unchecked
}

/** The newest blocks one node reported. */
export type NodeHead = {
  /** The highest number it reported. */
  number: number
  reportedAt: number
  /** Distance in blocks to the head of all nodes when the newest block was last requested. */
  lag: number
  /** Largest difference between its reports within a minute: several nodes may answer behind one URL. */
  spread: { blocks: number; at: number }
}

const spreadKeptFor = 60_000

export const noHead: NodeHead = {
  number: 0,
  reportedAt: Number.NEGATIVE_INFINITY,
  lag: 0,
  spread: { blocks: 0, at: 0 },
}

export function onHeadReported(head: NodeHead, reported: number, now: number): NodeHead {
  const number = Math.max(head.number, reported)
  const blocks = number - reported
  const known = head.spread.at < now - spreadKeptFor ? 0 : head.spread.blocks
  // The spread varies a little, so half of it is enough to confirm it.
  const isConfirmed = blocks > known / 2 || known === 0
  return {
    ...head,
    number,
    reportedAt: now,
    spread: isConfirmed ? { blocks: Math.max(blocks, known), at: now } : head.spread,
  }
}

/** Forgets earlier numbers, of which one was false: its distance would count as a spread for ever. */
export const restartHead = (head: NodeHead, reported: number): NodeHead => ({
  ...head,
  number: reported,
  spread: noHead.spread,
})

/** Returns the highest block that every node behind the URL has. */
export const commonNumber = ({ number, spread }: NodeHead) => number - spread.blocks

/** Requirements that a node must meet to be used. */
export type Requirements = {
  chainId: number
  /** First block to read. */
  startBlock: number
  /** Lowest head at which a node has all blocks that the index needs next. */
  lowestHead: number
}

/** A limitation of a node for people, who see its position and host: the rest of its URL may contain keys. */
export type NodeWarning = { kind: WarningKind; node: string; message: string }
export type WarningKind = keyof typeof messages

/** Lists the current limitations of a node. */
export function listWarnings(node: NodeState, requirements: Requirements, now: number): NodeWarning[] {
  return warningKinds(node, requirements, now).map((kind) => {
    return { kind, node: node.name, message: warningMessage(kind, node, requirements) }
  })
}

export function warningMessage(kind: WarningKind, node: NodeState, requirements: Requirements): string {
  return `${node.name} ${messages[kind](node, requirements)}`
}

/** Milliseconds without an answer after which a node counts as silent, although it failed only a share of requests before. */
const silentAfter = 10_000

/** Returns whether a node answers a share of all requests, and fails the others. */
export const failsInPart = ({ contact, pace }: Pick<NodeState, 'contact' | 'pace'>, now: number): boolean =>
  isFailing(pace, now) && now - contact.answeredAt < silentAfter && !(contact.status === 'silent' && contact.wrong)

const wrongLogsToldFor = 60_000

function warningKinds(node: NodeState, requirements: Requirements, now: number): WarningKind[] {
  const { chain, contact, lastWrong, logs, head, pace, blockHashes } = node
  if (chain.status === 'other') return ['node_other_chain']
  const isFailingInPart = failsInPart(node, now)
  if (contact.status === 'silent' && !isFailingInPart) return ['node_silent']
  const isBehind = lagOf(node, requirements) > finality || head.number < requirements.lowestHead
  const kinds = [
    lastWrong?.logs !== undefined && now - lastWrong.at < wrongLogsToldFor && 'node_silent',
    logs.availability.status === 'off' && 'node_without_logs',
    logs.firstBlock > 0 && 'node_without_history',
    isBehind && 'node_behind',
    isLimiting(pace, now) && 'node_limiting',
    isFailingInPart && 'node_failing',
    blockHashes === 'unknown' && 'node_unverified',
  ] as const
  return kinds.filter((kind) => typeof kind === 'string')
}

const lagOf = ({ head }: NodeState, { lowestHead }: Requirements) => Math.max(head.lag, lowestHead - head.number)

export const messages = {
  node_silent: ({ contact, lastWrong }) =>
    `does not answer: ${contact.status === 'silent' ? contact.reason : (lastWrong?.logs ?? 'no request yet')}.`,
  node_other_chain: ({ chain }, { chainId }) =>
    `is a node of chain ${chain.status === 'other' ? chain.chainId : 'unknown'}, not of BNB Smart Chain (${chainId}). It is not used.`,
  node_without_logs: () => 'does not serve eth_getLogs for ranges of blocks. Use another node.',
  node_without_history: () =>
    'does not keep the first block of the communities. Use an archive node to read from there.',
  node_limiting: ({ pace }) =>
    `refuses ${Math.round(pace.limitedShare * 100)} % of the requests as too many, so reading takes longer. Raise its limit, or add a node.`,
  node_failing: ({ pace: { failing } }) =>
    `fails ${Math.round(failing.share * 100)} % of the requests, so reading takes longer. The last failure: ${failing.reason.replace(/\.+$/, '')}. Add a node.`,
  node_unverified: () =>
    'returns blocks whose hashes cannot be checked, so their times and bloom filters are believed. Add another node, or update this program.',
  node_behind: (node, requirements) =>
    node.head.number < requirements.startBlock
      ? `is at block ${node.head.number}, but the first community starts at block ${requirements.startBlock}. Check startBlock, or wait.`
      : `is ${lagOf(node, requirements)} blocks behind the newest known block.`,
} satisfies Record<string, (node: NodeState, requirements: Requirements) => string>
