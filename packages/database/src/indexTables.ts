import { amountKinds } from '@lineage/referral-api/amounts'
import { knownItems, progress, spotCheck, warning } from '@lineage/referral-api/schemas'
import type { Pool, QueryConfig } from 'pg'
import * as z from 'zod'
import { addMissingColumn, createMissingIndex, createMissingSchema, hasColumn, runIf } from './createMissing.ts'

/** Schema of the index, named by the version of its tables: a later version fills its own beside these. */
export const indexSchema = 'lineage_1'

const [source, event, reading] = ['source', 'event', 'reading'].map((name) => `${indexSchema}.${name}`) as [
  string,
  string,
  string,
]

/** Channel on which the reader tells the servers that rows have changed. Its messages have no content. */
export const changeChannel = 'lineage_1'

/** Kinds of events in the order in which those of one log count. Their positions are the values of `event.kind`. */
export const eventKinds = ['bind', ...amountKinds] as const
export type EventKind = (typeof eventKinds)[number]

/**
 * How well the block of a bind is known; their positions are the values of `event.grade`. `exact`: it is of its block. `between`:
 * the contract returned it for a log of its block, but none for an earlier one. `observed`: the contract returned it in a sweep.
 */
export const grades = ['exact', 'between', 'observed'] as const
export type Grade = (typeof grades)[number]

/**
 * Progress of one source: the events of one community, read by one configuration of its contract and events. Each
 * transaction that changes the source's events changes this row too.
 */
export type SourceRow = {
  id: number
  /** Id of the community. */
  community: string
  /** `sourceIdentity` of the community's configuration. */
  identity: string
  start_block: number
  /** `backfill` until the newest block at the start of the reading was reached. Only a live source is served. */
  state: 'backfill' | 'live'
  /** All events up to this block are stored; `start_block - 1` before the first one. */
  block: number
  /** Unix time of that block in seconds; 0 before the first one. */
  block_time: number
  /** Newest block that no reorganisation can replace, at most `block`. */
  finalized: number
  /** Grows when events of stored blocks that were not final are replaced: read those after the known final block again. */
  reorgs: number
  /** Grows when events of a final block are replaced: read everything again. `healed` says which. */
  rebuilds: number
  /** Number of logs with the topic of an event but other arguments, which were left out. */
  unreadable: number
  /** Id of the reader that may write, in `reader`; `null` before the first one. Each write checks it. */
  writer: string | null
  /** Names these rows: tables that are made again have the same ids, but other names. */
  name: string
  /** Whether the first check of its members has ended. Only a checked source is served. */
  checked: boolean
  /** Reason why the community is not served, until a check finds nothing wrong; `null` for none. */
  withheld: string | null
  /** Reason why nothing is served, until the blocks agree with those of the nodes; `null` for none. */
  replaced: string | null
  /** Number of transactions that changed its events. A reader of an earlier version leaves this and `timelines` out. */
  step?: number
  /**
   * Names of the newest lines of steps in order, each with its first step: `531-0a1b2c3d`. A reader begins a new one when it
   * starts, and after each error. So tables that were restored, or lost their newest steps in a failover, show that.
   */
  timelines?: string[]
}

/** Returns whether the tables still have all steps up to an earlier state of the same source. */
export function hasStepsOf(
  { step = 0, timelines }: Pick<SourceRow, 'step' | 'timelines'>,
  earlier: Pick<SourceRow, 'step' | 'timelines'>,
): boolean {
  // Tables of an earlier version have none, until the first reader of a newer one adds them.
  if (!timelines || !earlier.timelines) return earlier.timelines === undefined
  const own = timelines.indexOf(earlier.timelines.at(-1) ?? '')
  const next = timelines[own + 1]
  const last = next === undefined ? step : Number.parseInt(next, 10) - 1
  return own >= 0 && (earlier.step ?? 0) <= last
}

/** Positions of binds that no log names, also those that a call names, begin here in their block. */
export const withoutLog = 2 ** 30

