import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Community, ConfigError } from '@lineage/communities'
import { createIndexTables, describeError, findDatabaseFault, openPool, type SourceRow } from '@lineage/database'
import type { AskParameters } from './asked/askContract.ts'
import { describeCost, firstCallBlock } from './asked/calls.ts'
import { createMemberFiles } from './asked/memberFiles.ts'
import { createReadings, findReplaced, type Readings } from './asked/readings.ts'
import { findDeployment, findStates, hasCode, readParents } from './asked/readParents.ts'
import { backfill, createRetry, firstMissing, listMissing } from './backfill.ts'
import { createSpotChecks } from './checks/createSpotChecks.ts'
import { createCheckQueries } from './checks/queries.ts'
import { createDecoder } from './decode.ts'
import { advanceGroup, type Group, joinGroups, openGroup, type Source } from './follow.ts'
import { createFileSource } from './history/fileSource.ts'
import type { HistorySource } from './history/HistorySource.ts'
import { createNodeSource } from './history/nodeSource.ts'
import { HistoryFileError } from './history/tableFile.ts'
import { createSourceLocks } from './locks.ts'
import type { Log } from './log.ts'
import type { Nodes } from './nodes/createNodes.ts'
import { NodeError } from './nodes/nodeError.ts'
import { createNodesFor, openNodes, WrongNodeError } from './nodes/openNodes.ts'
import type { Header } from './nodes/rpc.ts'
import { lookBack, recheckGroup } from './recheck.ts'
import { type ReaderState, toReport } from './report.ts'
import { createTables, LostSourceError, type Tables } from './tables.ts'

export type ReaderParameters = {
  databaseUrl: string
  communities: readonly Community[]
  /** URLs of the nodes in order of preference. */
  urls: readonly string[]
  /** File or folder of logs to read instead of the nodes' logs. */
  history: string | undefined
  /** Folders that may have the files of addresses that the configuration names. */
  folders: readonly string[]
  /** Milliseconds between two requests for the newest block. */
  pollInterval: number
  /** Milliseconds between two sweeps over the members of a contract that is asked. */
  sweepInterval: number
  log: Log
}

/** Number of newest blocks that are read one by one, with checks that a wide range of logs does not allow. */
const nearHead = 256
/** Number of missing blocks from which they are read in wide ranges. */
const minBackfill = 1_000
const lockInterval = 500
const reportInterval = 2_000
const checkInterval = 60_000
/** Number of newest blocks whose state nodes have, also that of the demo: checks ask the contract at a stored block. */
const recentStates = 16
/** Milliseconds between two looks whether there is something to check or to report. */
const lookInterval = 200
const retryInterval = 2_000
/** Milliseconds between two looks at a chain that was replaced. */
const replacedInterval = 10_000

type State = ReaderState &
  Pick<ReaderParameters, 'communities' | 'urls' | 'history' | 'pollInterval' | 'sweepInterval' | 'log'> & {
    tables: Tables
    readings: Readings
    /** States that the nodes have, for contracts that are asked. */
    states: AskParameters['states']
    locks: ReturnType<typeof createSourceLocks>
    memberFiles: ReturnType<typeof createMemberFiles>
    checks: ReturnType<typeof createSpotChecks>
    /** Rows of the communities' sources, also of those that another reader has. */
    opened: Map<string, SourceRow>
    sources: Source[]
    /** Sources to follow or to back-fill from the next look on. */
    arrived: Source[]
    groups: Group[]
    groupsAre: 'current' | 'outdated'
    opening: Promise<Nodes> | undefined
    /** Why tasks fail, until they succeed. */
    faults: Map<unknown, { database: ReaderState['database']; message: string; inRow: number }>
    checkedAt: number
    saved: { faults: string; at: number }
    /** Ends the reader with an error. */
    fail: (error: unknown) => void
  }

