import { bindPresets, type KnownEvent, knownEvents, rewardPresets, topicOf } from '@lineage/communities'
import { type AbiEvent, type Address, type Hex, parseAbiItem, size } from 'viem'
import { findPlace, read, readAddresses } from '../decode.ts'
import type { HistoryLog } from '../history/HistorySource.ts'

/** Meaning of an event's arguments, as far as its signature tells. */
export type Meaning = KnownEvent | { role: 'bind'; preset: keyof typeof bindPresets; event: string }

/** An event that a contract has emitted, with its logs. */
export type FoundEvent = {
  address: Address
  /** ABI text; its topic stands for a name that is not known. */
  text: string
  item: AbiEvent
  meanings: Meaning[]
  logs: HistoryLog[]
}

/** All events with known arguments, those with a meaning first. */
const known: readonly Meaning[] = [
  ...Object.entries(bindPresets).map(([preset, { event }]) => ({
    role: 'bind' as const,
    ...{ preset: preset as keyof typeof bindPresets, event },
  })),
  ...Object.values(rewardPresets).map((preset) => ({ role: 'reward' as const, ...preset })),
  ...knownEvents,
]
const byTopic = Map.groupBy(known, ({ event }) => topicOf(parseAbiItem(event) as AbiEvent))

/** Lists the events with known signatures whose topics are in the code of a contract. */
export const eventsInCode = (words: ReadonlySet<Hex>): Meaning[] =>
  [...byTopic].flatMap(([topic, meanings]) => (words.has(topic) ? meanings : []))

/** Returns whether a log has no topic that stands for the name of its event: a hash is not as small as an address. */
export const isAnonymous = ({ topics: [first] }: HistoryLog) => first === undefined || BigInt(first) < 2n ** 160n

/** Groups logs by contract and form, and finds the arguments of each event. `given`: texts of further events. */
export function matchEvents(logs: readonly HistoryLog[], given: readonly AbiEvent[]): FoundEvent[] {
  const groups = Map.groupBy(
    logs.filter((log) => !isAnonymous(log)),
    ({ address, topics, data }) => `${address.toLowerCase()} ${topics[0]} ${topics.length} ${size(data) % 32}`,
  )
  return [...groups.values()].map(matchGroup(given)).toSorted((left, right) => right.logs.length - left.logs.length)
}

const matchGroup =
  (given: readonly AbiEvent[]) =>
  (logs: HistoryLog[]): FoundEvent => {
    const [{ address, topics }] = logs as [HistoryLog]
    const topic = topics[0] as Hex
    const meanings = byTopic.get(topic) ?? []
    const items = [
      ...given.filter((one) => topicOf(one) === topic),
      ...meanings.map(({ event }) => parseAbiItem(event) as AbiEvent),
    ]
    const fitting = items.flatMap((item) => withIndexes(item, topics.length - 1)).filter((item) => fits(item, logs))
    const declared = fitting.find((item) => items.includes(item))
    const item = declared ?? fitting[0] ?? inferEvent(topic, logs)
    return {
      address: address.toLowerCase() as Address,
      ...{ item, text: formatEvent(item), logs },
      meanings: fitting.length > 0 ? meanings : [],
    }
  }

/** Lists the forms of an event with this number of indexed arguments, its own form if it has as many. */
function withIndexes(item: AbiEvent, count: number): AbiEvent[] {
  const { inputs } = item
  if (inputs.filter(({ indexed }) => indexed).length === count) return [item]
  return choose(inputs.length, count).map((places) => ({
    ...item,
    inputs: inputs.map((input, at) => ({ ...input, indexed: places.includes(at) })),
  }))
}

const choose = (length: number, count: number, from = 0): number[][] =>
  count === 0
    ? [[]]
    : Array.from({ length: Math.max(length - from, 0) }, (_, index) => from + index).flatMap((first) =>
        choose(length, count - 1, first + 1).map((rest) => [first, ...rest]),
      )

/** Number of logs that decide the form of an event. */
const enoughLogs = 200