/** Time limit for creating tables, in milliseconds: an index of ten million rows takes a minute at the first start after an update. */
const createTimeout = 3_600_000

/**
 * Creates the tables of the index, under a lock because several processes may start at once. If all exist, nothing is waited
 * for but that lock.
 *
 * - `source`: `SourceRow`.
 * - `event`: `kind` is a position in `eventKinds`; `other` is the referrer of a bind (`null` for an unbind), or the
 *   address that caused a reward; `amount` is `null` for a bind. `tx_index` and `raw` (the log, unless it follows from the
 *   other columns) are for the export only. A partition for each source (`event_<id>`).
 *   `grade` is a position in `grades` for a bind that was read from the contract, otherwise `null`; if it is not exact, the bind is of
 *   one of the blocks from `first_block` to `block`. `tx` is `null` if no log names it.
 * - `reading`: referrers that the contract returned to a source, kept when events are read again, because old states cannot be read
 *   without an archive. `block` is the first block at which the contract returned `parent`, `after_block` the last one at
 *   which it returned another, `grade` as in `event`, `seen` the newest one at which it returned this; `null` for one that was followed by another.
 *   `position` is the `log_index` of its row.
 * - `reading_view`: `viewIdentity` of the sources that have readings, also of those that were deleted: the next source of the view takes theirs.
 * - `reading_block`: newest blocks at which a contract was asked, by which readings of replaced blocks are found.
 * - `block`: newest headers of each source, by which the reader detects reorganisations after a restart.
 * - `healed`: final blocks whose events were replaced or added. `number` is the value of `source.rebuilds` from then on, and
 *   `added` has the log indexes of the events that were not stored before.
 * - `reader`: newest report of each reader (`ReaderReport`).
 */
export async function createIndexTables(pool: Pick<Pool, 'query'>): Promise<void> {
  // One query of several statements is one transaction.
  const text = `
    set local statement_timeout = ${createTimeout};
    select pg_advisory_xact_lock(4361);
    ${createMissingSchema(indexSchema)}
    create table if not exists ${source} (
      id integer generated always as identity primary key,
      community text not null,
      identity text not null unique,
      start_block bigint not null,
      state text not null default 'backfill',
      block bigint not null,
      block_time bigint not null default 0,
      finalized bigint not null,
      reorgs bigint not null default 0,
      rebuilds bigint not null default 0,
      unreadable bigint not null default 0,
      writer uuid,
      name text not null default left(gen_random_uuid()::text, 8),
      checked boolean not null default false,
      withheld text,
      replaced text
    );
    ${addMissingColumn(source, 'step', 'bigint not null default 0')}
    ${addTimelines}
    create table if not exists ${event} (
      source integer not null,
      block bigint not null,
      log_index integer not null,
      kind smallint not null,
      time bigint not null,
      block_hash bytea not null,
      tx bytea,
      tx_index integer not null,
      member bytea not null,
      other bytea,
      amount numeric,
      raw bytea,
      grade smallint,
      first_block bigint,
      primary key (source, block, log_index, kind)
    ) partition by list (source);
    ${addMissingColumn(event, 'first_block', 'bigint')}
    ${addMissingColumn(event, 'grade', 'smallint')}
    ${runIf(hasColumn(event, 'tx', 'required'), `alter table ${event} alter column tx drop not null;`)}
    ${createMissingIndex('event_of_member', event, '(source, member, kind, block, log_index)')}
    ${createMissingIndex('event_of_other', event, '(source, other, block, log_index) where kind = 0')}
    ${createMissingIndex('event_binds', event, '(source, block, log_index) where kind = 0')}
    create table if not exists ${indexSchema}.block (
      source integer not null,
      number bigint not null,
      hash bytea not null,
      parent bytea not null,
      time bigint not null,
      primary key (source, number)
    );
    create table if not exists ${indexSchema}.reading_view (
      source integer primary key,
      view text not null
    );
    create table if not exists ${reading} (
      source integer not null,
      member bytea not null,
      block bigint not null,
      block_hash bytea,
      time bigint not null default 0,
      parent bytea,
      after_block bigint not null,
      grade smallint not null default 0,
      seen bigint,
      position integer,
      primary key (source, member, block)
    );
    ${addMissingColumn(reading, 'grade', 'smallint not null default 0')}
    ${addMissingColumn(reading, 'position', 'integer')}
    create table if not exists ${indexSchema}.reading_block (
      source integer not null,
      number bigint not null,
      hash bytea not null,
      primary key (source, number)
    );
    ${separateReadings}
    ${createMissingIndex('reading_seen', reading, '(source, seen) where seen is not null')}
    ${createMissingIndex('reading_open', reading, '(source, seen) where seen is not null and parent is null')}
    ${createMissingIndex('reading_in_block', reading, '(source, block)')}
    create table if not exists ${indexSchema}.healed (
      source integer not null,
      number bigint not null,
      block bigint not null,
      added integer[] not null,
      primary key (source, number, block)
    );
    create table if not exists ${indexSchema}.reader (
      id uuid primary key,
      at timestamptz not null default now(),
      report jsonb not null
    );
  `
  await pool.query({ text, query_timeout: createTimeout } as QueryConfig)
}

