import { index, onchainTable, type PgColumnsBuilders, primaryKey } from 'ponder'

/** Columns of every table: the position of an event on the chain, which merges the tables in order. */
const position = (t: PgColumnsBuilders) => ({
  community: t.text().notNull(),
  block: t.int8({ mode: 'number' }).notNull(),
  logIndex: t.integer().notNull(),
  blockHash: t.hex().notNull(),
  timestamp: t.int8({ mode: 'number' }).notNull(),
  tx: t.hex().notNull(),
  member: t.hex().notNull(),
})

/**
 * Binds of `member` to `referrer` as emitted, and unbinds, which have no referrer. The forest decides which of them
 * count.
 */
export const bindEvent = onchainTable(
  'bind_event',
  (t) => ({ ...position(t), referrer: t.hex() }),
  (table) => ({
    pk: primaryKey({ columns: [table.block, table.logIndex, table.community] }),
    /** Finds the latest binds of a small community quickly, even if another one is large. */
    latest: index().on(table.community, table.block, table.logIndex),
    /** Finds the events of one member, newest first. */
    ofMember: index().on(table.community, table.member, table.block, table.logIndex),
    ofReferrer: index().on(table.community, table.referrer, table.block, table.logIndex),
  }),
)

/** Volume of `member`, one row per event. */
export const volumeEvent = onchainTable(
  'volume_event',
  (t) => ({ ...position(t), amount: t.bigint().notNull() }),
  (table) => ({
    pk: primaryKey({ columns: [table.block, table.logIndex, table.community] }),
    ofMember: index().on(table.community, table.member, table.block, table.logIndex),
  }),
)

/** Rewards of `member`, one row per event; `source` is the address that caused the reward, if the event names it. */
export const rewardEvent = onchainTable(
  'reward_event',
  (t) => ({ ...position(t), amount: t.bigint().notNull(), source: t.hex() }),
  (table) => ({
    pk: primaryKey({ columns: [table.block, table.logIndex, table.community] }),
    ofMember: index().on(table.community, table.member, table.block, table.logIndex),
  }),
)
