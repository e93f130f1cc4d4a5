/**
 * `pnpm bench:load [--rate 200] [--connections 500] [--seconds 10] [--only TEXT] [--json]`: puts ten times the rated load
 * on the product with demo data, and then thousands of addresses that ask seldom, on this machine only. Measures the
 * response times for another visitor meanwhile, the time of the processor for each answer, and the memory of each process.
 */

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { readOptions } from '../lib/readOptions.ts'
import { percentile, printTable } from './figures.ts'
import { type Memory, readMemory, readServerTime } from './readUse.ts'
import { startProduct } from './startProduct.ts'
import type { Sent, Visitors, VisitorsResult } from './visitors.ts'

const options = { rate: 200, connections: 500, seconds: 10, only: '', json: false }
const { rate: rated, connections, seconds, only, json } = readOptions(options)
const rate = rated * 10
/**
 * Requests of the other visitor: a lookup, a page, a file, a nonce with the sign-in after it, and the health. `control` goes to a
 * server without load that only answers `ok`: it measures the machine.
 */
const kinds = ['lookup', 'page', 'asset', 'signIn', 'health', 'control'] as const
/** Number of rounds of the other visitors so far. */
let asked = 0
/** Limits in milliseconds and MB. */
const targets = { answer: 250, health: 100, grownMb: 300, recovery: 5_000 }

// Each visitor of the load sends its own address.
process.env.LINEAGE_TRUST_PROXY = '1'
const product = await startProduct()
const url = product.url.replace('localhost', '127.0.0.1')
const control = await startControl()
const { items } = (await (await fetch(`${url}/v1/communities`)).json()) as { items: { id: string }[] }
const lookup = `/v1/communities/${items[0]?.id}/metrics`
const { leaders } = (await (await fetch(`${url}${lookup}`)).json()) as { leaders: { team: { address: string }[] } }
const member = `/v1/communities/${items[0]?.id}/members/${leaders.team[0]?.address}`
const csv = `${member}/referrals.csv`
const page = `/?community=${items[0]?.id}&address=${leaders.team[0]?.address}`
const asset = /\/assets\/[\w.-]+\.js/.exec(await (await fetch(url)).text())?.[0] ?? ''
const call = (method: string, params: unknown) => ({ jsonrpc: '2.0', id: 1, method, params })
const post = (path: string, body: unknown): Sent => ({ method: 'POST', path, body: JSON.stringify(body) })
const account = privateKeyToAccount(`0x${'59'.repeat(32)}`)

const batch = post(`/v1/communities/${items[0]?.id}/members/batch`, { addresses: [leaders.team[0]?.address] })
const tool = post('/mcp', call('tools/call', { name: 'metrics', arguments: { community: items[0]?.id } }))
const block = call('eth_getBlockByNumber', ['latest', true])
const mixed: Sent[] = [
  ...[lookup, '/', csv, page, member, '/v1/nothing', '/nothing.php'].map((path) => ({ path })),
  // Without HEAD: autocannon waits for the content of its answer, and its connection sends nothing more.
  { method: 'OPTIONS', path: lookup },
  ...[batch, tool, post('/v1/rpc', [block, block])],
]
const flood = { visitors: connections, rate, connections, family: 4, bursts: 1 } as const
/** 3,000 addresses, each of which asks every six seconds, on its own. */
const quiet = { visitors: 3_000, rate: 500, connections, family: 4, bursts: 20 } as const

const loads: [name: string, load: Omit<Visitors, 'url' | 'seconds'>][] = [
  ['lookups of many visitors', { ...flood, requests: [{ path: lookup }] }],
  ['lookups of one visitor', { ...flood, visitors: 1, requests: [{ path: lookup }] }],
  ['CSV files of many visitors', { ...flood, requests: [{ path: csv }] }],
  ['pages', { ...flood, requests: [{ path: '/' }] }],
  ['blocks through /v1/rpc', { ...flood, requests: [post('/v1/rpc', block)] }],
  [
    'logs of one visitor',
    { ...flood, visitors: 1, requests: [post('/v1/rpc', call('eth_getLogs', [{ fromBlock: '0x0' }]))] },
  ],
  ['3,000 addresses: lookups', { ...quiet, requests: [{ path: lookup }] }],
  ['3,000 addresses: pages', { ...quiet, requests: [{ path: page }] }],
  ['3,000 addresses: CSV files', { ...quiet, requests: [{ path: csv }] }],
  ['3,000 IPv6 networks: all kinds', { ...quiet, family: 6, requests: mixed }],
  [
    'connections that are held',
    {
      ...quiet,
      connections: 3_000,
      rate: 'hold',
      requests: [{ path: csv }, batch, tool, { path: page }, post('/v1/rpc', block)],
    },
  ],
]

try {
  await measure(3_000)
  const idle = readMemory(product.pid)
  const rows: Row[] = [toRow('no load', await measure(3_000), idle, idle)]
  for (const [name, load] of loads.filter(([one]) => one.includes(only))) {
    const before = readServerTime(product.pid)
    const running = run({ url, seconds, ...load })
    // The load begins.
    await delay(1_000)
    const [other, memory] = await Promise.all([measure((seconds - 2) * 1_000), watchMemory((seconds - 2) * 1_000)])
    const result = await running
    const answers = Object.values(result.byStatus).reduce((sum, count) => sum + count, 0)
    const workMs = (readServerTime(product.pid) - before) / answers
    const recoveryMs = await recover()
    rows.push({ ...toRow(name, other, memory, idle), ...result, workMs, recoveryMs })
  }
  print(rows)
} finally {
  control.stop()
  await product.stop()
}

