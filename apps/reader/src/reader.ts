import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Community } from '@lineage/communities'
import { createIndexTables, describeError, openPool, type SourceRow } from '@lineage/database'
import { backfill, createRetry, listMissing } from './backfill.ts'
import { createSpotChecks } from './checks/createSpotChecks.ts'
import { createCheckQueries } from './checks/queries.ts'
import { hasCode, readView } from './checks/readContract.ts'
import { createDecoder } from './decode.ts'
import { advanceGroup, type Group, joinGroups, openGroup, type Source } from './follow.ts'
import { createFileSource } from './history/fileSource.ts'
import type { HistorySource } from './history/HistorySource.ts'
import { createNodeSource } from './history/nodeSource.ts'
import { HistoryFileError } from './history/tableFile.ts'
import { createSourceLocks } from './locks.ts'
import type { Nodes } from './nodes/createNodes.ts'
import { NodeError } from './nodes/nodeError.ts'
import { createNodesFor, openNodes, WrongNodeError } from './nodes/openNodes.ts'
import type { Header } from './nodes/rpc.ts'
import { recheckGroup } from './recheck.ts'
import { toReport } from './report.ts'
import { createTables, LostSourceError } from './tables.ts'

export type ReaderParameters = {
  databaseUrl: string
  communities: readonly Community[]
  /** URLs of the nodes in order of preference. */
  urls: readonly string[]
  /** File or folder of logs to read instead of the nodes' logs. */
  history: string | undefined
  /** Milliseconds between two requests for the newest block. */
  pollInterval: number
  log: (message: string) => void
}

/** Number of newest blocks that are read one by one, with checks that a wide range of logs does not allow. */
const nearHead = 256
/** Number of missing blocks from which they are read in wide ranges. */
const minBackfill = 1_000
const lockInterval = 500
const reportInterval = 2_000
const checkInterval = 60_000
/** Milliseconds between two looks whether there is something to check or to report. */
const lookInterval = 200
const retryInterval = 2_000
/** Milliseconds between two looks at a chain that was replaced. */
const replacedInterval = 10_000

/** What a reader does, for its report and its metrics. */
export type ReaderState = {
  /** Newest block of the nodes. */
  head: number | null
  /** Reason why nothing can be served: the nodes have replaced final blocks. */
  replaced: string | undefined
  /** Whether the stored blocks were compared with those of the nodes. */
  chain: 'unchecked' | 'checked'
  /** Blocks of the running back-fill. */
  progress: { done: number; total: number } | undefined
  role: 'starting' | 'standby' | 'writer'
  database: 'answering' | 'failing'
  sources: readonly Source[]
  nodes: Nodes | undefined
}

