import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get as httpGet, request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openPool } from '@lineage/database'
import { startTestPostgres } from '@lineage/database/testing'
import type pg from 'pg'
import { addressOf } from '../../../packages/forest/bench/community.ts'
import { blockOf } from './community.ts'
import { createTasks, type Task } from './lookupTasks.ts'
import { addMembers, fillTables } from './tables.ts'

/** Measurements in milliseconds; `p50` to `p99` as seen by a client that sends one request at a time. */
type Lookup = {
  name: string
  p50: number
  p95: number
  p99: number
  /** Time spent in the server. */
  serverP95: number
  /** Processor time of the server's thread, which other processes do not affect. */
  cpuP95: number
  /** Budget of `serverP95`. */
  atMost: number
  /** Number of answers that were refused as too costly. */
  refused: number
  /** Size of the largest answer. */
  kilobytes: number
  /** Requests per second, eight at a time. */
  rps: number
  /** Time of the same lookup in recursive SQL; `null` above the time limit. */
  sqlP50: number | null
}

type Answer = { status: 'answered' | 'refused'; body: string; ms: number; serverMs: number; cpuMs: number }

const sqlLimit = 5_000

/** Milliseconds in which a snapshot is taken after many members have joined. */
const snapshotTime = 60_000

/** Creates communities in PostgreSQL, serves them like a server, and measures every lookup on the first one. */
export async function measureLookups({ log, ...parameters }: MeasureParameters) {
  const { members, communities, sql } = parameters
  const postgres = await startTestPostgres()
  const url = await postgres.createDatabase()
  // Filling and the compared statements take minutes.
  const pool = openPool({ url, timeout: 3_600_000 })
  try {
    log(`${communities} × ${members} members are being written to PostgreSQL …`)
    await fillTables(pool, { members, communities, sql })
    return await measureDatabase({ url, pool }, { log, ...parameters })
  } finally {
    await pool.end()
    await postgres.stop()
  }
}

type Database = { url: string; pool: pg.Pool }

/** Measures lookups on tables that `fillTables` has filled, and adds some members to them. */
async function measureDatabase(database: Database, { members, communities, rounds, sql, log }: MeasureParameters) {
  log('Loading the tables …')
  const server = await serve(database, communities)
  try {
    const tasks = await createTasks(async (path) => JSON.parse((await server.ask(path)).body), { members, rounds })
    const lookups: Lookup[] = []
    /** Times by statement: ascending and descending order cost SQL the same. */
    const sqlTimes = new Map<string, number | null>()
    for (const task of tasks) {
      const statement = sql === 'compare' ? (task.sql?.(0) ?? '') : ''
      const measured = await measure(server, task, rounds)
      const sqlP50 = sqlTimes.get(statement)
      lookups.push({
        ...measured,
        sqlP50: statement !== '' && sqlP50 === undefined ? await measureSql(database.pool, task) : (sqlP50 ?? null),
      })
      sqlTimes.set(statement, lookups.at(-1)?.sqlP50 ?? null)
      log(`${task.name}: ${measured.serverP95.toFixed(1)} ms`)
    }
    const bindToVisibleMs = await measureVisible(server, database.pool, members)
    const csv = await measureCsv(server)
    log('Adding members until another snapshot is due …')
    await joinMany(server, database.pool, members)
    const { rssMb, peakMb } = await server.memory()
    const { startMs, startCpuMs } = server
    return { members, communities, lookups, startMs, startCpuMs, rssMb, peakMb, bindToVisibleMs, csv }
  } finally {
    server.stop()
  }
}

export type MeasureParameters = {
  /** Members of each community. */
  members: number
  communities: number
  rounds: number
  /** Whether the same lookups are measured in recursive SQL. */
  sql: 'compare' | 'skip'
  log: (message: string) => void
}

type Served = Awaited<ReturnType<typeof serve>>

export async function serve({ url }: Pick<Database, 'url'>, communities: number) {
  const child = fork(join(import.meta.dirname, 'serve.ts'), {
    execArgv: ['--conditions=@lineage/source', '--max-old-space-size=4096'],
    env: {
      ...process.env,
      DATABASE_URL: url,
      BENCH_COMMUNITIES: String(communities),
    },
  })
  const agent = new Agent({ keepAlive: true })
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('The server of the benchmark ended.')))
  ended.catch(() => undefined)
  const next = async () => {
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [
      { startMs: number; startCpuMs: number; port: number; rssMb: number; peakMb: number },
    ]
    return message
  }
  const { startMs, startCpuMs, port } = await next()
  const target = (path: string) => ({ host: '127.0.0.1', port, path: `/v1${path}`, agent })

  return {
    startMs,
    /** Processor time, which other processes do not affect. */
    startCpuMs,
    ask: (path: string, body?: string): Promise<Answer> =>
      new Promise((resolve, reject) => {
        const begun = performance.now()
        const options = body ? { method: 'POST', headers: { 'content-type': 'application/json' } } : {}
        const request = httpRequest({ ...target(path), ...options }, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            const ms = performance.now() - begun
            const text = Buffer.concat(chunks).toString()
            const timing = String(response.headers['server-timing'])
            const [, serverMs, cpuMs] = /app;dur=([\d.]+).*cpu;dur=([\d.]+)/.exec(timing) ?? []
            const status = response.statusCode === 422 ? 'refused' : 'answered'
            if (response.statusCode === 200 || status === 'refused')
              resolve({ status, body: text, ms, serverMs: Number(serverMs), cpuMs: Number(cpuMs) })
            else reject(new Error(`${path}: ${response.statusCode} ${text}`))
          })
        })
        request.on('error', reject)
        request.end(body)
      }),
    /** Reads a response to its end, and counts its bytes. */
    read: (path: string, onData: (size: number) => void): Promise<void> =>
      new Promise((resolve, reject) => {
        httpGet(target(path), (response) => {
          response.on('data', (chunk: Buffer) => onData(chunk.length))
          response.on('end', resolve)
          response.on('error', reject)
        }).on('error', reject)
      }),
    memory: () => {
      child.send('memory')
      return next()
    },
    stop() {
      agent.destroy()
      child.kill()
    },
  }
}