/** Creates a reader, which writes the events of communities into the tables while no other reader does. */
export function createReader({ databaseUrl, ...parameters }: ReaderParameters) {
  const pool = openPool({ url: databaseUrl, max: 4, timeout: 20_000 })
  const { promise: ended, reject: fail } = Promise.withResolvers<void>()
  const checks = createSpotChecks({
    queries: createCheckQueries(pool),
    readParent: async (community, member, block) =>
      (await readParents(state.nodes as Nodes, community, [member], block))[0],
    hasCode: (address) => hasCode(state.nodes as Nodes, address),
    findDeployment: (address, before) => findDeployment(state.nodes as Nodes, address, before),
    log: parameters.log,
  })
  const tables = createTables(pool, randomUUID())
  const state: State = {
    ...{ ...parameters, fail, checks, tables, locks: createSourceLocks(databaseUrl) },
    memberFiles: createMemberFiles({ folders: parameters.folders, tables, log: parameters.log }),
    ...{ readings: createReadings(pool), states: 'recent' },
    ...{ head: null, replaced: undefined, chain: 'unchecked', progress: undefined, nodes: undefined },
    ...{ role: 'starting', database: 'answering', opened: new Map(), sources: [], arrived: [], groups: [] },
    ...{ wrong: new Map(), groupsAre: 'current', opening: undefined, faults: new Map(), checkedAt: performance.now() },
    saved: { faults: '', at: Number.NEGATIVE_INFINITY },
  }
  return {
    state: state as ReaderState,
    /** Reads until an error that ends the process. */
    async run(): Promise<void> {
      await untilStored(state, () => createIndexTables(pool))
      await untilStored(state, async () => void (await takeSources(state)))
      for (const task of [takeSources, follow, check, report, readMemberFiles]) repeat(state, task).catch(fail)
      return ended
    },
    async stop(): Promise<void> {
      await state.locks.close()
      await pool.end()
    },
  }
}

/** Takes the sources that no other reader has. */
async function takeSources(state: State): Promise<number> {
  const { communities, tables, sources, opened, log } = state
  for (const community of communities) {
    const row = opened.get(community.id) ?? (await tables.openSource(community))
    opened.set(community.id, row)
    const isFree = await state.locks.take(row.id)
    const isOwn = sources.some((source) => source.row.id === row.id)
    if (isOwn && !isFree) throw new LostSourceError('Another reader has taken over.')
    if (isOwn || !isFree) continue
    const taken = await tables.takeSource(row.id)
    const source = { community, decoder: createDecoder(community), row: taken, target: 0 }
    await state.memberFiles.readChanged(source)
    sources.push(source)
    state.arrived.push(source)
    log(`Community "${community.id}" is read from block ${source.row.block + 1} on.`)
  }
  if (sources.length < communities.length && state.role === 'starting')
    log('Another reader writes to this database. This one is a standby: it takes over when the other ends.')
  state.role = sources.length < communities.length ? 'standby' : 'writer'
  return lockInterval
}

const filesInterval = 5_000

/** Reads files of addresses that have changed. A faulty one changes nothing, because the reader has read another before. */
async function readMemberFiles({ sources, memberFiles, log }: State): Promise<number> {
  for (const source of sources)
    await memberFiles.readChanged(source).catch((error) => {
      if (!(error instanceof ConfigError)) throw error
      log(`${error.message}. The addresses that were read before stay.`, 'warn')
    })
  return filesInterval
}

/** Opens the nodes when there is something to read. */
async function openOnce(state: State): Promise<Nodes> {
  const { urls, communities, sources, tables, log } = state
  const withBinds: string[] = []
  for (const { community, row } of sources) if (await tables.hasBinds(row.id)) withBinds.push(community.id)
  const finalized = sources.map(({ row }) => (row.block < row.start_block ? 0 : row.finalized))
  state.nodes = createNodesFor({ urls, communities, finalizedBlock: Math.max(...finalized), withBinds, log })
  await openNodes(state.nodes, communities, log)
  state.states = await findStates(state.nodes, communities)
  return state.nodes
}

/** Reads the newest blocks. Resolves to the milliseconds until the next look. */
async function follow(state: State): Promise<number> {
  if (state.sources.length === 0) return state.pollInterval
  state.opening ??= openOnce(state).catch((error) => {
    state.opening = undefined
    throw error
  })
  const nodes = await state.opening
  const newest = await nodes.newest()
  state.head = newest.number
  if (state.groupsAre === 'outdated') {
    state.groups = await openGroups(
      state.tables,
      state.groups.flatMap(({ sources }) => sources),
    )
    state.groupsAre = 'current'
  }
  await admit(state, newest, nodes)
  let wait = state.pollInterval
  for (const group of state.groups) wait = Math.min(wait, await advance(state, group, newest, nodes))
  state.groups = joinGroups(state.groups)
  return state.replaced === undefined ? wait : replacedInterval
}

