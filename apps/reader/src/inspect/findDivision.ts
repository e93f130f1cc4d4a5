import type { Hex } from 'viem'
import type { BindReading } from './compareBinds.ts'
import { addressesIn, type FoundEvent, wordOf } from './matchEvents.ts'

/** An argument that tells several communities of one contract apart, and its value in the one with most logs. */
type Division = { name: string; value: string | number; values: number; logs: number }

/** Number of members with a second referrer that may be a chance. */
const fewChanges = 2

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
