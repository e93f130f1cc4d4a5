import { type Community, eventShape, fitsShape, type LogShape, listSources } from '@lineage/communities'
import { type EventKind, eventKinds } from '@lineage/database'
import { type AbiParameter, type Hex, size, slice, toEventSelector, toHex } from 'viem'
import type { HistoryLog, LogFilter } from './history/HistorySource.ts'

/** A row of the table `event`, without its source. */
export type EventRow = {
  block: number
  logIndex: number
  kind: number
  time: number
  blockHash: Hex
  tx: Hex
  txIndex: number
  member: Hex
  other: Hex | null
  amount: bigint | null
  /** Address, topics and data of the log, if they do not follow from the other columns; for the export. */
  raw: Hex | null
}

/** Place of an argument in a log: a topic, or a word of the data. */
type Place = { topic: number } | { word: number }

/** An event of a community, and the arguments that its rows hold. */
type Entry = {
  kind: EventKind
  address: Hex
  topic: Hex
  shape: LogShape
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
  const byEvent = Map.groupBy(entries, keyOf)
  const filter: LogFilter = [...byEvent.values()].map(([first]) => {
    const { address, topic } = first as Entry
    return { address, topic, fromBlock: community.startBlock }
  })
  return {
    /** Contracts and first topics of the logs. */
    filter,
    /** Decodes a log. Returns `undefined` if it has the topic of an event, but other arguments. */
    decode(log: HistoryLog, time: number): EventRow[] | undefined {
      const found = byEvent.get(keyOf({ address: log.address.toLowerCase() as Hex, topic: log.topics[0] as Hex })) ?? []
      if (found.length === 0 || Number(log.blockNumber) < community.startBlock) return []
      const shape = { topics: log.topics.length, bytes: size(log.data) }
      const fitting = found.filter((entry) => fitsShape(shape, entry.shape))
      return fitting.length === 0 ? undefined : fitting.map((entry) => toRow(log, entry, time))
    },
    /** Returns the log of a row, the reverse of `decode`. */
    encode: (row: EventRow): HistoryLog => toLog(row, entries),
  }
}

const keyOf = ({ address, topic }: { address: Hex; topic: Hex }) => `${address} ${topic}`

type AnySource = ReturnType<typeof listSources>['unbinds'][number] & {
  [name in 'referrer' | 'amount' | 'from']?: string | undefined
}

function listEntries(community: Community): Entry[] {
  const { binds, unbinds, rewards, volumes } = listSources(community)
  const toEntries = (kind: EventKind, sources: readonly AnySource[]) =>
    sources.map(({ address, event, member, referrer, from, amount }, index): Entry => {
      const names = [member, referrer ?? from, amount]
      const places = names.map((name) => (name === undefined ? undefined : findPlace(event.inputs, name)))
      const isWhole = index === 0 && event.inputs.every(({ name }) => names.includes(name))
      return {
        kind,
        address: address.toLowerCase() as Hex,
        topic: toEventSelector(event),
        shape: eventShape(event),
        member: places[0] as Place,
        other: places[1],
        amount: places[2],
        form: isWhole && sources !== unbinds ? 'whole' : 'partial',
      }
    })
  return [
    ...toEntries('bind', binds),
    ...toEntries('bind', unbinds),
    ...toEntries('reward', rewards),
    ...toEntries('volume', volumes),
  ]
}

function findPlace(inputs: readonly AbiParameter[], name: string): Place {
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
  }
}

const read = ({ topics, data }: HistoryLog, place: Place): Hex =>
  'topic' in place ? (topics[place.topic] as Hex) : slice(data, place.word * 32, place.word * 32 + 32)

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
    transactionHash: row.tx,
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
