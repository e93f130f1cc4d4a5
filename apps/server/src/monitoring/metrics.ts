import type { Status } from '@lineage/referral-api'
import { serviceRoutes, splitRoute } from '@lineage/referral-api/routes'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { isAnswering, type KnownIndexer } from '../indexer/chooseIndexer.ts'
import type { ObservedRequest } from './observe.ts'

/** Functions that read the values when Prometheus asks. */
export type MetricSources = {
  readStatus: () => Promise<Status>
  /** Members by community, as reported by the indexer. */
  readMembers: () => Promise<ReadonlyMap<string, number>>
  overload: () => { level: number; lookups: number; refusedRequests: number; refusedLookups: number }
  rpcBytes: () => number
  indexers: () => readonly KnownIndexer[]
  accounts: () => { health: 'working' | 'failing' | 'unknown'; waiting: number }
}

export type NodeRequest = { node: string; outcome: 'answered' | 'failed'; milliseconds: number }

export type Metrics = {
  noteRequest: (request: ObservedRequest) => void
  noteNodeRequest: (request: NodeRequest) => void
  /** Counts alerts that this server has derived. */
  noteAlerts: (alerts: number) => void
  noteDelivery: (outcome: 'delivered' | 'failed' | 'paused') => void
  /** Sets the sources of the gauges. */
  connect: (sources: MetricSources) => void
  /** Returns the metrics in the text format of Prometheus. */
  read: () => Promise<{ type: string; text: string }>
}

/** The route of streams as `noteRequest` gets it. */
const streamRoute = `/v1${splitRoute(serviceRoutes.live).path}`

/** Buckets in seconds: lookups take milliseconds, nodes and a CSV seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/**
 * Creates the metrics of this server, including those that the indexer reports.
 *
 * @see https://prometheus.io/docs/practices/naming/
 */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  // Includes the delay of the event loop and the memory.
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'lineage_request_duration_seconds',
    help: 'Time until a response was sent, by route and status. 499: the visitor left.',
    labelNames: ['route', 'status'],
    buckets,
    registers,
  })
  const nodes = new Histogram({
    name: 'lineage_node_request_duration_seconds',
    help: 'Time of a node to answer calls of /v1/rpc, by node and outcome.',
    labelNames: ['node', 'outcome'],
    buckets,
    registers,
  })
  const alerts = new Counter({
    name: 'lineage_alerts_total',
    help: 'Alerts that this server has derived, retractions among them.',
    registers,
  })
  const deliveries = new Counter({
    name: 'lineage_webhook_deliveries_total',
    help: 'Tries to deliver an alert, by outcome. paused: the webhook has failed for a day.',
    labelNames: ['outcome'],
    registers,
  })
  return {
    noteAlerts: (count) => alerts.inc(count),
    noteDelivery: (outcome) => deliveries.inc({ outcome }),
    noteRequest({ route, status, milliseconds }) {
      // A stream lasts as long as its reader stays, which is not a slow answer.
      if (route !== streamRoute) requests.observe({ route, status }, milliseconds / 1_000)
    },
    noteNodeRequest: ({ node, outcome, milliseconds }) => nodes.observe({ node, outcome }, milliseconds / 1_000),
    connect(sources) {
      addServerGauges(registry, sources)
      addIndexGauges(registry, sources)
      addIndexerGauges(registry, sources)
    },
    read: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  }
}

function addServerGauges(registry: Registry, { overload, rpcBytes, accounts }: MetricSources): void {
  addGauge(
    registry,
    'lineage_overload_level',
    '0: everyone is admitted. 1: only visitors with few requests are.',
    () => overload().level,
  )
  addGauge(registry, 'lineage_lookups_in_flight', 'Lookups that the indexers work on.', () => overload().lookups)
  addGauge(registry, 'lineage_rpc_bytes_in_flight', 'Bytes of /v1/rpc held in memory.', rpcBytes)
  addGauge(
    registry,
    'lineage_accounts_waiting',
    "Statements that wait for the accounts' database.",
    () => accounts().waiting,
  )
  addGauge(registry, 'lineage_accounts_up', "0 while the accounts' database fails.", () =>
    accounts().health === 'failing' ? 0 : 1,
  )
  const sheds = new Counter({
    name: 'lineage_sheds_total',
    help: 'Requests refused for too much load: requests before the app, or lookups beyond those the indexer may have.',
    labelNames: ['part'],
    registers: [registry],
    collect() {
      sheds.reset()
      sheds.inc({ part: 'requests' }, overload().refusedRequests)
      sheds.inc({ part: 'lookups' }, overload().refusedLookups)
    },
  })
}

