import {
  type CallSource,
  type Community,
  type EventSource,
  eventShape,
  fitsShape,
  type LogShape,
  selectorOf,
  sentinels,
  topicOf,
  type UnbindSource,
} from '@lineage/communities'
import { type EventKind, eventKinds, type Grade } from '@lineage/database'
import { amountKinds } from '@lineage/referral-api/amounts'
import type { AbiParameter, Hex } from 'viem'
import { decodeAbiParameters, size, slice, toHex } from 'viem/utils'
import type { HistoryLog, LogFilter } from './history/HistorySource.ts'

/** A row of the table `event`, without its source. */
export type EventRow = {
  block: number
  logIndex: number
  kind: number
  time: number
  blockHash: Hex
  /** `null` for a bind that was read from the contract without a log. */
  tx: Hex | null
  txIndex: number
  member: Hex
  other: Hex | null
  amount: bigint | null
  /** Address, topics and data of the log, if they do not follow from the other columns; for the export. */
  raw: Hex | null
  /** For a bind that was read from the contract: how well its block is known, and the first that it may be of. */
  asked: { grade: Grade; first: number } | null
}

/** An address named by a log or a call, which may be a member. */
export type Candidate = Pick<EventRow, 'block' | 'tx' | 'txIndex'> & { logIndex: number | null; member: Hex }

/** A transaction that calls a contract. */
export type DirectCall = { block: number; tx: Hex; txIndex: number; from: Hex; to: Hex; input: Hex }

/** Place of an argument in a log: a topic, or a word of the data. */
export type Place = { topic: number } | { word: number }

/** An event of one contract, and the words that its logs must have. */
type Match = { address: Hex; topic: Hex; shape: LogShape; words: { place: Place; word: Hex }[] }

/** An event of a community, and the arguments that its rows hold. */
type Entry = Match & {
  kind: EventKind
  member: Place
  other: Place | undefined
  amount: Place | undefined
  /** Whether rows hold every argument of the community's main event of this kind. */
  form: 'whole' | 'partial'
}

export type Decoder = ReturnType<typeof createDecoder>

/** Creates the decoder of a community's logs. */
export function createDecoder(community: Community) {
  const entries = listEntries(community)
  const naming = (community.asked?.candidates ?? []).map((source) => ({
    ...toMatch(source),
    inputs: source.event.inputs,
    members: source.members,
  }))
  const byEvent = Map.groupBy(entries, keyOf)
  const namingByEvent = Map.groupBy(naming, keyOf)
  const isRead = ({ blockNumber }: HistoryLog) => Number(blockNumber) >= community.startBlock
  return {
    /** Contracts and topics of the logs. */
    filter: toFilter([...entries, ...naming], community.startBlock),
    /** Decodes a log. Returns `undefined` if it has the topic of an event, but other arguments. */
    decode(log: HistoryLog, time: number): EventRow[] | undefined {
      const found = byEvent.get(keyOfLog(log)) ?? []
      if (found.length === 0 || !isRead(log)) return []
      const fitting = found.filter((entry) => fitsShape(shapeOf(log), entry.shape))
      if (fitting.length === 0) return undefined
      return fitting.filter((entry) => hasWords(log, entry)).map((entry) => toRow(log, entry, time))
    },
    /** Returns the addresses that a log names as possible members, without the zero and the dead address. */
    candidates(log: HistoryLog): Candidate[] {
      if (!isRead(log)) return []
      const members = (namingByEvent.get(keyOfLog(log)) ?? [])
        .filter((entry) => fitsShape(shapeOf(log), entry.shape) && hasWords(log, entry))
        .flatMap(({ inputs, members }) => members.flatMap((name) => readAddresses(log, inputs, name)))
      const position = {
        block: Number(log.blockNumber),
        logIndex: Number(log.logIndex),
        tx: log.transactionHash,
        txIndex: Number(log.transactionIndex),
      }
      return [...new Set(members)]
        .filter((member) => !sentinels.includes(member))
        .map((member) => ({ ...position, member }))
    },
    /** Returns the addresses that a call names as possible members. */
    callers: (call: DirectCall): Candidate[] =>
      (community.asked?.calls ?? [])
        .flatMap((source) => listCallers(source, call))
        .filter((member, index, all) => !sentinels.includes(member) && all.indexOf(member) === index)
        .map((member) => ({ block: call.block, tx: call.tx, txIndex: call.txIndex, logIndex: null, member })),
    /** Returns the log of a row, the reverse of `decode`. */
    encode: (row: EventRow): HistoryLog => toLog(row, entries),
  }
}

