import type { Address, AsOf, Events } from './types.ts'

/** Watches that a server keeps at most, of all accounts: it asks for their addresses at once. */
export const mostWatches = 20_000
/** Largest request, in bytes: twice those addresses, since an event may be taken back after its watch is gone. */
export const watchedBodyLimit = 2 * 1024 * 1024

/** A request of the server to the indexer. Its path is not in the public contract, since only the server uses it. */
export type WatchedRequest = {
  /** Addresses in lower case. */
  addresses: readonly string[]
  /** Events of later blocks are returned; `null` for none. */
  after: number | null
}

/** How an event touches an address. */
export type Touch = {
  /** In lower case. */
  address: string
  /** `self`: it is the member. `referrer`: the event names it. `team`: the member is in its team. */
  as: 'self' | 'referrer' | 'team'
  /** Largest size of a team that it reached with this event; `null` for none. */
  reached: number | null
}

/**
 * An event that touches a watched address. Places in the forest are those after all events of its block, so they are a function
 * of the chain up to it.
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
      /** The address that the event names; `null` for an unbind. */
      referrer: Address | null
      status: Events['items'][number]['status']
      /** The member's referrer before the block. Equal to `to` when the member has not moved. */
      from: Address | null
      to: Address | null
    }
  | { kind: 'volume'; amount: string }
)

/**
 * Events of all blocks after the one that was asked for and up to `upTo`, in their order. Earlier than the block of `asOf`: there
 * are more events, to be asked for next.
 */
export type WatchedEvents = { asOf: AsOf; upTo: number; items: readonly WatchedEvent[] }

/** Sizes of a team that are worth an alert: 100, 1,000 and so on. */
export const milestones: readonly number[] = Array.from({ length: 8 }, (_, index) => 10 ** (index + 2))
