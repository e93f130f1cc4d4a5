import { createHash } from 'node:crypto'
import type { Address, AlertKind, WatchRules } from '@lineage/referral-api'
import type { Involved, WatchedEvent, WatchedEvents } from '../lookups/findWatchedEvents.ts'
import type { AlertDetails, NewAlert } from './alertStore.ts'

/** A watch of an account. Only events of blocks after `since` raise alerts. */
export type StoredWatch = { account: Address; address: Address; rules: WatchRules; since: number }

/** An alert of a block that is not final. */
export type PendingAlert = NewAlert & { isRetracted: boolean }

/** A member who joined, to be counted in a digest. */
type CountedEvent = {
  account: Address
  address: Address
  event: string
  block: number
  /** Unix seconds. */
  starts: number
  ends: number
  isUndated: boolean
}

export type Derived = {
  alerts: NewAlert[]
  /** Alerts whose event is no longer on the chain, each with the alert that says so. */
  retracted: { id: string; by: NewAlert }[]
  counted: CountedEvent[]
  /** Keys of the events on the chain, by `toKey`. Digest counts of any other event in blocks up to `events.upTo` are removed. */
  eventsOnChain: string[]
}

export type DeriveParameters = {
  community: string
  events: WatchedEvents
  watches: readonly StoredWatch[]
  pending: readonly PendingAlert[]
}

/**
 * Returns the alerts that are missing for the state of the chain, and those to retract. Ids are derived from the
 * account, the watched address and the event, so every server and every run creates the same ids.
 */
export function deriveAlerts({ community, events, watches, pending }: DeriveParameters): Derived {
  const byAddress = Map.groupBy(watches, ({ address }) => address.toLowerCase())
  const known = Map.groupBy(pending, ({ base }) => base)
  const derived: Derived = { alerts: [], retracted: [], counted: [], eventsOnChain: listKeys(events.items) }
  const onChain = new Set(derived.eventsOnChain)
  const added = events.healed && new Set(events.healed.added)
  const isNew = ({ block, logIndex }: WatchedEvent) => added?.has(`${block}-${logIndex}`) ?? true
  for (const event of events.items.filter(isNew))
    for (const one of event.involved)
      for (const watch of byAddress.get(one.address) ?? []) if (event.block > watch.since) addAlerts(watch, event, one)
  for (const alert of pending) if (isGone(alert)) derived.retracted.push({ id: alert.id, by: toRetraction(alert) })
  return derived

  function addAlerts(watch: StoredWatch, event: WatchedEvent, one: Involved): void {
    const { account, address, rules } = watch
    const digest = toDigest(rules, event, one)
    if (digest)
      derived.counted.push({ account, address, event: toKey(event, event, address), block: event.block, ...digest })
    for (const { kind, details } of applyRules(rules, event, one)) {
      const { hash, block, logIndex, timestamp: time } = event
      const base = toId(account, community, address, kind, hash, logIndex, details.members ?? 0)
      const earlier = known.get(base) ?? []
      if (earlier.some((alert) => !alert.isRetracted && !isGone(alert))) continue
      // The chain has returned to a block that it had left, or a node has returned a false event before.
      const id = earlier.length === 0 ? base : toId(base, earlier.length)
      derived.alerts.push({ id, base, account, kind, community, address, block, hash, logIndex, time, details })
    }
  }

  /** Returns whether the event of an alert is gone. Blocks above those of the answer are unknown. */
  function isGone({ block, isRetracted, address, details, ...place }: PendingAlert): boolean {
    const isSeen = block !== null && block <= events.upTo
    return isSeen && !isRetracted && !onChain.has(toKey(place, details, address ?? ''))
  }
}

/** Hashes parts into an id. Different parts give different ids. */
export const toId = (...parts: (string | number)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)

type Contents = Pick<AlertDetails, 'member' | 'referrer' | 'status' | 'amount'>

/** Names an event as it involves an address, with its contents: a node may have returned others of the same log. */
function toKey(
  { hash, logIndex }: Pick<NewAlert, 'hash' | 'logIndex'>,
  { member, referrer, status, amount }: Contents,
  address: string,
): string {
  return [hash, logIndex, member, referrer, status, amount, address.toLowerCase()].join('-')
}

const listKeys = (events: readonly WatchedEvent[]): string[] =>
  events.flatMap((event) => event.involved.map(({ address }) => toKey(event, event, address)))

function toRetraction({ id, details, ...alert }: PendingAlert): NewAlert {
  const own = toId('retracted', id)
  return { ...alert, id: own, base: own, kind: 'retracted', details: { ...details, retracts: id } }
}

type Matched = { kind: AlertKind; details: AlertDetails }

/** Returns the kinds of alerts that the rules of a watch ask for, for one event. */
function applyRules(rules: WatchRules, event: WatchedEvent, { as, reached }: Involved): Matched[] {
  const { member } = event
  if (event.kind === 'volume') {
    const { amount } = event
    const isLarge = rules.volumeFrom !== null && BigInt(amount) >= BigInt(rules.volumeFrom)
    return isLarge ? [{ kind: 'volume', details: { member, amount } }] : []
  }
  const { referrer, status, from, to, isUndated } = event
  const details = { member, referrer, status, ...(isUndated && { isUndated }) }
  if (status !== 'bound') return rules.irregular ? [{ kind: 'irregular', details }] : []
  if (as === 'self') return rules.referrer && from !== to ? [{ kind: 'referrer', details: { ...details, from } }] : []
  const matched: Matched[] = []
  if (as === 'referrer' && rules.directs) matched.push({ kind: 'direct', details })
  else if (rules.team === 'each') matched.push({ kind: 'team', details })
  if (reached !== null && rules.milestones)
    matched.push({ kind: 'milestone', details: { ...details, members: reached } })
  return matched
}

const lengths = { hour: 3_600, day: 86_400 } as const

/** Returns the hour or day in which a member joined, or was found if it is not known when it joined. */
function toDigest(
  { team }: WatchRules,
  event: WatchedEvent,
  { as }: Involved,
): Pick<CountedEvent, 'starts' | 'ends' | 'isUndated'> | undefined {
  if (team === 'off' || team === 'each' || event.kind !== 'bind' || event.status !== 'bound' || as === 'self')
    return undefined
  const starts = event.timestamp - (event.timestamp % lengths[team])
  return { starts, ends: starts + lengths[team], isUndated: event.isUndated }
}
