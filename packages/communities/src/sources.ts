import { createHash } from 'node:crypto'
import { type AbiEvent, toEventSelector } from 'viem'
import type { AmountSource, BindSource, Community, RewardSource, UnbindSource } from './Community.ts'

/** All events of a community, by kind. */
export type Sources = { binds: BindSource[]; unbinds: UnbindSource[]; volumes: AmountSource[]; rewards: RewardSource[] }

/** Lists the events of a community by kind, the main one first. */
export function listSources({ more, unbind, volumes, rewards, ...community }: Community): Sources {
  const { address, event, member, referrer } = community
  return {
    binds: [{ address, event, member, referrer }, ...more.binds],
    unbinds: [...(unbind ? [unbind] : []), ...more.unbinds],
    volumes: [...(volumes ? [volumes] : []), ...more.volumes],
    rewards: [...(rewards ? [rewards] : []), ...more.rewards],
  }
}

/**
 * Returns the identity of the rows that a community's configuration leads to: the SHA-256 of its id, contracts, events,
 * names of stored arguments and first block. Names, tokens and the rules for binds do not change it.
 */
export function sourceIdentity(community: Community): string {
  const { id, startBlock } = community
  const sources = Object.entries(listSources(community)).map(([kind, list]) => [kind, list.map(describeSource)])
  return createHash('sha256')
    .update(JSON.stringify([id, startBlock, sources]))
    .digest('hex')
}

type AnySource = UnbindSource & { [name in 'referrer' | 'amount' | 'from']?: string | undefined }

function describeSource({ address, event, member, referrer, amount, from }: AnySource) {
  const inputs = event.inputs.map(({ name, type, indexed }) => [name, type, indexed ? 'indexed' : 'data'])
  const names = [member, referrer, amount, from].map((name) => name ?? null)
  return [address.toLowerCase(), toEventSelector(event), inputs, names]
}

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
