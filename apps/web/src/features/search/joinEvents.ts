import type { MemberEvents } from '@lineage/referral-api'

export type MemberEvent = MemberEvents['items'][number]
type Page = Pick<MemberEvents, 'items' | 'nextCursor'>

/** Order of the events of one log, which may be a bind, a reward and a volume; the highest comes first. */
const ranks = { bind: 0, referral: 0, reward: 1, volume: 2 } as const satisfies Record<MemberEvent['kind'], number>

/** Returns a key that is unique among the events of a member. */
export const keyOf = ({ kind, block, logIndex }: MemberEvent): string => `${block} ${logIndex} ${ranks[kind]}`

const isOlder = (event: MemberEvent, than: MemberEvent): boolean =>
  (event.block - than.block || event.logIndex - than.logIndex || ranks[event.kind] - ranks[than.kind]) < 0

/**
 * Joins the newest events with pages that were loaded earlier, newest first. `gap` means that events between them are
 * missing and the pages must be reloaded; until then only the newest events are returned.
 */
export function joinEvents(
  newest: Page,
  pages: readonly Page[],
): { items: readonly MemberEvent[]; state: 'whole' | 'gap' } {
  const last = newest.items.at(-1)
  const loaded = pages.flatMap(({ items }) => items)
  const first = loaded[0]
  if (newest.nextCursor === null || !last || pages.length === 0) return { items: newest.items, state: 'whole' }
  if (!first || isOlder(first, last)) return { items: newest.items, state: 'gap' }
  return { items: [...newest.items, ...loaded.filter((event) => isOlder(event, last))], state: 'whole' }
}

/** Groups events by UTC day, in their order. */
export function groupByDay(events: readonly MemberEvent[]): { day: number; events: MemberEvent[] }[] {
  const groups: { day: number; events: MemberEvent[] }[] = []
  for (const event of events) {
    const day = Math.floor(event.timestamp / 86_400) * 86_400
    const group = groups.at(-1)
    if (group?.day === day) group.events.push(event)
    else groups.push({ day, events: [event] })
  }
  return groups
}
