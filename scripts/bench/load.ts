/**
 * `pnpm bench:load [--rate 200] [--connections 500] [--seconds 10] [--json]`: puts ten times the rated load on the
 * product with demo data, on this machine only. Measures the response times for another visitor meanwhile, and the
 * memory of each process.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { percentile, printTable, readNumber, short } from './figures.ts'
import { type Memory, readMemory } from './readMemory.ts'
import { startProduct } from './startProduct.ts'
import type { Visitors, VisitorsResult } from './visitors.ts'

const rate = readNumber('rate', 200) * 10
const connections = readNumber('connections', 500)
const seconds = readNumber('seconds', 10)
/** Number of requests of the other visitors so far. */
let asked = 0
/** Limits in milliseconds and MB. */
const targets = { lookup: 250, health: 100, grownMb: 300, recovery: 5_000 }

// Each visitor of the load sends its own address.
process.env.LINEAGE_TRUST_PROXY = '1'
const product = await startProduct()
const url = product.url.replace('localhost', '127.0.0.1')
const { items } = (await (await fetch(`${url}/v1/communities`)).json()) as { items: { id: string }[] }
const lookup = `/v1/communities/${items[0]?.id}/metrics`
const { leaders } = (await (await fetch(`${url}${lookup}`)).json()) as { leaders: { team: { address: string }[] } }
const csv = `/v1/communities/${items[0]?.id}/members/${leaders.team[0]?.address}/referrals.csv`
const call = (method: string, params: unknown[]) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

const loads: [name: string, load: Pick<Visitors, 'path' | 'visitors' | 'body'>][] = [
  ['lookups of many visitors', { path: lookup, visitors: connections }],
  ['lookups of one visitor', { path: lookup, visitors: 1 }],
  ['CSV files of many visitors', { path: csv, visitors: connections }],
  ['pages', { path: '/', visitors: connections }],
  [
    'blocks through /v1/rpc',
    { path: '/v1/rpc', visitors: connections, body: call('eth_getBlockByNumber', ['latest', true]) },
  ],
  ['logs of one visitor', { path: '/v1/rpc', visitors: 1, body: call('eth_getLogs', [{ fromBlock: '0x0' }]) }],
]

try {
  await measure(3_000)
  const idle = readMemory(product.pid)
  const rows: Row[] = [toRow('no load', await measure(3_000), idle, idle)]
  for (const [name, load] of loads) {
    const running = run({ url, connections, rate, seconds, ...load })
    // The server needs the first second to detect the load.
    await delay(1_000)
    const [other, memory] = await Promise.all([measure((seconds - 2) * 1_000), watchMemory((seconds - 2) * 1_000)])
    const result = await running
    const recoveryMs = await recover()
    rows.push({ ...toRow(name, other, memory, idle), ...result, recoveryMs })
  }
  print(rows)
} finally {
  await product.stop()
}

type Probe = { lookup: number[]; health: number[]; refused: number }
type Row = Partial<VisitorsResult> & {
  name: string
  lookupP95: number
  healthP95: number
  refused: number
  grown: Memory
  recoveryMs?: number
}

function run(visitors: Visitors): Promise<VisitorsResult> {
  const args = [join(import.meta.dirname, 'visitors.ts'), JSON.stringify(visitors)]
  const limit = (visitors.seconds + 30) * 1_000
  return promisify(execFile)(process.execPath, args, { timeout: limit }).then(({ stdout }) => JSON.parse(stdout))
}

/** Sends requests as four other visitors, each a lookup and a health check once a second. */
async function measure(milliseconds: number): Promise<Probe> {
  const probe: Probe = { lookup: [], health: [], refused: 0 }
  const end = performance.now() + milliseconds
  while (performance.now() < end) {
    const next = delay(250)
    const [status, time] = await ask(lookup)
    if (status === 200) probe.lookup.push(time)
    else probe.refused++
    probe.health.push((await ask('/v1/health'))[1])
    await next
  }
  return probe
}

async function ask(path: string): Promise<[status: number, milliseconds: number]> {
  const startedAt = performance.now()
  const headers = { 'x-forwarded-for': `192.0.2.${(asked++ >> 1) % 4}`, connection: 'close' }
  const signal = AbortSignal.timeout(10_000)
  const response = await fetch(`${url}${path}`, { headers, signal }).catch(() => undefined)
  await response?.arrayBuffer().catch(() => undefined)
  return [response?.status ?? 0, performance.now() - startedAt]
}

/** Returns the milliseconds until three lookups in a row are answered in time. */
async function recover(): Promise<number> {
  const startedAt = performance.now()
  let inARow = 0
  while (inARow < 3 && performance.now() - startedAt < 30_000) {
    const next = delay(100)
    const [status, time] = await ask(lookup)
    await next
    inARow = status === 200 && time < targets.lookup ? inARow + 1 : 0
  }
  return performance.now() - startedAt
}

/** Returns the peak memory of the server and the reader, in MB. */
async function watchMemory(milliseconds: number): Promise<Memory> {
  const end = performance.now() + milliseconds
  let most = readMemory(product.pid)
  while (performance.now() < end) {
    await delay(500)
    const now = readMemory(product.pid)
    most = { server: Math.max(most.server, now.server), reader: Math.max(most.reader, now.reader) }
  }
  return most
}

function toRow(name: string, { lookup, health, refused }: Probe, memory: Memory, idle: Memory): Row {
  const grown = { server: memory.server - idle.server, reader: memory.reader - idle.reader }
  return { name, lookupP95: percentile(lookup, 0.95), healthP95: percentile(health, 0.95), refused, grown }
}

function print(rows: Row[]): void {
  if (process.argv.includes('--json')) {
    console.log(JSON.stringify({ rate, connections, targets, rows }))
    return
  }
  const statuses = (row: Row) =>
    Object.entries(row.byStatus ?? {})
      .map(([status, count]) => `${status}: ${count}`)
      .join(', ')
  printTable([
    [
      `${connections} connections, ${rate}/s`,
      'answers/s',
      'lookup p95',
      'health p95',
      'refused',
      'server MB',
      'reader MB',
      'normal after',
      'load answered',
    ],
    ...rows.map((row) => [
      row.name,
      short(row.perSecond),
      short(row.lookupP95),
      short(row.healthP95),
      String(row.refused),
      short(row.grown.server),
      short(row.grown.reader),
      short(row.recoveryMs),
      statuses(row),
    ]),
  ])
  console.log('\nTimes in ms and lookups refused are those of another visitor; MB is growth above idle.')
  console.log(
    `Targets: lookup ${targets.lookup}, health ${targets.health}, MB ${targets.grownMb}, normal after ${targets.recovery}.`,
  )
}