/** Returns the sender of a call and the addresses in its arguments, if it is one of those that name members. */
function listCallers({ address, item, members, fromBlock }: CallSource, call: DirectCall): Hex[] {
  if (call.to !== address.toLowerCase() || call.block < fromBlock) return []
  if (!item) return [call.from]
  try {
    if (!call.input.startsWith(selectorOf(item))) return []
    const args = item.inputs.length > 0 ? decodeAbiParameters(item.inputs, slice(call.input, 4)) : []
    return members
      .flatMap((name) => (name === 'sender' ? call.from : args[item.inputs.findIndex((input) => input.name === name)]))
      .map((member) => String(member).toLowerCase() as Hex)
  } catch {
    return []
  }
}

const keyOf = ({ address, topic }: { address: Hex; topic: Hex }) => `${address} ${topic}`
const keyOfLog = ({ address, topics }: HistoryLog) => `${address.toLowerCase()} ${topics[0]}`
const shapeOf = ({ topics, data }: HistoryLog): LogShape => ({ topics: topics.length, bytes: size(data) })
const hasWords = (log: HistoryLog, { words }: Match) => words.every(({ place, word }) => read(log, place) === word)

function toMatch({ address, event, where }: EventSource): Match {
  return {
    address: address.toLowerCase() as Hex,
    topic: topicOf(event),
    shape: eventShape(event),
    words: Object.entries(where).map(([name, word]) => ({ place: findPlace(event.inputs, name), word })),
  }
}

/** Returns the filter that finds the logs of events. Indexed arguments with a given value narrow it. */
function toFilter(matches: readonly Match[], fromBlock: number): LogFilter {
  const wanted = matches.map(({ address, topic, words }): LogFilter[number] => {
    const topics: (Hex | null)[] = []
    for (const { place, word } of words) if ('topic' in place) topics[place.topic - 1] = word
    return { address, topic, fromBlock, ...(topics.length > 0 && { topics: Array.from(topics, (one) => one ?? null) }) }
  })
  const keys = wanted.map((one) => JSON.stringify(one))
  return wanted.filter((_, index) => keys.indexOf(keys[index] as string) === index)
}

type AnySource = UnbindSource & { [name in 'referrer' | 'amount' | 'from']?: string | undefined }

function listEntries({ binds, unbinds, amounts }: Community): Entry[] {
  const toEntries = (kind: EventKind, sources: readonly AnySource[]) =>
    sources.map((source, index): Entry => {
      const { event, member, referrer, from, amount } = source
      const names = [member, referrer ?? from, amount]
      const places = names.map((name) => (name === undefined ? undefined : findPlace(event.inputs, name)))
      const isWhole = index === 0 && event.inputs.every(({ name }) => names.includes(name))
      return {
        ...toMatch(source),
        kind,
        member: places[0] as Place,
        other: places[1],
        amount: places[2],
        form: isWhole && sources !== unbinds ? 'whole' : 'partial',
      }
    })
  return [
    ...toEntries('bind', binds),
    ...toEntries('bind', unbinds),
    ...amountKinds.flatMap((kind) => toEntries(kind, amounts[kind])),
  ]
}

export function findPlace(inputs: readonly AbiParameter[], name: string): Place {
  let topic = 1
  let word = 0
  for (const input of inputs) {
    const isIndexed = 'indexed' in input && input.indexed === true
    if (input.name === name) return isIndexed ? { topic } : { word }
    if (isIndexed) topic++
    else word += countWords(input)
  }
  throw new Error(`The event has no argument ${name}.`)
}

/**
 * Returns the number of words that an argument takes in the head of the data: one for a dynamic type.
 *
 * @see https://docs.soliditylang.org/en/latest/abi-spec.html#formal-specification-of-the-encoding
 */
