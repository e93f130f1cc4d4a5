import { listSources } from '@lineage/communities'
import type { EventKind } from '@lineage/database'
import type { Address } from 'viem'
import { describeUnreadable, type Source } from '../follow.ts'

/** Reason why the tables lack events of a community. */
export type EventsFault = { kind: 'events_unreadable' | 'events_absent'; message: string }

export type EventsFaultParameters = {
  /** Kinds of events that the tables have. */
  kinds: readonly EventKind[]
  /** Returns whether there is a contract at an address. */
  hasCode: (address: Address) => Promise<boolean>
}

/** Finds out why events of a community are missing: there may be none, or they could not be decoded. */
export async function findEventsFault(
  { community, row }: Source,
  { kinds, hasCode }: EventsFaultParameters,
): Promise<EventsFault | undefined> {
  const { id, address, startBlock } = community
  if (row.unreadable > 0) {
    const { binds, rewards, volumes } = listSources(community)
    const lists = { bind: binds, reward: rewards, volume: volumes }
    const without = (Object.keys(lists) as EventKind[]).find((kind) => lists[kind].length > 0 && !kinds.includes(kind))
    const name = without && lists[without][0]?.event.name
    const message = name
      ? `Community "${id}": the contract's ${name} events do not have the configured arguments. Check which of them are indexed.`
      : describeUnreadable(community, row.unreadable)
    return { kind: 'events_unreadable', message }
  }
  if (kinds.includes('bind')) return undefined
  if (!(await hasCode(address).catch(() => true)))
    return toAbsent(id, `there is no contract at ${address}. Check the address.`)
  const { binds, candidates } = listSources(community)
  const [source] = [...binds, ...candidates]
  const reason = `the contract has emitted no ${source?.event.name} event since block ${startBlock}`
  return toAbsent(
    id,
    community.asked
      ? `${reason}, or no address in one has a referrer. Check the event, "parent" and startBlock.`
      : `${reason}. Check the event's name, the types of its arguments and startBlock.`,
  )
}

/** Returns the fault of a community whose first block does not exist yet, which nothing is read for. */
export function findStartFault({ community: { id, startBlock } }: Source, head: number): EventsFault | undefined {
  if (startBlock <= head) return undefined
  return toAbsent(id, `startBlock ${startBlock} is above the newest block, ${head}. Check it.`)
}

const toAbsent = (id: string, reason: string): EventsFault => ({
  kind: 'events_absent',
  message: `Community "${id}": ${reason}`,
})