async function measure(server: Served, task: Task, rounds: number): Promise<Omit<Lookup, 'sqlP50'>> {
  const { name, path, body, beside, atMost } = task
  const answers: Answer[] = []
  let state: 'measuring' | 'done' = 'measuring'
  const keepAsking = async (path: string) => {
    while (state === 'measuring') await server.ask(path)
  }
  const others = beside === undefined ? undefined : keepAsking(beside)
  for (let round = 0; round < rounds; round++) answers.push(await server.ask(path(round), body?.(round)))
  const at = (field: 'ms' | 'serverMs' | 'cpuMs', share: number) => {
    const list = answers.map((answer) => answer[field]).sort((left, right) => left - right)
    return list[Math.min(list.length - 1, Math.floor(list.length * share))] as number
  }

  const refused = answers.filter(({ status }) => status === 'refused').length
  const kilobytes = Math.max(...answers.map((answer) => Buffer.byteLength(answer.body))) / 1_000
  const begun = performance.now()
  let asked = 0
  const worker = async () => {
    while (performance.now() - begun < 1_000) {
      const round = rounds + asked++
      await server.ask(path(round), body?.(round))
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  const rps = (asked * 1_000) / (performance.now() - begun)
  state = 'done'
  await others
  const [p50, p95, p99] = [at('ms', 0.5), at('ms', 0.95), at('ms', 0.99)]
  return {
    name,
    p50,
    p95,
    p99,
    serverP95: at('serverMs', 0.95),
    cpuP95: at('cpuMs', 0.95),
    atMost,
    refused,
    kilobytes,
    rps,
  }
}

async function measureSql(pool: pg.Pool, { sql }: Task): Promise<number | null> {
  if (!sql) return null
  const times: number[] = []
  for (let round = 0; round < 5; round++) {
    const begun = performance.now()
    try {
      await pool.query(`set statement_timeout = ${sqlLimit}; ${sql(round)}; set statement_timeout = 0`)
    } catch (error) {
      if ((error as { code?: string }).code === '57014') return null
      throw error
    }
    times.push(performance.now() - begun)
    if (times.reduce((sum, time) => sum + time) > sqlLimit) break
  }
  return times.sort((left, right) => left - right)[times.length >> 1] ?? null
}

/** Measures the milliseconds from a bind's row in the tables to its member in a response. */
async function measureVisible(server: Served, pool: pg.Pool, members: number): Promise<number> {
  const times: number[] = []
  for (let index = members; index < members + 9; index++) {
    const block = blockOf(members - 1) + 1 + index - members
    const address = addressOf(index)
    await addMembers(pool, { addresses: [address], referrer: addressOf(1), block, members })
    const begun = performance.now()
    while (!(await isAnswered(server, address)));
    times.push(performance.now() - begun)
  }
  return times.sort((left, right) => left - right)[4] as number
}

const isAnswered = (server: Served, address: string) =>
  server.ask(`/communities/demo/members/${address}`).then(
    () => true,
    () => false,
  )

/** Adds enough members to trigger another snapshot, the step that needs most memory. */
async function joinMany(server: Served, pool: pg.Pool, members: number): Promise<void> {
  const block = blockOf(members - 1) + 10
  const addresses = Array.from({ length: 60_000 }, (_, number) => `0xc${String(number).padStart(39, '0')}`)
  await addMembers(pool, { addresses, referrer: addressOf(1), block, members })
  while (!(await isAnswered(server, addresses.at(-1) ?? ''))) await setTimeout(200)
  await setTimeout(snapshotTime)
}

/** Measures the CSV of the largest root's downline: its speed, and how much the server's memory grows. */
async function measureCsv(server: Served) {
  const before = (await server.memory()).rssMb
  let most = before
  let bytes = 0
  const begun = performance.now()
  const reading = server.read(`/communities/demo/members/${addressOf(0)}/referrals.csv`, (size) => {
    bytes += size
  })
  let state: 'reading' | 'done' = 'reading'
  const done = reading.finally(() => {
    state = 'done'
  })
  while (state === 'reading') {
    most = Math.max(most, (await server.memory()).rssMb)
    await Promise.race([done, setTimeout(200)])
  }
  await done
  return { megabytes: bytes / 2 ** 20, seconds: (performance.now() - begun) / 1_000, grownMb: most - before }
}
