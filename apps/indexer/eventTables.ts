/** Kinds of events, in the order in which events of one log are applied. */
export const eventKinds = ['bind', 'reward', 'volume'] as const
export type EventKind = (typeof eventKinds)[number]

/** Returns the name of the table for a kind of event; `ponder.schema.ts` defines the tables. */
export const eventTable = (kind: EventKind): string => `${kind}_event`
