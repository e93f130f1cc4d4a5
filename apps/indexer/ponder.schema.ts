import { index, onchainTable, type PgColumnsBuilders, primaryKey } from 'ponder'

/** Where an event stands on the chain: the same for every table, so that the three can be merged in log order. */
const position = (t: PgColumnsBuilders) => ({
  community: t.text().notNull(),
  block: t.int8({ mode: 'number' }).notNull(),
  logIndex: t.integer().notNull(),
  blockHash: t.hex().notNull(),
  timestamp: t.int8({ mode: 'number' }).notNull(),
  tx: t.hex().notNull(),
  member: t.hex().notNull(),
})

/** Each event says that `member` was brought by `referrer`, whatever sense that makes. */
export const bindEvent = onchainTable(
  'bind_event',
  (t) => ({ ...position(t), referrer: t.hex().notNull() }),
  (table) => ({
    pk: primaryKey({ columns: [table.block, table.logIndex, table.community] }),
    /** The latest of a small community beside a large one. */
    latest: index().on(table.community, table.block, table.logIndex),
  }),
)

/** Each event adds to what `member` brought in itself. */
export const volumeEvent = onchainTable(
  'volume_event',
  (t) => ({ ...position(t), amount: t.bigint().notNull() }),
  (table) => ({
    pk: primaryKey({ columns: [table.block, table.logIndex, table.community] }),
  }),
)

/** Each event adds to what `member` was paid. */
export const rewardEvent = onchainTable(
  'reward_event',
  (t) => ({ ...position(t), amount: t.bigint().notNull() }),
  (table) => ({
    pk: primaryKey({ columns: [table.block, table.logIndex, table.community] }),
  }),
)
