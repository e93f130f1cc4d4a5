import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Status } from '@lineage/referral-api'
import { serviceRoutes, splitRoute } from '@lineage/referral-api/routes'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { summarizeError } from '../lib/log.ts'
import type { ObservedRequest } from './observe.ts'

/** Functions that read the values when Prometheus asks. */
export type MetricSources = {
  readStatus: () => Status
  /** Members by community; `undefined` while a community is not served. */
  readMembers: () => ReadonlyMap<string, number | undefined>
  /** Lookups that run or wait, and how many were refused. */
  lookups: () => { lookups: number; refused: number }
  rpcBytes: () => number
  accounts: () => { health: 'working' | 'failing' | 'unknown'; waiting: number }
}

export type NodeRequest = { node: string; outcome: 'answered' | 'failed'; milliseconds: number }

/** The route of streams as `noteRequest` gets it. */
const streamRoute = `/v1${splitRoute(serviceRoutes.live).path}`

/** Buckets in seconds: lookups take milliseconds, nodes and a CSV seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

export type Metrics = ReturnType<typeof createMetrics>

/**
 * Creates the metrics of this server and of its index.
 *
 * @see https://prometheus.io/docs/practices/naming/
 */
export function createMetrics() {
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
    /** Counts alerts that this server has derived. */
    noteAlerts: (count: number) => alerts.inc(count),
    noteDelivery: (outcome: 'delivered' | 'failed' | 'paused') => deliveries.inc({ outcome }),
    noteRequest({ route, status, milliseconds }: ObservedRequest) {
      // A stream lasts as long as its reader stays, which is not a slow answer.
      if (route !== streamRoute) requests.observe({ route, status }, milliseconds / 1_000)
    },
    noteNodeRequest: ({ node, outcome, milliseconds }: NodeRequest) =>
      nodes.observe({ node, outcome }, milliseconds / 1_000),
    /** Sets the sources of the gauges. */
    connect(sources: MetricSources) {
      for (const gauge of listGauges(sources)) addGauge(registry, gauge)
      const sheds = new Counter({
        name: 'lineage_sheds_total',
        help: 'Lookups refused because too many waited.',
        registers,
        collect() {
          sheds.reset()
          sheds.inc(sources.lookups().refused)
        },
      })
    },
    /** Returns the metrics in the text format of Prometheus. */
    read: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  }
}

/** Lists the gauges: the name of each, what it says, its labels, and its values now. */
const listGauges = ({ lookups, rpcBytes, accounts, readStatus, readMembers }: MetricSources): GaugeRow[] => [
  ['lineage_lookups_in_flight', 'Lookups that run or wait.', [], () => one(lookups().lookups)],
  ['lineage_rpc_bytes_in_flight', 'Bytes of /v1/rpc held in memory.', [], () => one(rpcBytes())],
  ['lineage_accounts_waiting', "Statements that wait for the accounts' database.", [], () => one(accounts().waiting)],
  [
    'lineage_accounts_up',
    "1 while the accounts' database works.",
    [],
    () => one(accounts().health === 'working' ? 1 : 0),
  ],
  [
    'lineage_index_ready',
    '1 when the index answers and nothing keeps it from being relied on.',
    [],
    () => one(isReady(readStatus())),
  ],
  ['lineage_index_block', 'Newest block of the index.', [], () => one(readStatus().asOf?.block)],
  ['lineage_head_block', 'Newest block that the nodes have reported.', [], () => one(readStatus().headBlock)],
  ['lineage_index_age_seconds', 'Age of the newest block of the index.', [], () => one(ageOf(readStatus()))],
  [
    'lineage_reason',
    'Reasons of /v1/status that hold, such as disk_full.',
    ['code', 'community'],
    () => (readStatus().reasons ?? []).map(({ code, community }) => [{ code, community: community ?? '' }, 1]),
  ],
  [
    'lineage_warning',
    'Warnings of /v1/status, such as node_silent.',
    ['kind', 'node', 'community'],
    () =>
      readStatus().warnings.map(({ kind, node, community }) => {
        return [{ kind, node: node ?? '', community: community ?? '' }, 1]
      }),
  ],
  [
    'lineage_spot_checks',
    'Members that were compared with the contract.',
    ['community', 'outcome'],
    () => readStatus().spotChecks.flatMap(toOutcomes),
  ],
  [
    'lineage_community_members',
    'Members of a community.',
    ['community'],
    () => [...readMembers()].flatMap(([community, members]) => one(members, { community })),
  ],
]

type GaugeRow = [name: string, help: string, labelNames: string[], read: () => Labelled[]]
type Labelled = [labels: Record<string, string>, value: number]
type SpotCheck = Status['spotChecks'][number]

/** Returns how many members were compared, differ, or could not be read. */
function toOutcomes({ community, checked, differing, unreadable }: SpotCheck): Labelled[] {
  return Object.entries({ compared: checked, differing, unreadable }).map(([outcome, count]) => [
    { community, outcome },
    count,
  ])
}

const isReady = ({ state, reasons = [] }: Status): number =>
  state === 'ready' && reasons.every(({ code }) => code === 'community_withheld') ? 1 : 0

const ageOf = ({ asOf }: Status) => asOf && Math.max(0, Date.now() / 1_000 - asOf.timestamp)

/** Returns the value of a gauge, which has none while it is not known. */
const one = (value: number | null | undefined, labels = {}): Labelled[] =>
  typeof value === 'number' ? [[labels, value]] : []

function addGauge(registry: Registry, [name, help, labelNames, read]: GaugeRow): void {
  const gauge = new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      // A gauge without labels would be 0 after a reset.
      if (labelNames.length === 0) gauge.remove()
      else gauge.reset()
      for (const [labels, value] of read()) gauge.set(labels, value)
    },
  })
}

/** Serves the metrics at `/metrics` of a port of their own. Logs if that is taken: lookups do not need it. */
export function listenMetrics(metrics: Pick<Metrics, 'read'>, { host, port }: { host: string; port: number }): Server {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return response.writeHead(404).end()
    try {
      const { type, text } = await metrics.read()
      return response.writeHead(200, { 'content-type': type }).end(text)
    } catch (error) {
      return response.writeHead(503, { 'content-type': 'text/plain' }).end(`${summarizeError(error)}\n`)
    }
  }
  const server = createServer((request, response) => void answer(request, response))
  server.on('error', (error) =>
    console.error(`The metrics of LINEAGE_METRICS_PORT are not served: ${summarizeError(error)}.`),
  )
  return server.listen({ host, port })
}
