import type { LiveBind, LiveCounts, LiveStep, LiveTeamCounts } from '@lineage/referral-api/live'

/** Formats an event for a stream. */
const toText = (event: string, id: string, data: object): string =>
  `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`

/** Formats a step with its binds. */
export function stepText({ event, id, block }: Omit<LiveStep, 'items'>, binds: readonly LiveBind[]): string {
  const [bind] = binds
  return event === 'bind' && bind ? toText('bind', id, bind) : toText('retracted', id, { block, items: binds })
}

export const countsText = (id: string, counts: LiveCounts | LiveTeamCounts): string => toText('counts', id, counts)

/**
 * Formats the event that tells a reader to load everything again, because the steps after its state are no longer
 * known.
 */
export const resetText = (id: string, { asOf }: LiveCounts): string => toText('reset', id, { asOf })

/** Text that tells a signed-in reader of new alerts. It has no id, because it is no step of the chain. */
export const alertsText = 'event: alerts\ndata: {}\n\n'

/** Formats a sign of life: a comment, and an event for readers that do not see comments. */
export const beatText = (id: string, asOf: LiveCounts['asOf']): string => `:\n${toText('beat', id, { asOf })}`
