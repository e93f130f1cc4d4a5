import * as z from 'zod'
import { address, asOf } from './schemas.ts'
import type { Address, AsOf } from './types.ts'

/** Maximum number of members that a change names. */
export const changedLimit = 100

const count = z.int().nonnegative()

/**
 * Data of each event in the stream of a community, by the event's name. `change` is sent when the stream begins and
 * after each change, `beat` every 10 s, `alerts` when the signed-in account may have new alerts.
 */
export const liveEvents = {
  change: z.object({
    asOf,
    /** Number of members of the community after the change. */
    members: count,
    /** Members whose binds came or were replaced, the newest first. Empty when the stream begins. */
    changed: z.array(address).max(changedLimit),
    /** Number of those members in all. */
    count,
    /** First block that a reorganisation replaced; `null` for none. */
    fork: count.nullable(),
  }),
  beat: z.object({ asOf }),
  alerts: z.object({}),
}

export type LiveEvent = keyof typeof liveEvents
export type LiveChange = Omit<z.infer<typeof liveEvents.change>, 'changed'> & { changed: Address[] }
export type LiveBeat = { asOf: AsOf }