function addIndexGauges(registry: Registry, { readStatus, readMembers }: MetricSources): void {
  const add = (name: string, help: string, read: (status: Status) => number | undefined) =>
    addGauge(registry, name, help, async () => read(await readStatus()))
  add('lineage_index_ready', '1 when the index answers and nothing keeps it from being relied on.', isReady)
  add('lineage_index_block', 'Newest block of the index.', ({ asOf }) => asOf?.block)
  add('lineage_head_block', 'Newest block that the nodes have reported.', ({ headBlock }) => headBlock ?? undefined)
  add('lineage_index_age_seconds', 'Age of the newest block of the index.', ({ asOf }) =>
    asOf ? Math.max(0, Date.now() / 1_000 - asOf.timestamp) : undefined,
  )
  addLabelled(
    registry,
    'lineage_reason',
    'Reasons of /v1/status that hold, such as disk_full.',
    ['code', 'community'],
    async () =>
      ((await readStatus()).reasons ?? []).map(({ code, community }) => [{ code, community: community ?? '' }, 1]),
  )
  addLabelled(
    registry,
    'lineage_warning',
    'Warnings of /v1/status, such as node_silent.',
    ['kind', 'node', 'community'],
    async () =>
      (await readStatus()).warnings.map(({ kind, node, community }) => [
        { kind, node: node ?? '', community: community ?? '' },
        1,
      ]),
  )
  addLabelled(
    registry,
    'lineage_spot_checks',
    'Members that were compared with the contract.',
    ['community', 'outcome'],
    async () => (await readStatus()).spotChecks.flatMap(toOutcomes),
  )
  addLabelled(registry, 'lineage_community_members', 'Members of a community.', ['community'], async () =>
    [...(await readMembers())].map(([community, members]) => [{ community }, members]),
  )
}

/** Adds the gauges of each indexer's state. */
function addIndexerGauges(registry: Registry, { indexers, readStatus }: MetricSources): void {
  const add = (name: string, help: string, read: (one: KnownIndexer) => number) =>
    addLabelled(registry, name, help, ['indexer'], async () => {
      await readStatus()
      return indexers().map((one) => [{ indexer: one.name }, read(one)])
    })
  add('lineage_indexer_up', '1 while the indexer answers lookups.', (one) => (isAnswering(one) ? 1 : 0))
  add('lineage_indexer_block', 'Newest block of the last answer of the indexer.', ({ block }) => block)
  add('lineage_indexer_lookups', 'Lookups that the indexer works on.', ({ running }) => running)
}

type SpotCheck = Status['spotChecks'][number]

/** Returns how many members were compared, differ, or could not be read. */
function toOutcomes({ community, checked, differing, unreadable }: SpotCheck): [Record<string, string>, number][] {
  return Object.entries({ compared: checked, differing, unreadable }).map(([outcome, count]) => [
    { community, outcome },
    count,
  ])
}

const isReady = ({ state, reasons = [] }: Status): number =>
  state === 'ready' && reasons.every(({ code }) => code === 'community_withheld') ? 1 : 0

/** Adds a gauge without a value while `read` returns `undefined`. */
function addGauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => number | undefined | Promise<number | undefined>,
): void {
  addLabelled(registry, name, help, [], async () => {
    const value = await read()
    return value === undefined ? [] : [[{}, value]]
  })
}

function addLabelled(
  registry: Registry,
  name: string,
  help: string,
  labelNames: string[],
  read: () => Promise<[labels: Record<string, string>, value: number][]>,
): void {
  const gauge = new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      const values = await read()
      // A gauge without labels would be 0 after a reset.
      if (labelNames.length === 0) gauge.remove()
      else gauge.reset()
      for (const [labels, value] of values) gauge.set(labels, value)
    },
  })
}
