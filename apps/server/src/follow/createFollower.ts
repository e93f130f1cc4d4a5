import { setImmediate } from 'node:timers/promises'
import { type Community, sourceIdentity } from '@lineage/communities'
import {
  changeChannel,
  type DatabaseFault,
  describeError,
  findDatabaseFault,
  hasStepsOf,
  indexSchema,
  type ReaderReport,
  readerReport,
  type SourceRow,
} from '@lineage/database'
import type { Forest, Snapshots } from '@lineage/forest'
import type { AsOf } from '@lineage/referral-api'
import { type Connection, ConnectionError, connect } from './connection.ts'
import { createSourceForest, type SourceForest } from './createSourceForest.ts'
import type { EventRow } from './events.ts'
import { copyEvents, EventParser } from './readEvents.ts'

/** State of a community for lookups. All of it belongs to one moment, until the next await. */
export type View = {
  asOf: AsOf
  forest: Forest
  /** Id of its source in the tables. */
  source: number
  /** Name of its source, which tables that are made again do not have. */
  index: string
  /** Changes when stored events are replaced. `rebuilds` counts those of final blocks only. */
  replaced: string
  rebuilds: number
  /** Names the state: the same on every server. */
  version: string
  /** Rows that are not final. */
  tail: readonly EventRow[]
  /** A time before which all blocks are final. */
  finalTime: number
}

export type ViewChange = {
  community: string
  view: View
  /** `loaded`: the forest is a new one, and all may have changed. */
  kind: 'loaded' | 'rows'
  /** Rows that were added, and those that a reorganisation took back. */
  rows: readonly EventRow[]
  gone: readonly EventRow[]
  fork: number | null
}

/** A community, with what is known of its source. */
export type Followed = {
  community: Community
  identity: string
  /** Newest row of its source; `undefined` while the reader has none. */
  row: SourceRow | undefined
  /** The row up to which `set` was read. */
  read: SourceRow | undefined
  set: SourceForest
  /** Data of lookups; `undefined` while the community is not served. */
  view: View | undefined
  /** `done`: all rows up to `read` are in `set`. */
  loading: 'no' | 'yes' | 'done'
  /** Number and time of recent blocks that are not final. */
  times: { block: number; time: number }[]
}

/** A reader's report, and its age in seconds by the clock of the database. */
export type Report = { report: ReaderReport; age: number }

export type FollowerParameters = {
  communities: readonly Community[]
  databaseUrl: string
  log: (message: string, level?: 'error') => void
  /** Called after each change of a view. */
  onChange: (change: ViewChange) => void
  /** Keeps lookups of large teams fast. Without it, the forests keep their first snapshot. */
  snapshots?: Pick<Snapshots, 'refresh'>
  /** Largest number of rows that are added at once to a forest that answers. */
  limit?: number
}

export type Follower = ReturnType<typeof createFollower>

const pollInterval = 1_000
/** Milliseconds that the first rows of a large table may take. */
const loadPatience = 60_000

/** Keeps one forest for each community up to date with the tables, until `close`. If the database fails, the views stay. */
export function createFollower(parameters: FollowerParameters) {
  const followed = new Map(parameters.communities.map((community) => [community.id, createFollowed(community)]))
  const state: State = {
    ...parameters,
    followed,
    reports: [],
    fault: undefined,
    loadFault: undefined,
    phase: 'open',
    asked: [],
    loads: Promise.resolve(),
    wake: () => {},
  }
  const running = run(state)
  return {
    /** Returns the data for lookups of a community; `undefined` while it is not served. */
    view: (community: string) => followed.get(community)?.view,
    followed: [...followed.values()],
    /** Returns the newest report of each reader that writes, or of one that will. */
    reports: () => state.reports,
    /** Resolves after a read of the tables that begins after the call. Rejects if it fails. */
    pollNow: () =>
      new Promise<void>((resolve, reject) => {
        state.asked.push({ resolve, reject })
        state.wake()
      }),
    /** Returns the error of the last read or load of the tables; `undefined` after a successful one. */
    fault: () => state.fault ?? state.loadFault,
    async close() {
      state.phase = 'closed'
      state.wake()
      await running
      await state.loads
    },
  }
}

