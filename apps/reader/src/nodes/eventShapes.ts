import { eventShape, fitsShape, type LogShape, topicOf } from '@lineage/communities'
import type { AbiEvent, Address, Hex } from 'viem'
import { size } from 'viem/utils'

/** An event of one contract. */
export type ContractEvent = { address: Address; event: AbiEvent }

/** Event that is read, and the shapes of its logs: several if it is configured with different indexed arguments. */
type Entry = { name: string; shapes: LogShape[]; isProven: boolean; askedAgain: Map<string, number> }

/**
 * Events that are read, by contract and first topic. `isProven`: a log had the configured shape. `askedAgain`: when
 * a log with another shape, which the only node is asked for again, was first seen.
 */
export type EventShapes = ReadonlyMap<string, Entry>

/** The fields of a log that are compared. */
export type ShapedLog = {
  address: string
  topics: readonly Hex[]
  data: Hex
  blockNumber: string
  blockHash: string
  logIndex: string
}

/** A log with another shape than its event. */
export type Misfit = { log: ShapedLog; shape: LogShape; entry: Entry; description: string }

/**
 * Lists events by contract and first topic, with the shapes of their logs.
 *
 * @param proven Events with logs in the index, which were decoded.
 */
export function createEventShapes(
  events: readonly ContractEvent[],
  proven: readonly ContractEvent[] = [],
): EventShapes {
  const entries = new Map<string, Entry>()
  const provenKeys = new Set(proven.map(keyOfEvent))
  for (const contractEvent of events) {
    const key = keyOfEvent(contractEvent)
    const shapes = [...(entries.get(key)?.shapes ?? []), eventShape(contractEvent.event)]
    entries.set(key, { name: contractEvent.event.name, shapes, isProven: provenKeys.has(key), askedAgain: new Map() })
  }
  return entries
}

/** Returns the first log with another shape than its event. Marks the events of the other logs as proven. */
export function findMisfit(events: EventShapes, logs: readonly ShapedLog[]): Misfit | undefined {
  for (const log of logs) {
    const entry = events.get(keyOf(log.address, log.topics[0] ?? ''))
    if (!entry) continue
    const shape = { topics: log.topics.length, bytes: size(log.data) }
    if (!entry.shapes.some((expected) => fitsShape(shape, expected)))
      return { log, shape, entry, description: describe(entry, shape) }
    entry.isProven = true
  }
  return undefined
}

/** Accepts the shape of a log for its event from now on. */
export function acceptShape({ entry, shape }: Misfit): void {
  entry.shapes.push(shape)
  entry.askedAgain.clear()
}

const keyOf = (address: string, topic: string) => `${address.toLowerCase()} ${topic}`
const keyOfEvent = ({ address, event }: ContractEvent) => keyOf(address, topicOf(event))

function describe({ name, shapes: [expected] }: Entry, { topics, bytes }: LogShape): string {
  const difference =
    topics === expected?.topics
      ? `${bytes} bytes of data instead of at least ${expected.bytes}`
      : `${topics} of ${expected?.topics} topics`
  return `it returned a ${name} event with ${difference}`
}
