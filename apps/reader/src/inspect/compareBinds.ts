import { bindPresets, topicOf } from '@lineage/communities'
import { type AbiEvent, type Address, type Hex, parseAbiItem, zeroAddress } from 'viem'
import type { HistoryLog } from '../history/HistorySource.ts'
import type { Entry } from './Inspection.ts'
import { addressArguments, addressesIn, type FoundEvent, wordOf } from './matchEvents.ts'

/** Values that arguments of an event must have. */
type Condition = Record<string, number | string>

/** One reading of an event as a bind, and how many members confirm it. */
export type BindReading = {
  event: FoundEvent
  member: string
  referrer: string
  where: Condition
  /** Number of members in the event's logs whose referrer is known otherwise. */
  members: number
  /** Number of them for whom the first, and the last log names this referrer. */
  first: number
  last: number
  /** Members that the event binds, the further logs that name them, and those of these that name another referrer. */
  bound: Set<Address>
  repeats: number
  conflicts: number
}

/** Reads an event as a bind in every way: each two arguments, in both orders, and with each condition. */
export function readAsBinds(
  event: FoundEvent,
  parents: ReadonlyMap<Address, Address | null>,
  conditions: readonly Condition[] = [{}, ...levelsOf(event)],
): BindReading[] {
  const names = addressArguments(event).filter((name) => isSingle(event, name))
  return names.flatMap((member) =>
    names.flatMap((referrer) =>
      member === referrer ? [] : conditions.map((where) => readAsBind(event, { member, referrer, where }, parents)),
    ),
  )
}

const isSingle = ({ item }: FoundEvent, name: string) =>
  item.inputs.some((input) => input.name === name && input.type === 'address')

/** Lists the members and their referrers that the logs of an event name, without those that mean "no referrer". */
export const pairsOf = ({
  event,
  member,
  referrer,
  where,
}: Pick<BindReading, 'event' | 'member' | 'referrer' | 'where'>): [Address, Address][] =>
  event.logs.flatMap((log) => {
    const [who] = addressesIn(log, event, member)
    const [by] = addressesIn(log, event, referrer)
    const isPair = who && by && ![who, zeroAddress, event.address].includes(by) && meets(event, log, where)
    return isPair ? [[who, by]] : []
  })

function readAsBind(
  event: FoundEvent,
  reading: Pick<BindReading, 'member' | 'referrer' | 'where'>,
  parents: ReadonlyMap<Address, Address | null>,
): BindReading {
  const referrersOf = new Map<Address, Address[]>()
  for (const [member, referrer] of pairsOf({ event, ...reading }))
    referrersOf.set(member, [...(referrersOf.get(member) ?? []), referrer])
  const known = [...referrersOf].filter(([member]) => parents.has(member))
  const agree = (at: number) => known.filter(([member, referrers]) => referrers.at(at) === parents.get(member)).length
  const again = [...referrersOf.values()].flatMap(([first, ...others]) => others.map((one) => one !== first))
  const bound = new Set(referrersOf.keys())
  return {
    ...{ event, ...reading, members: known.length, first: agree(0), last: agree(-1) },
    ...{ bound, repeats: again.length, conflicts: again.filter(Boolean).length },
  }
}

/** Returns whether logs name the contract itself as the referrer, which means "no referrer". */
export const namesItself = ({ event, referrer }: BindReading) =>
  event.logs.some((log) => addressesIn(log, event, referrer)[0] === event.address)

function meets(event: FoundEvent, log: HistoryLog, where: Condition): boolean {
  return Object.entries(where).every(([name, value]) => BigInt(wordOf(log, event.item, name)) === BigInt(value))
}

/** Lists the conditions for one level of rewards: the values of numbers that take few and small values. */
function levelsOf(event: FoundEvent): Record<string, number>[] {
  return event.item.inputs.flatMap(({ name = '', type }) => {
    if (!/^uint\d+$/.test(type)) return []
    const values = new Set(event.logs.map((log) => BigInt(wordOf(log, event.item, name))))
    // A number that counts the logs has a value of its own in each.
    const isRepeated = values.size > 1 && values.size < event.logs.length
    const isLevel = isRepeated && values.size <= 30 && [...values].every((value) => value < 100n)
    return isLevel
      ? [...values].toSorted((left, right) => Number(left - right)).map((value) => ({ [name]: Number(value) }))
      : []
  })
}

export const agreement = ({ members, first, last }: BindReading) =>
  members === 0 ? 0 : Math.max(first, last) / members

/**
 * Returns the reading that binds most members, if all of them confirm it: an event that differs from the contract for a
 * single member is emitted for refused binds too, or is not emitted for all. An event that is not known as a bind must not
 * name two referrers of one member either.
 */
export function bestReading(readings: readonly BindReading[]): BindReading | undefined {
  const confirmed = readings.filter(
    (reading) =>
      reading.members > 0 &&
      agreement(reading) === 1 &&
      !isNoBind(reading.event) &&
      (reading.conflicts === 0 || reading.event.meanings.some(({ role }) => role === 'bind')),
  )
  const conditions = ({ where }: BindReading) => Object.keys(where).length
  return confirmed.toSorted(
    (left, right) =>
      right.bound.size - left.bound.size || left.conflicts - right.conflicts || conditions(left) - conditions(right),
  )[0]
}