type State = Pick<FollowerParameters, 'databaseUrl' | 'log' | 'onChange' | 'snapshots' | 'limit'> & {
  followed: ReadonlyMap<string, Followed>
  reports: Report[]
  fault: DatabaseFault | undefined
  /** Error of the last load. */
  loadFault: DatabaseFault | undefined
  phase: 'open' | 'closed'
  /** Calls of `pollNow`. */
  asked: { resolve: () => void; reject: (error: unknown) => void }[]
  /** Loads run one after another. */
  loads: Promise<void>
  /** Ends the wait for the next poll. */
  wake: () => void
}

function createFollowed(community: Community): Followed {
  const identity = sourceIdentity(community)
  const set = createSourceForest(community)
  return { community, identity, row: undefined, read: undefined, set, view: undefined, loading: 'no', times: [] }
}

async function run(state: State): Promise<void> {
  let connection: Connection | undefined
  let logged: string | undefined
  let notice: 'none' | 'new' = 'none'
  const onNotice = () => {
    notice = 'new'
    state.wake()
  }
  while (state.phase === 'open') {
    notice = 'none'
    const asked = state.asked.splice(0)
    try {
      if (!connection) {
        connection = await connect({ url: state.databaseUrl, onNotice })
        await connection.query(`listen ${changeChannel}`)
      }
      await poll(state, connection)
      state.fault = undefined
      if (logged !== undefined) state.log('The tables can be read again.')
      logged = undefined
      for (const { resolve } of asked) resolve()
    } catch (error) {
      for (const { reject } of asked) reject(error)
      connection?.close()
      connection = undefined
      state.fault = findFault(error)
      const message = `The tables cannot be read; trying again: ${describeError(error)}`
      if (message !== logged) state.log(message, 'error')
      logged = message
    }
    // A notice of the failed connection must not make it try again at once.
    if (!connection || (notice === 'none' && state.asked.length === 0)) await waitForNotice(state)
  }
  connection?.close()
}

/** Returns the fault of the database. Without an error of the connection, rows cannot be parsed. */
const findFault = (error: unknown): DatabaseFault =>
  findDatabaseFault(error) ?? (error instanceof ConnectionError ? 'unreachable' : 'damaged')

function waitForNotice(state: State): Promise<void> {
  if (state.phase === 'closed') return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, pollInterval)
    state.wake = () => {
      clearTimeout(timer)
      resolve()
    }
  })
}

/** Reads the tables once, in one transaction. Forests that do not answer yet are loaded beside it. */
async function poll(state: State, connection: Connection): Promise<void> {
  const all = [...state.followed.values()]
  await connection.query('begin isolation level repeatable read read only')
  const [table] = await connection.query<{ source: string | null }>(
    `select to_regclass('${indexSchema}.reader')::text as source`,
  )
  const rows = table?.source ? await readSources(connection, all) : []
  state.reports = table?.source ? await readReports(connection, rows) : []
  for (const one of all) {
    one.row = rows.find(({ identity }) => identity === one.identity)
    if (!one.row) forget(one)
    else if (one.row.state !== 'live') one.view = undefined
    if (one.view && one.row && !isLoadNeeded(one, one.row)) await follow(state, one, connection)
  }
  await connection.query('commit')
  for (const one of all) {
    if (!one.row || one.loading === 'yes' || !isLoadNeeded(one, one.row)) continue
    if (one.loading === 'done' && one.read && isSame(one.row, one.read)) continue
    one.loading = 'yes'
    state.loads = state.loads.then(() => loadBeside(state, one))
  }
}

const readSources = (connection: Connection, all: readonly Followed[]): Promise<SourceRow[]> =>
  connection.query(`select * from ${indexSchema}.source where identity = any($1)`, [
    all.map(({ identity }) => identity),
  ])

/** Reads the reports of the readers that write, or the newest one while there is none. */
async function readReports(connection: Connection, rows: readonly SourceRow[]): Promise<Report[]> {
  const reports = await connection.query<{ id: string; report: unknown; age: number }>(
    // Only the clock of the database counts: those of two machines may differ.
    `select id, report, extract(epoch from now() - at)::float8 as age from ${indexSchema}.reader order by at desc limit 50`,
  )
  const writing = reports.filter(({ id }) => rows.some(({ writer }) => writer === id))
  return (writing.length > 0 ? writing : reports.slice(0, 1)).flatMap(({ report, age }) => {
    const { data } = readerReport.safeParse(report)
    return data ? [{ report: data, age }] : []
  })
}