type Kind = (typeof kinds)[number]
type Probe = { times: Record<Kind, number[]>; refused: Kind[] }
type Row = Partial<VisitorsResult> & {
  name: string
  p95: Record<Kind, number>
  refused: Kind[]
  grown: Memory
  /** Time of the server's processor for each answer. */
  workMs?: number
  recoveryMs?: number
}

function run(visitors: Visitors): Promise<VisitorsResult> {
  const args = [join(import.meta.dirname, 'visitors.ts'), JSON.stringify(visitors)]
  const limit = (visitors.seconds + 30) * 1_000
  return promisify(execFile)(process.execPath, args, { timeout: limit }).then(({ stdout }) => JSON.parse(stdout))
}

/** Sends requests as seven other visitors in turn, four times a second, and signs in as one of them once a second. */
async function measure(milliseconds: number): Promise<Probe> {
  const times = Object.fromEntries(kinds.map((kind) => [kind, [] as number[]])) as Probe['times']
  const probe: Probe = { times, refused: [] }
  const note = (kind: Kind, { status, milliseconds: time }: Answer) => {
    if (status === 200) probe.times[kind].push(time)
    else probe.refused.push(kind)
  }
  const end = performance.now() + milliseconds
  while (performance.now() < end) {
    const next = delay(250)
    asked++
    note('control', await ask('/', {}, control.url))
    note('lookup', await ask(lookup))
    note('health', await ask('/v1/health'))
    note('page', await ask(page))
    note('asset', await ask(asset))
    if (asked % 4 === 0) note('signIn', await signIn())
    await next
  }
  return probe
}

type Sending = { method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: string }
type Answer = { status: number; headers: IncomingHttpHeaders; text: string; milliseconds: number }

/** Sends a request on a connection of its own. Status 0: no answer. */
async function ask(path: string, { headers, body, method = 'GET' }: Sending = {}, base = url): Promise<Answer> {
  const startedAt = performance.now()
  const own = { 'x-forwarded-for': `192.0.2.${asked % 7}`, ...headers }
  const options = { method, headers: own, agent: false, signal: AbortSignal.timeout(10_000) }
  const answer = await new Promise<Omit<Answer, 'milliseconds'>>((resolve) => {
    const leave = () => resolve({ status: 0, headers: {}, text: '' })
    const sent = request(`${base}${path}`, options, (response) => {
      const { statusCode: status = 0, headers } = response
      text(response).then((text) => resolve({ status, headers, text }), leave)
    })
    sent.on('error', leave).end(body)
  })
  return { ...answer, milliseconds: performance.now() - startedAt }
}

/** Signs in as a page does. The time is that of the slower of its two requests. */
async function signIn(): Promise<Answer> {
  const nonced = await ask('/v1/auth/nonce')
  if (nonced.status !== 200) return nonced
  const { nonce } = JSON.parse(nonced.text) as { nonce: string }
  const { host } = new URL(url)
  const { address } = account
  const message = createSiweMessage({ version: '1', domain: host, uri: url, chainId: 56, nonce, address })
  const body = JSON.stringify({ message, signature: await account.signMessage({ message }) })
  const cookie = nonced.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  const headers = { 'content-type': 'application/json', origin: url, cookie }
  const verified = await ask('/v1/auth/verify', { method: 'POST', headers, body })
  return { ...verified, milliseconds: Math.max(nonced.milliseconds, verified.milliseconds) }
}

/** Starts a server in a process of its own that answers `ok`. */
async function startControl() {
  const script =
    "createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1', function () { console.log(this.address().port) })"
  const child = spawn(process.execPath, ['-e', `require('node:http').${script}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  return { url: `http://127.0.0.1:${Number(port)}`, stop: () => child.kill() }
}

/** Returns the milliseconds until three lookups in a row are answered in time. */
async function recover(): Promise<number> {
  const startedAt = performance.now()
  let inARow = 0
  while (inARow < 3 && performance.now() - startedAt < 30_000) {
    const next = delay(100)
    const { status, milliseconds: time } = await ask(lookup)
    await next
    inARow = status === 200 && time < targets.answer ? inARow + 1 : 0
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

function toRow(name: string, { times, refused }: Probe, memory: Memory, idle: Memory): Row {
  const grown = { server: memory.server - idle.server, reader: memory.reader - idle.reader }
  const p95 = Object.fromEntries(kinds.map((kind) => [kind, percentile(times[kind], 0.95)])) as Row['p95']
  return { name, p95, refused, grown }
}

function print(rows: Row[]): void {
  if (json) {
    console.log(JSON.stringify({ rate, connections, targets, rows }))
    return
  }
  console.log(`${connections} connections`)
  printTable(
    rows.map(({ name, p95, refused, grown, perSecond, workMs, recoveryMs, byStatus }) => ({
      ...{ name, 'answers/s': perSecond, ...p95, refused: refused.join(' ') || 0, 'ms/answer': workMs },
      ...{ 'server MB': grown.server, 'reader MB': grown.reader, 'normal after': recoveryMs },
      'load answered': byStatus && JSON.stringify(byStatus),
    })),
  )
  console.log('Times (p95) in ms and refused requests are those of another visitor; MB is growth above idle.')
  console.log(
    '`control` is of a server without load; `ms/answer` is the time of the server’s processor for each answer.',
  )
  console.log(
    `Targets: health ${targets.health}, the other answers ${targets.answer}, MB ${targets.grownMb}, normal after ${targets.recovery}.`,
  )
}