function countWords(input: AbiParameter): number {
  if (isDynamic(input)) return 1
  const [, type = '', length] = /^(.*)\[(\d+)\]$/.exec(input.type) ?? []
  if (length !== undefined) return Number(length) * countWords({ ...input, type })
  return 'components' in input ? input.components.reduce((sum, part) => sum + countWords(part), 0) : 1
}

function isDynamic(input: AbiParameter): boolean {
  if (/\[\]|^(string|bytes)(\[|$)/.test(input.type)) return true
  return 'components' in input && input.components.some(isDynamic)
}

function toRow(log: HistoryLog, entry: Entry, time: number): EventRow {
  const { member, other, amount, kind, form } = entry
  return {
    block: Number(log.blockNumber),
    logIndex: Number(log.logIndex),
    kind: eventKinds.indexOf(kind),
    time,
    blockHash: log.blockHash,
    tx: log.transactionHash,
    txIndex: Number(log.transactionIndex),
    member: toAddress(read(log, member)),
    other: other ? toAddress(read(log, other)) : null,
    amount: amount ? BigInt(read(log, amount)) : null,
    raw: form === 'whole' ? null : toRaw(log),
    asked: null,
  }
}

export const read = ({ topics, data }: HistoryLog, place: Place): Hex =>
  'topic' in place ? (topics[place.topic] as Hex) : slice(data, place.word * 32, place.word * 32 + 32)

/** Reads a list of addresses, which the word at its place points to. A list that is cut off counts as empty. */
function readList({ data }: HistoryLog, place: Place): Hex[] {
  const words = (data.length - 2) / 64
  const wordAt = (index: number) => slice(data, index * 32, index * 32 + 32)
  const toCount = (word: Hex) => Number(BigInt(word))
  const start = toCount(wordAt('word' in place ? place.word : 0)) / 32
  if (!Number.isInteger(start) || start >= words) return []
  const count = toCount(wordAt(start))
  if (start + 1 + count > words) return []
  return Array.from({ length: count }, (_, index) => toAddress(wordAt(start + 1 + index)))
}

/** Returns the addresses that an argument of an event names: one, or those of a list. */
export function readAddresses(log: HistoryLog, inputs: readonly AbiParameter[], name: string): Hex[] {
  const place = findPlace(inputs, name)
  const isList = inputs.some((input) => input.name === name && input.type === 'address[]')
  return isList ? readList(log, place) : [toAddress(read(log, place))]
}

const toAddress = (word: Hex): Hex => `0x${word.slice(26)}`
const toWord = (address: Hex): string => address.slice(2).padStart(64, '0')

/** Joins the address, the number of topics, the topics and the data of a log. */
function toRaw({ address, topics, data }: HistoryLog): Hex {
  const parts = [address.toLowerCase(), toHex(topics.length, { size: 1 }), ...topics, data]
  return `0x${parts.map((part) => part.slice(2)).join('')}`
}

function toLog(row: EventRow, entries: readonly Entry[]): HistoryLog {
  const rest = {
    blockNumber: toHex(row.block),
    blockHash: row.blockHash,
    transactionHash: row.tx as Hex,
    transactionIndex: toHex(row.txIndex),
    logIndex: toHex(row.logIndex),
  }
  if (row.raw) return { ...parseRaw(row.raw), ...rest }
  const entry = entries.find(({ kind }) => kind === eventKinds[row.kind]) as Entry
  const words = new Array<string>(entry.shape.bytes / 32)
  const topics: Hex[] = [entry.topic]
  const values = [toWord(row.member), row.other && toWord(row.other), row.amount?.toString(16).padStart(64, '0')]
  for (const [index, place] of [entry.member, entry.other, entry.amount].entries()) {
    if (!place) continue
    if ('topic' in place) topics[place.topic] = `0x${values[index]}`
    else words[place.word] = values[index] as string
  }
  return { address: entry.address, topics, data: `0x${words.join('')}`, ...rest }
}

function parseRaw(raw: Hex): Pick<HistoryLog, 'address' | 'topics' | 'data'> {
  const count = Number(slice(raw, 20, 21))
  const topicAt = (index: number) => slice(raw, 21 + index * 32, 53 + index * 32)
  return {
    address: slice(raw, 0, 20),
    topics: Array.from({ length: count }, (_, index) => topicAt(index)),
    data: `0x${raw.slice(2 + (21 + count * 32) * 2)}`,
  }
}