/** Returns whether the forest does not answer, or must be built again. */
const isLoadNeeded = ({ view, set, read }: Followed, row: SourceRow): boolean =>
  view?.forest !== set.forest || !isContinued(read, row)

/** Returns whether the final events up to an earlier row of a source are still the same. */
const isContinued = (read: SourceRow | undefined, row: SourceRow): read is SourceRow =>
  // Tables that were dropped and made again, or restored, may have the same numbers.
  read?.name === row.name && hasStepsOf(row, read) && read.rebuilds === row.rebuilds && read.reorgs <= row.reorgs

/** Starts again without any rows. */
function forget(one: Followed): void {
  if (!one.read) return
  Object.assign(one, { set: createSourceForest(one.community), read: undefined, view: undefined, times: [] })
}

/** Adds the new rows of a source to a forest that answers. */
async function follow(state: State, one: Followed, connection: Connection): Promise<void> {
  for (;;) {
    const { row, read, set } = one
    if (!row || !read || isSame(row, read)) return
    const kind = row.reorgs === read.reorgs ? 'new' : 'reorg'
    const after = kind === 'new' ? set.applied : { block: set.finalBlock }
    const found = await readRows(connection, { source: row.id, after, upTo: row.block }, state.limit)
    try {
      apply(state, one, { ...found, row, kind })
    } catch (error) {
      // The forest may hold a part of the rows.
      forget(one)
      throw error
    }
    if (found.state === 'whole') return
    // Lookups run in between.
    await setImmediate()
  }
}

const isSame = (left: SourceRow, right: SourceRow) =>
  left.name === right.name &&
  left.state === right.state &&
  left.block === right.block &&
  left.finalized === right.finalized &&
  nameReplaced(left) === nameReplaced(right)

const nameReplaced = ({ timelines, reorgs, rebuilds }: SourceRow) => `${timelines?.at(-1) ?? ''}.${reorgs}.${rebuilds}`

type Found = { rows: EventRow[]; state: 'whole' | 'part' }
type RowsRange = Omit<Parameters<typeof copyEvents>[0], 'limit'>

/** Reads the first complete blocks of a range. */
async function readRows(connection: Connection, range: RowsRange, limit = 50_000): Promise<Found> {
  const rows: EventRow[] = []
  const parser = new EventParser()
  for await (const piece of connection.copy(copyEvents({ ...range, limit })))
    for (const _ of parser.parse(piece)) rows.push(parser.row())
  parser.end()
  if (rows.length < limit) return { rows, state: 'whole' }
  const cut = rows.at(-1)?.block
  const complete = rows.filter(({ block }) => block !== cut)
  return complete.length > 0 ? { rows: complete, state: 'part' } : readRows(connection, range, limit * 2)
}

/** Adds rows to a forest that answers and replaces its view, synchronously: no lookup sees one without the other. */
function apply(state: State, one: Followed, found: Found & { row: SourceRow; kind: 'new' | 'reorg' }): void {
  const { set } = one
  const { row } = found
  const last = found.state === 'part' ? found.rows.at(-1) : undefined
  const block = last?.block ?? row.block
  const asOf = {
    block,
    timestamp: last?.timestamp ?? row.block_time,
    finalizedBlock: Math.max(0, Math.min(row.finalized, block)),
  }
  const change = found.kind === 'reorg' ? set.rollback(found.rows) : { rows: found.rows, gone: [], fork: null }
  set.commit(asOf.finalizedBlock)
  set.append(change.rows, block)
  one.read = last ? { ...row, block, finalized: asOf.finalizedBlock } : row
  show(state, one, { kind: 'rows', asOf, ...change })
}

