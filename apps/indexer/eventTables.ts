/** Kinds of events, in the order in which those of one log count. */
export const eventKinds = ['bind', 'reward', 'volume'] as const
export type EventKind = (typeof eventKinds)[number]

/** Name of the table that holds the events of a kind; `ponder.schema.ts` defines it. */
export const eventTable = (kind: EventKind): string => `${kind}_event`
