import type { LiveBind, LiveCounts, LiveStep, LiveTeamCounts } from '@lineage/referral-api/live'

/** Returns an event as streams send it. */
const toText = (event: string, id: string, data: object): string =>
  `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`

/** Returns a step as text, with the binds that it is about. */
export function stepText({ event, id, block }: Omit<LiveStep, 'items'>, binds: readonly LiveBind[]): string {
  const [bind] = binds
  return event === 'bind' && bind ? toText('bind', id, bind) : toText('retracted', id, { block, items: binds })
}

export const countsText = (id: string, counts: LiveCounts | LiveTeamCounts): string => toText('counts', id, counts)

/** Says that the steps after the reader's state are not known any more: it must ask anew. */
export const resetText = (id: string, { asOf }: LiveCounts): string => toText('reset', id, { asOf })

/** Shows that the stream lives: a comment, and an event for readers who do not see comments. */
export const beatText = (id: string, asOf: LiveCounts['asOf']): string => `:\n${toText('beat', id, { asOf })}`
