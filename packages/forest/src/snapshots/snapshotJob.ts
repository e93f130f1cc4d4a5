import { compareAddresses, wordsPerAddress } from '../addresses/address.ts'
import { buildSnapshot, type Snapshot, type SnapshotInput } from '../data/snapshot.ts'

export type SnapshotJob =
  | { part: 'tree'; input: SnapshotInput }
  | { part: 'addresses'; words: Uint32Array; length: number }

export type SnapshotResult = { part: 'tree'; snapshot: Snapshot } | { part: 'addresses'; sorted: Uint32Array }

/** A part of a snapshot made by a worker: post `job` to it and pass its answer to `finish`. */
export interface SnapshotTask {
  job: SnapshotJob
  /** Installs the answer. Returns `false` without a change if it is out of date. */
  finish(result: SnapshotResult): boolean
}

/** Computes one part of a snapshot, in a worker or in place. */
export function runSnapshotJob(job: SnapshotJob): SnapshotResult {
  return job.part === 'tree'
    ? { part: 'tree', snapshot: buildSnapshot(job.input) }
    : { part: 'addresses', sorted: sortAddresses(job.words, job.length) }
}

const digitBits = 11
const digits = 1 << digitBits

/** Returns the indexes of the first `length` addresses in ascending order (radix sort by their first words). */
function sortAddresses(words: Uint32Array, length: number): Uint32Array {
  let from = new Uint32Array(length)
  let to = new Uint32Array(length)
  // The first words are sorted together with the indexes, so that they are read in order.
  let keys = new Uint32Array(length)
  let keysTo = new Uint32Array(length)
  for (let index = 0; index < length; index++) {
    from[index] = index
    keys[index] = words[index * wordsPerAddress] as number
  }
  for (let shift = 0; shift < 32; shift += digitBits) {
    const places = digitPlaces(keys, shift)
    for (let at = 0; at < length; at++) {
      const key = keys[at] as number
      const digit = (key >>> shift) & (digits - 1)
      const place = places[digit] as number
      to[place] = from[at] as number
      keysTo[place] = key
      places[digit] = place + 1
    }
    ;[from, to] = [to, from]
    ;[keys, keysTo] = [keysTo, keys]
  }
  for (let low = 0; low < length; ) {
    const first = keys[low]
    let high = low + 1
    while (high < length && keys[high] === first) high++
    if (high - low > 1) from.subarray(low, high).sort((left, right) => compareAddresses(words, left, right))
    low = high
  }
  return from
}

/** Returns the first place of each digit when the keys are sorted by it. */
function digitPlaces(keys: Uint32Array, shift: number): Uint32Array {
  const places = new Uint32Array(digits + 1)
  for (let at = 0; at < keys.length; at++) {
    const digit = ((keys[at] as number) >>> shift) & (digits - 1)
    places[digit + 1] = (places[digit + 1] as number) + 1
  }
  for (let digit = 0; digit < digits; digit++)
    places[digit + 1] = (places[digit + 1] as number) + (places[digit] as number)
  return places
}
