import { createRandom } from '../../../scripts/lib/createRandom.ts'
import type { ForestEvent } from '../src/index.ts'

const start = 1_640_000_000
const seconds = 94_000_000
/** Second of the newest of the events that are measured. */
export const now = start + seconds

/** Returns the address of a member by its number. */
export function addressOf(index: number): string {
  let text = '0x'
  for (let word = 0; word < 5; word++)
    text += (Math.imul(index + 1, 0x9e3779b1 + word * 0x85ebca6a) >>> 0).toString(16).padStart(8, '0')
  return text
}

/** Makes the events of a community of forty levels, more than half below one root. `members`: those who join by `now`. */
export function createEvents(members: number) {
  const { next: random } = createRandom(7)
  function referrerOf(index: number): number {
    if (index < 20) return 0
    if (random() < 0.000_001) return index
    return Math.floor(index * (random() < 0.3 ? random() ** 2 : random()) ** (random() < 0.5 ? 1 : 0.3))
  }
  return function* eventsOf(from: number, to: number): Generator<ForestEvent> {
    for (let index = from; index < to; index++) {
      const place = {
        block: index,
        logIndex: 0,
        timestamp: start + Math.floor((seconds * Math.min(index, members)) / members),
      }
      const referrer = referrerOf(index)
      yield {
        kind: 'bind',
        ...place,
        member: addressOf(index),
        referrer: referrer === index ? `0x${'0'.repeat(40)}` : addressOf(referrer),
      }
      if (random() < 0.4)
        yield {
          kind: 'volume',
          ...place,
          member: addressOf(index),
          amount: BigInt(1 + Math.floor(random() ** 4 * 50)) * 10n ** 20n,
        }
    }
  }
}
