import { type AbiEvent, type Address, type Hex, toEventSelector } from 'viem'
import { eventShape, fitsShape, type LogShape } from '../../../config/eventShape.ts'
import type { Community } from '../../../config/index.ts'
import { listSources } from '../../../config/listSources.ts'
import type { IndexView } from '../reader/indexState.ts'

/** Reason why the tables lack the events of a community. */
export type EventsFault = { kind: 'events_unreadable' | 'events_absent'; message: string }

export type EventsFaultQueries = {
  /** Counts the topics and data bytes of any one log of an event; `undefined` if there is none. */
  readLogShape: (address: Address, topic0: Hex) => Promise<LogShape | undefined>
  /** Returns whether there is a contract at an address. */
  hasCode: (address: Address) => Promise<boolean>
}

type Source = { address: Address; event: AbiEvent }

/**
 * Finds out why a community has no binds, volume or rewards: it may have none, or its events could not be decoded.
 *
 * @param which Amounts are checked only with `all`, because adding them up takes time.
 */
export async function findEventsFault(
  community: Community,
  view: IndexView,
  { which, queries }: { which: 'binds' | 'all'; queries: EventsFaultQueries },
): Promise<EventsFault | undefined> {
  const { id, startBlock } = community
  const { binds, volumes, rewards } = listSources(community)
  const { asOf } = view
  if (startBlock > asOf.block)
    return toAbsent(id, `startBlock ${startBlock} is above the newest block, ${asOf.block}. Check it.`)
  const forest = view.forests.get(id)
  if (!forest) return undefined
  if (forest.size === 0) return findBindsFault(community, queries)
  const [, ...moreBinds] = binds
  if (which === 'binds' || moreBinds.length + volumes.length + rewards.length === 0) return undefined
  const sums = forest.metrics({ now: asOf.timestamp })
  const empty = [...(sums.volume === 0n ? volumes : []), ...(sums.rewards === 0n ? rewards : [])]
  // Existing members do not prove that every event was decoded.
  for (const source of [...moreBinds, ...empty])
    if ((await compareShape(source, queries)) === 'other') return toUnreadable(id, source.event)
  return undefined
}

async function findBindsFault(community: Community, queries: EventsFaultQueries): Promise<EventsFault | undefined> {
  const { id, address, event, startBlock } = community
  for (const source of listSources(community).binds) {
    const shape = await compareShape(source, queries)
    if (shape === 'other') return toUnreadable(id, source.event)
    if (shape === 'same') return undefined
  }
  if (!(await queries.hasCode(address).catch(() => true)))
    return toAbsent(id, `there is no contract at ${address}. Check the address.`)
  return toAbsent(
    id,
    `the contract has emitted no ${event.name} event since block ${startBlock}. Check the event's name, the types of its arguments and startBlock.`,
  )
}

/** Compares a log with the configured event. Returns `none` if there is no log. */
async function compareShape(
  { address, event }: Source,
  queries: EventsFaultQueries,
): Promise<'same' | 'other' | 'none'> {
  const shape = await queries.readLogShape(address, toEventSelector(event))
  if (!shape) return 'none'
  return fitsShape(shape, eventShape(event)) ? 'same' : 'other'
}

const toAbsent = (id: string, reason: string): EventsFault => ({
  kind: 'events_absent',
  message: `Community "${id}": ${reason}`,
})

const toUnreadable = (id: string, { name }: AbiEvent): EventsFault => ({
  kind: 'events_unreadable',
  message: `Community "${id}": the contract's ${name} events do not have the configured arguments. Check which of them are indexed.`,
})
