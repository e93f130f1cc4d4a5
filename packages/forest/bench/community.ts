import { createRandom } from '../../../scripts/lib/createRandom.ts'
import type { ForestEvent } from '../src/index.ts'

const start = 1_640_000_000
const seconds = 94_000_000
/** Second of the newest of the events that are measured. */
export const now = start + seconds

/** Returns the address of a member by its number. */
export function addressOf(index: number): `0x${string}` {
  let text = ''
  for (let word = 0; word < 5; word++)
    text += (Math.imul(index + 1, 0x9e3779b1 + word * 0x85ebca6a) >>> 0).toString(16).padStart(8, '0')
  return `0x${text}`
}

/** Returns when a member joins, if `members` join by `now`. */
export const timeOf = (index: number, members: number): number =>
  start + Math.floor((seconds * Math.min(index, members)) / members)

/** Returns the referrer of a member: a community of forty levels, more than half below one root. */
export function referrerOf(index: number, random: () => number): `0x${string}` {
  if (index > 0 && index < 20) return addressOf(0)
  if (index === 0 || random() < 0.000_001) return `0x${'0'.repeat(40)}`
  return addressOf(Math.floor(index * (random() < 0.3 ? random() ** 2 : random()) ** (random() < 0.5 ? 1 : 0.3)))
}

/** Returns the amount of a member. */
export const amountOf = (random: () => number): bigint => BigInt(1 + Math.floor(random() ** 4 * 50)) * 10n ** 20n

/**
 * Creates the function that makes the events of a community with about forty levels, and more than half of all members below one root.
 * `members`: those who join by `now`.
 */
export function createEvents(members: number) {
  const { next: random } = createRandom(7)
  return function* eventsOf(from: number, to: number): Generator<ForestEvent> {
    for (let index = from; index < to; index++) {
      const member = addressOf(index)
      const place = { block: index, logIndex: 0, timestamp: timeOf(index, members), member }
      yield { kind: 'bind', ...place, referrer: referrerOf(index, random) }
      if (random() < 0.4) yield { kind: 'volume', ...place, amount: amountOf(random) }
    }
  }
}