const firstTimeline = "array['0-' || left(gen_random_uuid()::text, 8)]"

/** Adds `timelines` without a rewrite of the table: see `addMissingColumn`. */
const addTimelines = runIf(
  `not ${hasColumn(source, 'timelines')}`,
  `alter table ${source} add column timelines text[];
    update ${source} set timelines = ${firstTimeline};
    alter table ${source} alter column timelines set default ${firstTimeline}, alter column timelines set not null;`,
)

/** Makes readings that the sources of a view had together those of a deleted one, from which each source takes them. */
const separateReadings = runIf(
  hasColumn(reading, 'view'),
  `insert into ${indexSchema}.reading_view (source, view) select -row_number() over (), view from (
      select view from ${reading} union select view from ${indexSchema}.reading_block) found;
    alter table ${reading} add column source integer;
    alter table ${indexSchema}.reading_block add column source integer;
    update ${reading} set source = shared.source from ${indexSchema}.reading_view shared where shared.view = reading.view;
    update ${indexSchema}.reading_block set source = shared.source from ${indexSchema}.reading_view shared
      where shared.view = reading_block.view;
    alter table ${reading} drop column view, add primary key (source, member, block);
    alter table ${indexSchema}.reading_block drop column view, add primary key (source, number);`,
)

/** Schema of a reader's report: its progress, and faults of nodes and contracts, which every server shows. */
export const readerReport = z.object({
  /** Newest block that the nodes have reported. */
  headBlock: z.int().nullable(),
  nodes: z.enum(['usable', 'unusable']),
  /** Whether the chain of the nodes was compared with the blocks on which the index was built. */
  chain: z.enum(['unchecked', 'checked']),
  /** Reason why nothing may be served: the nodes serve another chain. Servers read it from `source`. */
  replaced: z.string().nullable(),
  /** Whether the first members were compared with the contract. */
  members: z.enum(['unchecked', 'checked']),
  /** Communities that must not be served, each with the reason. Servers read it from `source`. */
  withheld: z.array(z.object({ community: z.string(), message: z.string() })),
  /**
   * First check of each source that this reader writes. It is stored in `source` too, because a reader that starts has
   * found nothing yet. `unconfirmed`: it has ended, but no member could be confirmed.
   */
  checks: z.array(
    z.object({
      source: z.int(),
      community: z.string(),
      state: z.enum(['running', 'unconfirmed', 'passed', 'withheld']),
    }),
  ),
  warnings: knownItems(warning),
  spotChecks: z.array(spotCheck),
  /** Progress of the sources that are not live. */
  progress: progress.nullable(),
  /** Text for people about a wait; `null` if there is none. */
  note: z.string().nullable(),
})

export type ReaderReport = z.output<typeof readerReport>