/** Loads a source into its forest, which no lookup sees before the source is live and all its rows are there. */
async function loadBeside(state: State, one: Followed): Promise<void> {
  let connection: Connection | undefined
  let outcome: Followed['loading'] = 'no'
  try {
    connection = await connect({ url: state.databaseUrl, patience: loadPatience })
    await connection.query('begin isolation level repeatable read read only')
    const [row] = await readSources(connection, [one])
    if (row) await load(state, one, { row, connection })
    outcome = 'done'
    state.loadFault = undefined
  } catch (error) {
    // Keep the rows read before the connection was lost: the next load continues after them.
    if (!(error instanceof ConnectionError)) one.set = createSourceForest(one.community)
    state.loadFault = findFault(error)
    state.log(`The events of ${one.community.id} cannot be read; trying again: ${describeError(error)}`, 'error')
  } finally {
    connection?.close()
    one.loading = outcome
  }
}

async function load(
  state: State,
  one: Followed,
  { row, connection }: { row: SourceRow; connection: Connection },
): Promise<void> {
  const { read } = one
  const isReused = isContinued(read, row) && one.view?.forest !== one.set.forest
  if (!isReused) one.set = createSourceForest(one.community)
  if (read?.timelines && read.name === row.name && !hasStepsOf(row, read))
    state.log(
      `The tables of ${one.community.id} were restored, or lost their newest changes in a failover: they are at block ${row.block}, and this server was at block ${read.block}. They are read again.`,
      'error',
    )
  const { set } = one
  one.read = row
  if (isReused && read.reorgs !== row.reorgs && set.applied.block > set.finalBlock) {
    const after = { block: set.finalBlock }
    const { rows } = await readRows(connection, { source: row.id, after, upTo: row.block }, Number.MAX_SAFE_INTEGER)
    set.append(set.rollback(rows).rows, row.block)
  }
  set.commit(row.finalized)
  const parser = new EventParser()
  for await (const piece of connection.copy(copyEvents({ source: row.id, after: set.applied, upTo: row.block }))) {
    set.load(parser, piece)
    // Lookups of other communities run in between.
    await setImmediate()
  }
  parser.end()
  if (row.state !== 'live' || state.phase === 'closed') return
  // Lookups of others would wait for a snapshot that is taken here.
  if ([...state.followed.values()].some(({ view }) => view)) await refreshSnapshot(state, set.forest)
  const asOf = { block: row.block, timestamp: row.block_time, finalizedBlock: Math.max(0, row.finalized) }
  const fork = one.view ? row.start_block : null
  show(state, one, { kind: 'loaded', asOf, rows: [], gone: [], fork })
  state.log(`${one.community.id} is ready at block ${row.block}.`)
}

type Shown = Omit<ViewChange, 'community' | 'view'> & { asOf: AsOf }

/** Replaces the view of a community. */
function show(state: State, one: Followed, { asOf, ...change }: Shown): void {
  const { community, set, read } = one
  if (!read) return
  const { forest } = set
  if (one.view?.forest === forest) void refreshSnapshot(state, forest)
  else if (forest.isSnapshotDue) forest.takeSnapshot()
  const { id: source, name: index, reorgs, rebuilds } = read
  const { block, timestamp, finalizedBlock } = asOf
  const version = [source, rebuilds, reorgs, block, timestamp, finalizedBlock, read.timelines?.at(-1)].join('.')
  const finalTime = noteTime(one, asOf, change.fork ?? asOf.block)
  const view = {
    asOf,
    forest,
    source,
    index,
    replaced: nameReplaced(read),
    rebuilds,
    version,
    tail: set.tail,
    finalTime,
  }
  one.view = view
  state.onChange({ community: community.id, view, ...change })
}

/** Takes a snapshot in a worker, if one is due. */
async function refreshSnapshot({ snapshots, log }: State, forest: Forest): Promise<void> {
  await snapshots?.refresh(forest).catch((error: unknown) => {
    log(`A snapshot of a community failed, so its lookups become slower: ${describeError(error)}`, 'error')
  })
}

/** Notes the time of a block. Returns the time of the newest noted block that is final; 0 for none. */
function noteTime(one: Followed, { block, timestamp, finalizedBlock }: AsOf, fork: number): number {
  const kept = one.times.filter((known) => known.block < Math.min(block, fork))
  const final = kept.findLastIndex((known) => known.block <= finalizedBlock)
  one.times = [...kept.slice(Math.max(final, 0)), { block, time: timestamp }]
  const [first] = one.times
  return first && first.block <= finalizedBlock ? first.time : 0
}
