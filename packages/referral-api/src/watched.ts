import type { Address, AsOf, Events } from './types.ts'

/**
 * Largest number of watches of all accounts that a server keeps, because it sends all their addresses in one request.
 */
export const mostWatches = 20_000
/** Largest request, in bytes: twice those addresses, because an event may be retracted after its watch was removed. */
export const watchedBodyLimit = 2 * 1024 * 1024

/** Request of the server to the indexer, at `watched` of `indexerRoutes`. */
export type WatchedRequest = {
  /** Addresses in lower case. */
  addresses: readonly string[]
  /** Events of later blocks are returned; `null` returns none. */
  after: number | null
}

/** The way in which an event touches an address. */
export type Touch = {
  /** The address, in lower case. */
  address: string
  /** `self`: the address is the member. `referrer`: the event names it. `team`: the member is in its team. */
  as: 'self' | 'referrer' | 'team'
  /** Largest milestone that its team reached with this event; `null` for none. */
  reached: number | null
}

/**
 * An event that touches a watched address. Places in the forest are those after all events of its block, so they
 * depend only on the chain up to it.
 */
export type WatchedEvent = {
  block: number
  logIndex: number
  hash: string
  timestamp: number
  member: Address
  touches: readonly Touch[]
} & (
  | {
      kind: 'bind'
      /** The address in the event; `null` for an unbind. */
      referrer: Address | null
      status: Events['items'][number]['status']
      /** The member's referrer before the block. Equal to `to` if the member has not moved. */
      from: Address | null
      to: Address | null
    }
  | { kind: 'volume'; amount: string }
)

/**
 * Events of the blocks after the requested one, up to `upTo`, in order. If `upTo` is below the block of `asOf`, more
 * events can be requested next.
 */
export type WatchedEvents = { asOf: AsOf; upTo: number; items: readonly WatchedEvent[] }

/** Team sizes that raise an alert: 100, 1,000, 10,000 … */
export const milestones: readonly number[] = Array.from({ length: 8 }, (_, index) => 10 ** (index + 2))