/** Events with two addresses that are no binds: of tokens, roles and owners. */
const otherTopics = [
  '0xddf252ad', // Transfer
  '0x8c5be1e5', // Approval
  '0x17307eab', // ApprovalForAll
  '0x8be0079c', // OwnershipTransferred
  '0x2f878811', // RoleGranted
  '0xf6391f5c', // RoleRevoked
  '0xc3d58168', // TransferSingle
  '0x4a39dc06', // TransferBatch
  '0x3134e8a2', // DelegateChanged
  '0xd78ad95f', // Swap of a pair
]

/** Returns whether an event with two addresses is one of tokens, roles or owners. */
export const isNoBind = ({ item }: FoundEvent) => otherTopics.some((topic) => topicOf(item).startsWith(topic))

/** Returns the fields of a bind event: those of a preset if it has the same form. */
export function writeBind({
  event,
  member,
  referrer,
  where,
}: Pick<BindReading, 'event' | 'member' | 'referrer' | 'where'>): Entry {
  const found = event.meanings.find((meaning) => 'preset' in meaning && meaning.event === event.text)
  const preset = found && 'preset' in found ? found.preset : undefined
  const condition = Object.keys(where).length > 0 ? { where } : {}
  if (preset === undefined) return { event: event.text, member, referrer, ...condition }
  const { orders, where: own } = bindPresets[preset] as { orders: string; where?: object }
  if (own && JSON.stringify(own) !== JSON.stringify(where)) return { event: event.text, member, referrer, ...condition }
  const [one, two] = (parseAbiItem(event.text) as AbiEvent).inputs
  const order = one?.name === member && two?.name === referrer ? 'memberFirst' : 'referrerFirst'
  const isOrdered = [one?.name, two?.name].toSorted().join() === [member, referrer].toSorted().join()
  if (!isOrdered) return { event: event.text, member, referrer, ...condition }
  return { preset, ...(orders !== order && { order }), ...(own ? {} : condition) }
}

/** Events and the arguments of them that name members. */
export type Naming = { event: FoundEvent; members: string[]; named: Set<Address> }

/** Chooses events that together name as many of the bound members as all events do: the fewest, own ones first. */
export function chooseCandidates(events: readonly FoundEvent[], bound: readonly Address[]): Naming[] {
  const wanted = new Set(bound)
  const namings = events.map((event): Naming => {
    const names = addressArguments(event).map((name) => ({ name, named: namedBy(event, name, wanted) }))
    const useful = names.filter(({ named }) => named.size > 0)
    return { event, members: useful.map(({ name }) => name), named: new Set(useful.flatMap(({ named }) => [...named])) }
  })
  const chosen: Naming[] = []
  const open = new Set(wanted)
  for (;;) {
    const gain = ({ named }: Naming) => [...named].filter((one) => open.has(one)).length
    const best = namings.toSorted((left, right) => gain(right) - gain(left))[0]
    if (!best || gain(best) === 0) return chosen
    chosen.push(best)
    for (const one of best.named) open.delete(one)
  }
}

function namedBy(event: FoundEvent, name: string, wanted: ReadonlySet<Address>): Set<Address> {
  return new Set(event.logs.flatMap((log) => addressesIn(log, event, name)).filter((one) => wanted.has(one)))
}

/** An argument that tells several communities of one contract apart, and its value in the one with most logs. */
type Division = { name: string; value: string | number; values: number; logs: number }

/** Number of members with a second referrer that may be a chance. */
export const fewChanges = 2

/**
 * Finds the argument by which an event that names several referrers of a member belongs to several communities: in each of
 * them, a member has one referrer.
 */
export function findDivision({ event, member, referrer, bound, conflicts }: BindReading): Division | undefined {
  if (conflicts <= fewChanges) return undefined
  for (const { name = '', type } of event.item.inputs) {
    if ([member, referrer].includes(name) || !/^(address|u?int\d+|bytes32)$/.test(type)) continue
    const counts = countValues(event, name)
    // A time or an amount has a value of its own in each log.
    if (counts.size < 2 || counts.size * 2 > bound.size || !isDivided({ event, member, referrer }, name)) continue
    const [word, logs] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most))
    return { name, value: toValue(word, type), values: counts.size, logs }
  }
  return undefined
}

function countValues(event: FoundEvent, name: string): Map<Hex, number> {
  const counts = new Map<Hex, number>()
  for (const log of event.logs) {
    const word = wordOf(log, event.item, name)
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return counts
}

/** Returns whether no member has two referrers with the same value of an argument. */
function isDivided({ event, member, referrer }: Pick<BindReading, 'event' | 'member' | 'referrer'>, name: string) {
  const referrers = new Map<string, string | undefined>()
  return event.logs.every((log) => {
    const key = `${addressesIn(log, event, member)[0]} ${wordOf(log, event.item, name)}`
    const [found] = addressesIn(log, event, referrer)
    const before = referrers.get(key) ?? found
    referrers.set(key, before)
    return before === found
  })
}

function toValue(word: Hex, type: string): string | number {
  if (type === 'address') return `0x${word.slice(26)}`
  return BigInt(word) <= Number.MAX_SAFE_INTEGER ? Number(word) : word
}