/** Starts to follow sources, or first to read their history. */
async function admit(state: State, newest: Header, nodes: Nodes): Promise<void> {
  const admitted = [...state.arrived]
  for (const source of admitted) {
    if (source.target === 0) await prepare(state, source, newest, nodes)
    source.target ||= newest.number
  }
  const toBlock = newest.number - nearHead
  const isFar = ({ row }: Source) => toBlock - row.finalized >= minBackfill
  const near = admitted.filter((source) => !isFar(source))
  for (const source of near) void analyzeEvents(state, source)
  state.groups.push(...(await openGroups(state.tables, near)))
  state.arrived = state.arrived.filter((source) => !admitted.includes(source))
  const far = admitted.filter(isFar)
  if (far.length > 0) void readHistory(state, far, toBlock, nodes).catch(state.fail)
  else if (state.history !== undefined && admitted.length > 0 && state.progress === undefined)
    state.log(
      `LINEAGE_HISTORY is not needed: fewer than ${minBackfill.toLocaleString('en')} blocks are missing. Unset it.`,
    )
}

/** Gives PostgreSQL statistics of a source's events. Nothing waits for it: without them, lookups are slow but true. */
async function analyzeEvents({ tables, log }: State, { community, row }: Source): Promise<void> {
  await tables.analyzeNew(row.id).catch((error) => {
    const reason = describeError(error)
    log(
      `The events of "${community.id}" were not analyzed: ${reason}. Lookups are slow until PostgreSQL does it.`,
      'warn',
    )
  })
}

/** Takes back readings of blocks that were replaced while nothing was read, and says what calls cost. */
async function prepare({ readings, tables, log }: State, source: Source, newest: Header, nodes: Nodes): Promise<void> {
  const { community, row } = source
  if (!community.asked) return
  const replaced = await findReplaced(readings, row.id, { newest: newest.number, headers: nodes.headers })
  const from = replaced === undefined ? undefined : Math.max(replaced, community.startBlock)
  // Blocks that the source has rows of are compared by its own headers.
  if (from !== undefined && row.block < row.start_block) await tables.takeBackReadings(row.id, from)
  const first = firstCallBlock(community)
  if (first === undefined) return
  const missing = Math.max(first, row.finalized + 1)
  log(await describeCost(nodes, { id: community.id, first: missing, newest: newest.number }))
}

async function openGroups(tables: Tables, members: readonly Source[]): Promise<Group[]> {
  const found: Group[] = []
  for (const source of members) {
    source.row = await tables.reloadSource(source.row.id)
    found.push(await openGroup(source, tables))
  }
  return joinGroups(found)
}

/** Reads the next blocks of a group. Resolves to the milliseconds until the next look. */
async function advance(state: State, group: Group, newest: Header, nodes: Nodes): Promise<number> {
  const { tables, log } = state
  const { readings, states, sweepInterval } = state
  const plan = await advanceGroup({ group, newest, nodes, tables, readings, states, sweepInterval, log })
  const before = state.replaced
  state.replaced = plan.action === 'refuse' ? describeReplaced(plan.block) : undefined
  if (state.replaced !== undefined && state.replaced !== before) log(state.replaced, 'error')
  if (plan.action !== 'refuse') state.chain = 'checked'
  const others = createNodeSource({ openHistory: nodes.openSecond, nodeOf: nodes.nodeOf })
  const check = {
    group,
    others,
    nodes,
    tables,
    readings,
    log,
    onWrong: (node: string | undefined, block: number) => noteWrong(state, node, block),
  }
  await lookBack(check, performance.now())
  await recheckGroup(check)
  const tip = group.known.at(-1)?.number ?? 0
  return plan.action === 'store' && tip < newest.number ? 0 : state.pollInterval
}

function noteWrong({ wrong, nodes }: State, node: string | undefined, block: number): void {
  if (node !== undefined) nodes?.distrust(node)
  const { from, to, blocks } = wrong.get(node ?? null) ?? { from: block, to: block, blocks: 0 }
  const range = { from: Math.min(from, block), to: Math.max(to, block) }
  wrong.set(node ?? null, { ...range, blocks: blocks + 1, at: Date.now() })
}

