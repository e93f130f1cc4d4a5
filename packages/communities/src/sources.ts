import { createHash } from 'node:crypto'
import { amountKinds } from '@lineage/referral-api/amounts'
import type { AbiEvent, AbiFunction, AbiParameter, Hex } from 'viem'
import { toEventSelector, toFunctionSelector } from 'viem/utils'
import type { Community, EventSource, Parent, ParentView } from './Community.ts'

/** Lists the events of a community by the field that names further ones, the main one first. */
export function listSources({ binds, unbinds, amounts, asked }: Community): Record<string, AnySource[]> {
  const ofAmounts = Object.fromEntries(amountKinds.map((kind) => [`${kind}s`, amounts[kind]]))
  return { binds, unbinds, ...ofAmounts, candidates: asked?.candidates ?? [] }
}

/** Fields of the first version, in its order. */
const firstFields = ['binds', 'unbinds', 'volumes', 'rewards']

/**
 * Returns the identity of the rows that a community's configuration leads to: the SHA-256 of its id, contracts, events,
 * names of stored arguments and first block. Names, tokens and the rules for binds do not change it.
 */
export function sourceIdentity(community: Community): string {
  const { id, startBlock, asked } = community
  const lists = listSources(community)
  // A later field without events adds nothing, so that rows of before its introduction are still found.
  const later = Object.keys(lists).filter((field) => !firstFields.includes(field) && lists[field]?.length)
  const sources = [...firstFields, ...later].map((field) => [field, lists[field]?.map(describeSource)])
  const answers = asked ? [viewIdentity(community), asked.changes] : []
  // A file only adds members to ask about, for which no block has to be read again.
  const calls = (asked?.calls ?? []).map(({ address, item, members, fromBlock }) => [
    ...[address.toLowerCase(), item ? selectorOf(item) : 'all', fromBlock],
    members.map((name) => item?.inputs.findIndex((input) => input.name === name) ?? -1),
  ])
  return createHash('sha256')
    .update(JSON.stringify([id, startBlock, sources, ...answers, ...(calls.length > 0 ? [calls] : [])]))
    .digest('hex')
}

/**
 * Returns the identity of the answers that a contract gives about a community's members: the SHA-256 of its id, its first
 * block and the ways to ask. It stays when other events name the members, and when names in the text of a view change.
 */
export function viewIdentity({ id, parents, startBlock }: Community): string {
  return createHash('sha256')
    .update(JSON.stringify([id, startBlock, parents.map(describeParent)]))
    .digest('hex')
}

const describeParent = (parent: Parent) =>
  parent.kind === 'slot'
    ? [parent.address.toLowerCase(), String(parent.slot), String(parent.offset)]
    : [parent.address.toLowerCase(), ...describeView(parent)]

const describeView = ({ item, input, args, path, next }: ParentView): unknown[] => [
  ...[selectorOf(item), input, args, item.outputs.map(typeOf), path],
  ...(next ? [describeView(next)] : []),
]

const typeOf = (parameter: AbiParameter): unknown =>
  'components' in parameter ? [parameter.type, parameter.components.map(typeOf)] : parameter.type

type AnySource = EventSource & {
  [name in 'member' | 'referrer' | 'amount' | 'from']?: string | undefined
} & { members?: string[] }

function describeSource({ address, event, member, referrer, amount, from, members, where }: AnySource) {
  const inputs = event.inputs.map(({ name, type, indexed }) => [name, type, indexed ? 'indexed' : 'data'])
  const names = [member, referrer, amount, from].map((name) => name ?? null)
  const conditions = Object.entries(where)
  const more = [...(members ? [members] : []), ...(conditions.length > 0 ? [conditions] : [])]
  return [address.toLowerCase(), topicOf(event), inputs, names, ...more]
}

/** Returns the first topic of an event's logs, which stands for its name if that is not known. */
export const topicOf = (event: AbiEvent): Hex =>
  event.name.startsWith('0x') ? (event.name as Hex) : toEventSelector(event)

/** Returns the selector of a view, which stands for its name if that is not known. */
export const selectorOf = (view: AbiFunction): Hex =>
  view.name.startsWith('0x') ? (view.name as Hex) : toFunctionSelector(view)

/** Number of topics of a log, and of data bytes; of an event, the smallest number of them. */
export type LogShape = { topics: number; bytes: number }

/**
 * Returns the shape of an event's logs.
 *
 * @see https://docs.soliditylang.org/en/latest/abi-spec.html#events
 */
export function eventShape({ inputs }: AbiEvent): LogShape {
  const indexed = inputs.filter((input) => input.indexed).length
  return { topics: indexed + 1, bytes: (inputs.length - indexed) * 32 }
}

/** Returns whether a log has the shape of an event: otherwise its arguments cannot be decoded. */
export const fitsShape = (log: LogShape, event: LogShape) => log.topics === event.topics && log.bytes >= event.bytes