/** Creates a reader, which writes the events of communities into the tables while no other reader does. */
export function createReader({ databaseUrl, communities, urls, history, pollInterval, log }: ReaderParameters) {
  const pool = openPool({ url: databaseUrl, max: 4, timeout: 60_000 })
  const tables = createTables(pool, randomUUID())
  const locks = createSourceLocks(databaseUrl)
  const opened = new Map<string, SourceRow>()
  const sources: Source[] = []
  /** Sources to follow or to back-fill from the next look on. */
  let arrived: Source[] = []
  let groups: Group[] = []
  let groupsAre: 'current' | 'outdated' = 'current'
  let opening: Promise<Nodes> | undefined
  const state: ReaderState = {
    head: null,
    replaced: undefined,
    chain: 'unchecked',
    progress: undefined,
    role: 'starting',
    database: 'answering',
    sources,
    nodes: undefined,
  }
  const { promise: ended, reject: fail } = Promise.withResolvers<void>()

  /** Takes the sources that no other reader has. */
  async function takeSources(): Promise<number> {
    for (const community of communities) {
      const row = opened.get(community.id) ?? (await tables.openSource(community))
      opened.set(community.id, row)
      const isFree = await locks.take(row.id)
      const isOwn = sources.some((source) => source.row.id === row.id)
      if (isOwn && !isFree) throw new LostSourceError('Another reader has taken over.')
      if (isOwn || !isFree) continue
      const taken = await tables.takeSource(row.id)
      const source = { community, decoder: createDecoder(community), row: taken, target: 0 }
      sources.push(source)
      arrived.push(source)
      log(`Community "${community.id}" is read from block ${source.row.block + 1} on.`)
    }
    if (sources.length < communities.length && state.role === 'starting')
      log('Another reader writes to this database. This one is a standby: it takes over when the other ends.')
    state.role = sources.length < communities.length ? 'standby' : 'writer'
    return lockInterval
  }

  /** Opens the nodes when there is something to read. */
  async function openOnce(): Promise<Nodes> {
    const withBinds: string[] = []
    for (const { community, row } of sources) if (await tables.hasBinds(row.id)) withBinds.push(community.id)
    const finalized = sources.map(({ row }) => (row.block < row.start_block ? 0 : row.finalized))
    const finalizedBlock = Math.max(...finalized)
    state.nodes = createNodesFor({ urls, communities, finalizedBlock, withBinds, log })
    await openNodes(state.nodes, communities, log)
    return state.nodes
  }

  /** Reads the newest blocks. Resolves to the milliseconds until the next look. */
  async function follow(): Promise<number> {
    if (sources.length === 0) return pollInterval
    opening ??= openOnce().catch((error) => {
      opening = undefined
      throw error
    })
    const nodes = await opening
    const newest = await nodes.newest()
    state.head = newest.number
    if (groupsAre === 'outdated') {
      groups = await openGroups(groups.flatMap((group) => group.sources))
      groupsAre = 'current'
    }
    await admit(newest, nodes)
    let wait = pollInterval
    for (const group of groups) wait = Math.min(wait, await advance(group, newest, nodes))
    groups = joinGroups(groups)
    return state.replaced === undefined ? wait : replacedInterval
  }

  /** Starts to follow sources, or first to read their history. */
  async function admit(newest: Header, nodes: Nodes): Promise<void> {
    const admitted = arrived
    for (const source of admitted) source.target ||= newest.number
    const toBlock = newest.number - nearHead
    const isFar = ({ row }: Source) => toBlock - row.finalized >= minBackfill
    const near = await openGroups(admitted.filter((source) => !isFar(source)))
    groups.push(...near)
    arrived = arrived.filter((source) => !admitted.includes(source))
    const far = admitted.filter(isFar)
    if (far.length > 0) void readHistory(far, toBlock, nodes).catch(fail)
  }

  async function openGroups(members: readonly Source[]): Promise<Group[]> {
    const found: Group[] = []
    for (const source of members) {
      source.row = await tables.reloadSource(source.row.id)
      found.push(await openGroup(source, tables))
    }
    return joinGroups(found)
  }

  /** Reads the next blocks of a group. Resolves to the milliseconds until the next look. */
  async function advance(group: Group, newest: Header, nodes: Nodes): Promise<number> {
    const plan = await advanceGroup({ group, newest, nodes, tables, log })
    const before = state.replaced
    state.replaced = plan.action === 'refuse' ? describeReplaced(plan.block) : undefined
    if (state.replaced !== undefined && state.replaced !== before) log(state.replaced)
    if (plan.action !== 'refuse') state.chain = 'checked'
    const others = createNodeSource({ openHistory: nodes.openSecond })
    await recheckGroup({ group, others, nodes, tables, log })
    const tip = group.known.at(-1)?.number ?? 0
    return plan.action === 'store' && tip < newest.number ? 0 : pollInterval
  }

  /** Reads the history of sources, over failures of the database. */
  async function readHistory(missing: Source[], toBlock: number, nodes: Nodes): Promise<void> {
    const startedAt = performance.now()
    const retry = createRetry({ log })
    const first = Math.min(...listMissing(missing).map(({ fromBlock }) => fromBlock))
    const total = toBlock - first + 1
    state.progress = { done: 0, total }
    log(`Reading the history of ${total} blocks.`)
    const onProgress = (block: number) => {
      state.progress = { done: block - first + 1, total }
    }
    let source: HistorySource = createNodeSource(nodes)
    if (history !== undefined)
      source = await createFileSource({
        path: history,
        filter: listMissing(missing),
        missing: [{ fromBlock: first, toBlock }],
        nodes: source,
        ask: retry,
        log,
      })
    await untilStored(async () => {
      for (const one of missing) one.row = await tables.reloadSource(one.row.id)
      await backfill({ sources: missing, toBlock, history: source, nodes, tables, onProgress, retry, log })
    })
    // Followed by the next look: groups change there only.
    arrived.push(...missing)
    state.progress = undefined
    log(`Read the history of ${total} blocks in ${Math.round((performance.now() - startedAt) / 1_000)} s.`)
  }

  /** Repeats a task while the database fails. */
  async function untilStored(task: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await task()
      } catch (error) {
        await delay(waitAfter(error))
      }
    }
  }

  /** Runs a task repeatedly, each time after the number of milliseconds it resolves to. */
  async function repeat(task: () => Promise<number>): Promise<void> {
    for (;;) {
      let wait: number
      try {
        wait = await task()
        reported = undefined
        state.database = 'answering'
      } catch (error) {
        wait = waitAfter(error)
      }
      await delay(wait)
    }
  }

  let reported: string | undefined
  /** Logs a failure once. Returns the milliseconds to wait, or throws an error that ends the reader. */
  function waitAfter(error: unknown): number {
    if ([LostSourceError, WrongNodeError, HistoryFileError].some((fatal) => error instanceof fatal)) throw error
    const isOfNodes = error instanceof NodeError
    const message = isOfNodes
      ? `The newest blocks cannot be read: ${error.message}`
      : `The tables cannot be written: ${describeError(error)}. Trying again.`
    if (message !== reported) log(message)
    reported = message
    if (isOfNodes) return pollInterval
    // Whether the last transaction was committed is unknown.
    groupsAre = 'outdated'
    state.database = 'failing'
    return retryInterval
  }

  const checks = createSpotChecks({
    queries: createCheckQueries(pool),
    readView: (community, member, block) => readView(state.nodes as Nodes, community, member, block),
    hasCode: (address) => hasCode(state.nodes as Nodes, address),
    log,
  })
  let checkedAt = performance.now()

  /** Checks sources that have become live, and sometimes all of them. */
  async function check(): Promise<number> {
    await checks.checkNew(sources.filter(({ row }) => row.state === 'live'))
    if (performance.now() - checkedAt < checkInterval) return lookInterval
    await checks.checkAgain()
    checkedAt = performance.now()
    return lookInterval
  }

  let saved = { faults: '', at: Number.NEGATIVE_INFINITY }
  /** Saves the report every two seconds, and at once when more than the newest block has changed. */
  async function report(): Promise<number> {
    const found = toReport(state, checks)
    const faults = JSON.stringify({ ...found, headBlock: null, progress: null })
    if (faults === saved.faults && performance.now() - saved.at < reportInterval) return lookInterval
    await tables.saveReport(found)
    saved = { faults, at: performance.now() }
    return lookInterval
  }

  return {
    state,
    /** Reads until an error that ends the process. */
    async run(): Promise<void> {
      await untilStored(() => createIndexTables(pool))
      await untilStored(async () => void (await takeSources()))
      repeat(takeSources).catch(fail)
      repeat(follow).catch(fail)
      repeat(check).catch(fail)
      repeat(report).catch(fail)
      return ended
    },
    async stop(): Promise<void> {
      await locks.close()
      await pool.end()
    },
  }
}

const describeReplaced = (block: number) =>
  `The nodes serve another chain than the one that the index was read from, or a fork: block ${block}, which was final, differs. Nothing is served. If the nodes are right, read everything anew: "reader reread".`