/** Reads the history of sources, over failures of the database. */
async function readHistory(state: State, missing: Source[], toBlock: number, nodes: Nodes): Promise<void> {
  const { tables, log } = state
  const startedAt = performance.now()
  const retry = createRetry({ log })
  const first = firstMissing(missing)
  const total = toBlock - first + 1
  const onProgress = (block: number) => {
    state.progress = { done: block - first + 1, total }
  }
  onProgress(first - 1)
  log(`Reading the history of ${total} blocks.`)
  let source: HistorySource = createNodeSource(nodes, retry)
  if (state.history !== undefined && listMissing(missing).length > 0)
    source = await createFileSource({
      path: state.history,
      filter: listMissing(missing),
      others: state.communities.flatMap(({ asked }) => asked?.files.map((file) => basename(file)) ?? []),
      missing: [{ fromBlock: first, toBlock }],
      nodes: source,
      ask: retry,
      log,
    })
  await untilStored(state, async () => {
    for (const one of missing) one.row = await tables.reloadSource(one.row.id)
    await backfill({
      ...{ sources: missing, toBlock, history: source, nodes, tables, onProgress, retry, log },
      ...{ readings: state.readings, states: state.states },
    })
  })
  // Followed by the next look: groups change there only.
  state.arrived.push(...missing)
  state.progress = undefined
  log(`Read the history of ${total} blocks in ${Math.round((performance.now() - startedAt) / 1_000)} s.`)
}

/** Checks sources that have become live, and sometimes all of them. */
async function check(state: State): Promise<number> {
  // Without nodes nothing can be compared, and the findings of the last reader stay.
  if (!state.nodes?.canRead()) return lookInterval
  // While a source catches up, an answer of the contract would be missing because of the node, not of the configuration.
  const oldest = (state.head ?? Number.POSITIVE_INFINITY) - recentStates
  const current = state.sources.filter(({ row }) => row.state === 'live' && row.block > oldest)
  await state.checks.checkNew(current)
  if (performance.now() - state.checkedAt < checkInterval) return lookInterval
  await state.checks.checkAgain(current)
  state.checkedAt = performance.now()
  return lookInterval
}

/** Saves the report every two seconds, and at once when more than the newest block has changed. */
async function report(state: State): Promise<number> {
  const found = toReport(state, state.checks)
  const faults = JSON.stringify({ ...found, headBlock: null, progress: null })
  if (faults === state.saved.faults && performance.now() - state.saved.at < reportInterval) return lookInterval
  await state.tables.saveReport(found)
  state.saved = { faults, at: performance.now() }
  return lookInterval
}

/** Repeats a task while the database fails. */
async function untilStored(state: State, task: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await task()
      return endFault(state, task)
    } catch (error) {
      await delay(noteFault(state, task, error))
    }
  }
}

/** Runs a task repeatedly, at intervals of the milliseconds it resolves to, which its own time is a part of. */
async function repeat(state: State, task: (state: State) => Promise<number>): Promise<void> {
  for (;;) {
    const startedAt = performance.now()
    let wait: number
    try {
      wait = await task(state)
      endFault(state, task)
    } catch (error) {
      wait = noteFault(state, task, error)
    }
    await delay(Math.max(startedAt + wait - performance.now(), 0))
  }
}

/** Logs a failure once. Returns the milliseconds to wait, or throws an error that ends the reader. */
function noteFault(state: State, task: unknown, error: unknown): number {
  if ([LostSourceError, WrongNodeError, HistoryFileError, ConfigError].some((fatal) => error instanceof fatal))
    throw error
  const isOfNodes = error instanceof NodeError
  const database = isOfNodes ? 'answering' : findDatabaseState(error)
  const message = isOfNodes
    ? `The newest blocks cannot be read: ${error.message}`
    : `The tables cannot be written: ${describeError(error)}. Trying again.`
  if (![...state.faults.values()].some((fault) => fault.message === message)) state.log(message, 'error')
  const inRow = (state.faults.get(task)?.inRow ?? 0) + 1
  state.faults.set(task, { database, message, inRow })
  if (isOfNodes) return Math.max(state.pollInterval, Math.min(state.pollInterval * 2 ** inRow, retryInterval))
  // Whether the last transaction was committed is unknown.
  state.groupsAre = 'outdated'
  state.database = database
  return retryInterval
}

function findDatabaseState(error: unknown): ReaderState['database'] {
  const fault = findDatabaseFault(error)
  if (fault === 'read_only') return fault
  return fault === 'disk_full' ? 'full' : 'failing'
}

/** Ends the fault of a task. One task may still fail while others succeed. */
function endFault(state: State, task: unknown): void {
  state.faults.delete(task)
  const others = [...state.faults.values()].map(({ database }) => database)
  const database = others.find((one) => one !== 'answering') ?? 'answering'
  if (database === 'answering' && state.database !== database) state.log('The tables are written again.')
  state.database = database
}

const describeReplaced = (block: number) =>
  `The nodes serve another chain than the one that the index was read from, or a fork: block ${block}, which was final, differs. Nothing is served. If the nodes are right, read everything anew: "reader reread".`