/** Returns whether the words of all logs have the types of the arguments. */
function fits(item: AbiEvent, logs: readonly HistoryLog[]): boolean {
  const words = item.inputs.filter(({ indexed }) => !indexed).length
  return logs
    .slice(0, enoughLogs)
    .every(
      (log) =>
        size(log.data) >= words * 32 && item.inputs.every(({ name, type }) => hasType(wordOf(log, item, name), type)),
    )
}

export const wordOf = (log: HistoryLog, { inputs }: Pick<AbiEvent, 'inputs'>, name = ''): Hex =>
  read(log, findPlace(inputs, name))

function hasType(word: Hex, type: string): boolean {
  const value = BigInt(word)
  if (type === 'address') return value < 2n ** 160n
  if (type === 'bool') return value < 2n
  const [, bits] = /^uint(\d+)$/.exec(type) ?? []
  return bits === undefined || value < 2n ** BigInt(bits)
}

/** Smallest value that is taken for an address: amounts of tokens are smaller, one address in 65,536 is too. */
const smallestAddress = 2n ** 144n

/** Returns whether words look like addresses: none is too large, most of those that are not zero are as large as addresses. */
export function lookLikeAddresses(words: readonly (Hex | undefined)[]): boolean {
  const values = words.flatMap((word) => (word === undefined || word === '0x' ? [] : BigInt(word)))
  const given = values.filter((value) => value > 0n)
  return (
    given.length > 0 &&
    values.every((value) => value < 2n ** 160n) &&
    given.filter((value) => value >= smallestAddress).length * 2 > given.length
  )
}

/** Returns the form of an event whose signature is not known, as its words suggest it. */
function inferEvent(topic: Hex, logs: readonly HistoryLog[]): AbiEvent {
  const some = logs.slice(0, enoughLogs)
  const topics = Math.min(...some.map((log) => log.topics.length)) - 1
  const words = Math.min(...some.map(({ data }) => Math.floor(size(data) / 32)))
  const blank = Array.from({ length: topics + words }, (_, at) => ({
    ...{ type: 'uint256', name: `value${at + 1}`, indexed: at < topics },
  }))
  const wordsOf = (name: string) => some.map((log) => wordOf(log, { inputs: blank }, name))
  const inputs = blank.map((input) => ({ ...input, type: typeOf(wordsOf(input.name), some) }))
  // The contents of a list follow the words of all arguments.
  const lists = inputs.filter(({ type }) => type === 'address[]').flatMap(({ name }) => wordsOf(name).map(Number))
  return {
    type: 'event',
    name: topic,
    inputs: inputs.slice(0, topics + Math.min(words, ...lists.map((at) => at / 32))),
  }
}

function typeOf(words: readonly Hex[], logs: readonly HistoryLog[]): string {
  if (lookLikeAddresses(words)) return 'address'
  const isList = words.every((word, at) => {
    const start = Number(word)
    const data = (logs[at] as HistoryLog).data
    return start >= 32 && start % 32 === 0 && start < size(data) && lookLikeAddresses(listAt(data, start / 32))
  })
  return isList ? 'address[]' : 'uint256'
}

function listAt(data: Hex, start: number): Hex[] {
  const wordAt = (at: number): Hex => `0x${data.slice(2 + at * 64, 66 + at * 64)}`
  const count = Number(wordAt(start))
  return count > 0 && (start + 1 + count) * 32 <= size(data)
    ? Array.from({ length: count }, (_, at) => wordAt(start + 1 + at))
    : []
}

const formatEvent = ({ name, inputs }: AbiEvent) =>
  `event ${name}(${inputs.map((input) => `${input.type}${input.indexed ? ' indexed' : ''} ${input.name}`).join(', ')})`

/** Lists the arguments of an event that are addresses, or lists of them. */
export const addressArguments = ({ item }: Pick<FoundEvent, 'item'>): string[] =>
  item.inputs.flatMap(({ name, type, indexed }) =>
    type === 'address' || (type === 'address[]' && !indexed) ? (name ?? []) : [],
  )

/** Returns the addresses that an argument of a log names. */
export const addressesIn = (log: HistoryLog, { item }: Pick<FoundEvent, 'item'>, name: string): Address[] =>
  readAddresses(log, item.inputs, name)
