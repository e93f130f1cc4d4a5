import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get as httpGet, request as httpRequest } from 'node:http'
import { join } from 'node:path'
import type { Levels, Metrics, Referrals, Referrers } from '@lineage/referral-api'
import { updateCheckpoint } from '../ponderInternals.ts'
import { type Database, startDatabases } from '../test/databases.ts'
import { addressOf, blockOf, createRandom, hashOf, timeOf } from './community.ts'
import { recursive } from './recursive.ts'
import { checkpointAt, fillTables } from './tables.ts'

/** Measurements in milliseconds; `p50` to `p99` as a client sees them, one request at a time. */
type Lookup = {
  name: string
  p50: number
  p95: number
  p99: number
  /** Time in the server. */
  serverP95: number
  /** Processor time of the server's thread, which other processes do not change. */
  cpuP95: number
  /** Requests per second, eight at a time. */
  rps: number
  /** The same in recursive SQL; `null` above the time limit. */
  sqlP50: number | null
}

type Task = {
  name: string
  path: (round: number) => string
  body?: (round: number) => string
  /** Asked without a pause meanwhile. */
  beside?: string
  sql?: (round: number) => string
}
type Answer = { body: string; ms: number; serverMs: number; cpuMs: number }

const sqlLimit = 5_000

/** Creates a community in PostgreSQL, serves it as the indexer does, and measures every lookup. */
export async function measureLookups({ members, rounds, log }: MeasureParameters) {
  const databases = await startDatabases('PostgreSQL')
  try {
    const database = await databases.create()
    log(`${members} members are being written to PostgreSQL …`)
    await fillTables(database, members)
    return await measureDatabase(database, { members, rounds, log })
  } finally {
    await databases.stop()
  }
}

/** Measures on tables that `fillTables` has filled; adds some members to them. */
async function measureDatabase(database: Database, { members, rounds, log }: MeasureParameters) {
  log('Loading the tables …')
  const server = await serve(database, members)
  try {
    const tasks = await createTasks(server, members, rounds)
    const lookups: Lookup[] = []
    /** Times by statement: ascending and descending order cost SQL the same. */
    const sqlTimes = new Map<string, number | null>()
    for (const task of tasks) {
      log(task.name)
      const statement = task.sql?.(0) ?? ''
      const measured = await measure(server, task, rounds)
      const sqlP50 = sqlTimes.get(statement)
      lookups.push({ ...measured, sqlP50: sqlP50 === undefined ? await measureSql(database, task) : sqlP50 })
      sqlTimes.set(statement, lookups.at(-1)?.sqlP50 ?? null)
    }
    const bindToVisibleMs = await measureVisible(server, database, members)
    const csv = await measureCsv(server)
    log('Adding members until another snapshot is due …')
    await joinMany(server, database, members)
    const { rssMb, peakMb } = await server.memory()
    const { startMs, startCpuMs } = server
    return { members, lookups, startMs, startCpuMs, rssMb, peakMb, bindToVisibleMs, csv }
  } finally {
    server.stop()
  }
}

export type MeasureParameters = { members: number; rounds: number; log: (message: string) => void }

type Served = Awaited<ReturnType<typeof serve>>

async function serve({ env }: Database, members: number) {
  const child = fork(join(import.meta.dirname, 'serve.ts'), {
    execArgv: ['--conditions=@lineage/source', '--max-old-space-size=4096'],
    env: { ...process.env, ...env, BENCH_HEAD: String(blockOf(members - 1)) },
  })
  const agent = new Agent({ keepAlive: true })
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('The server of the benchmark ended.')))
  ended.catch(() => undefined)
  const next = async () => {
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [
      { startMs: number; startCpuMs: number; port: number; rssMb: number; peakMb: number; isSnapshotDue: boolean },
    ]
    return message
  }
  const { startMs, startCpuMs, port } = await next()
  const target = (path: string) => ({ host: '127.0.0.1', port, path: `/v1${path}`, agent })

  return {
    startMs,
    /** Processor time, which other processes do not change. */
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
            if (response.statusCode === 200)
              resolve({ body: text, ms, serverMs: Number(serverMs), cpuMs: Number(cpuMs) })
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

async function createTasks(server: Served, members: number, rounds: number): Promise<Task[]> {
  const random = createRandom(11)
  const of = (address: string, rest = '') => `/communities/demo/members/${address}${rest}`
  const json = async <answer>(path: string) => JSON.parse((await server.ask(path)).body) as answer
  const randomAddresses = Array.from({ length: rounds }, () => addressOf(Math.floor(random() * members)))
  /** Members from all heights of uplines. */
  const uplines: string[] = []
  for (const address of randomAddresses) {
    const { items } = await json<Referrers>(of(address, '/referrers'))
    uplines.push((items[Math.floor(random() * items.length)]?.address ?? address).toLowerCase())
  }
  const root = addressOf(0)
  const { items } = await json<Levels>(of(root, '/levels'))
  const widest = items.reduce((wide, level) => (level.count > wide.count ? level : wide)).level
  const most = (await json<Metrics>('/communities/demo/metrics')).leaders.directs[0]?.address.toLowerCase() ?? root
  const one = (list: readonly string[], round: number) => list[round % list.length] as string
  const batches = Array.from({ length: 40 }, () =>
    JSON.stringify({ addresses: Array.from({ length: 500 }, () => addressOf(Math.floor(random() * members))) }),
  )

  const tasks: Task[] = []
  const add = (name: string, rest: string, who: (round: number) => string, sql: (subject: string) => string) =>
    tasks.push({ name, path: (round) => of(who(round), rest), sql: (round) => sql(who(round)) })
  add('member, anybody', '', (round) => one(randomAddresses, round), recursive.member)
  add('member, largest root', '', () => root, recursive.member)
  add('referrers', '/referrers?limit=200', (round) => one(randomAddresses, round), recursive.referrers)
  add('levels, on uplines', '/levels', (round) => one(uplines, round), recursive.levels)
  add('levels, largest root', '/levels', () => root, recursive.levels)
  add('growth by day, on uplines', '/growth', (round) => one(uplines, round), recursive.growth)
  add('growth by day, largest root', '/growth', () => root, recursive.growth)
  for (const sort of ['joined', 'team', 'volume'] as const)
    for (const order of ['asc', 'desc'] as const) {
      const rest = `sort=${sort}&order=${order}`
      const sql = (level: string) => (subject: string) => recursive[sort](subject, level)
      add(`directs by ${sort} ${order}, most directs`, `/referrals?${rest}`, () => most, sql('level = 1'))
      add(
        `level 3 by ${sort} ${order}, on uplines`,
        `/referrals?level=3&${rest}`,
        (round) => one(uplines, round),
        sql('level = 3'),
      )
      for (const [name, level, where] of [
        [`widest level by ${sort} ${order}`, String(widest), `level = ${widest}`],
        [`whole downline by ${sort} ${order}`, 'all', 'true'],
      ] as const) {
        const first = of(root, `/referrals?level=${level}&${rest}`)
        // Page by page, as while scrolling.
        const paths = [first]
        while (paths.length < 40) {
          const { nextCursor } = await json<Referrals>(paths.at(-1) as string)
          if (nextCursor === null) break
          paths.push(`${first}&cursor=${nextCursor}`)
        }
        tasks.push({ name, path: (round) => one(paths, round), sql: () => sql(where)(root) })
      }
    }
  tasks.push(...createFilterTasks({ root, uplines, members, of: (address, rest) => of(address, rest) }))
  tasks.push(
    {
      name: 'as of a day, on uplines',
      path: (round) => of(one(uplines, round), `?asOf=${dayAt(0.5 + (round % 40) / 100, members)}`),
    },
    {
      name: 'as of a day, largest root',
      path: (round) => of(root, `?asOf=${dayAt(0.5 + (round % 40) / 100, members)}`),
    },
    {
      name: 'two days compared, on uplines',
      path: (round) => of(one(uplines, round), `/compare?from=${dayAt(0.5, members)}&to=${dayAt(0.9, members)}`),
    },
    {
      name: 'two days compared, largest root',
      path: () => of(root, `/compare?from=${dayAt(0.5, members)}&to=${dayAt(0.9, members)}`),
    },
    {
      name: 'member, anybody, beside two days compared of the largest root',
      path: (round) => of(one(randomAddresses, round)),
      beside: of(root, `/compare?from=${dayAt(0.5, members)}&to=${dayAt(0.9, members)}`),
    },
    { name: 'events of a member, on uplines', path: (round) => of(one(uplines, round), '/events') },
    { name: 'events of a member, most directs', path: () => of(most, '/events') },
    { name: 'map of a team, largest root', path: () => of(root, '/map') },
    { name: 'map of a team by volume, on uplines', path: (round) => of(one(uplines, round), '/map?by=volume') },
    { name: 'map of the community', path: () => '/communities/demo/map' },
    { name: 'an address in every community', path: (round) => `/addresses/${one(randomAddresses, round)}` },
    ...['relation', 'relation/line'].map((path) => ({
      name: `${path} of two members`,
      path: (round: number) =>
        `/communities/demo/${path}?a=${one(randomAddresses, round)}&b=${one(randomAddresses, round + 1)}`,
    })),
  )
  const prefixes = randomAddresses.map((address, index) => address.slice(0, 4 + (index % 5)))
  tasks.push(
    {
      name: 'search by prefix',
      path: (round) => `/communities/demo/search?q=${one(prefixes, round)}`,
      sql: (round) => recursive.search(one(prefixes, round)),
    },
    { name: 'latest events', path: () => '/communities/demo/events', sql: recursive.events },
    { name: 'metrics', path: () => '/communities/demo/metrics', sql: recursive.metrics },
    {
      name: 'batch of 500',
      path: () => '/communities/demo/members/batch',
      body: (round) => one(batches, round),
    },
  )
  return tasks
}

/** The UTC day when a share of the members had joined. */
const dayAt = (share: number, members: number) =>
  new Date(timeOf(Math.floor(members * share), members) * 1000).toISOString().slice(0, 10)

type FilterSubjects = {
  root: string
  uplines: readonly string[]
  members: number
  of: (address: string, rest: string) => string
}

/** Filters of the largest downline, each alone and together, by join and by the order that costs most. */
function createFilterTasks({ root, uplines, members, of }: FilterSubjects): Task[] {
  const late = timeOf(Math.floor(members * 0.99), members)
  const filters = [
    [
      'a month',
      `joinedFrom=${timeOf(Math.floor(members / 2), members)}&joinedTo=${timeOf(Math.floor(members * 0.53), members)}`,
    ],
    ['levels 3 to 9', 'levelFrom=3&levelTo=9'],
    ['teams of 100', 'minTeam=100'],
    ['volume', `minVolume=${10n ** 23n}`],
    ['active', `activeSince=${late}`],
    ['a prefix', 'prefix=0x9e'],
    ['all together', `minTeam=1&minVolume=1&activeSince=${late}&levelFrom=2&joinedFrom=1`],
  ]
  // For other filters, a community of ten million is listed by time of joining only.
  const pruned = ['teams of 100', 'volume', 'a prefix']
  return filters.flatMap(([name, filter]): Task[] => [
    ...(pruned.includes(name as string) ? ['joined', 'volume'] : ['joined']).map((sort) => ({
      name: `filter of ${name} by ${sort}, largest root`,
      path: () => of(root, `/referrals?${filter}&sort=${sort}`),
    })),
    {
      name: `filter of ${name}, on uplines`,
      path: (round) => of(uplines[round % uplines.length] as string, `/referrals?${filter}`),
    },
  ])
}

async function measure(server: Served, task: Task, rounds: number): Promise<Omit<Lookup, 'sqlP50'>> {
  const { name, path, body, beside } = task
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

  const begun = performance.now()
  let asked = 0
  const worker = async () => {
    while (performance.now() - begun < 1_000) {
      const round = asked++
      await server.ask(path(round), body?.(round))
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  const rps = (asked * 1_000) / (performance.now() - begun)
  state = 'done'
  await others
  const [p50, p95, p99] = [at('ms', 0.5), at('ms', 0.95), at('ms', 0.99)]
  return { name, p50, p95, p99, serverP95: at('serverMs', 0.95), cpuP95: at('cpuMs', 0.95), rps }
}

async function measureSql({ query }: Database, { sql }: Task): Promise<number | null> {
  if (!sql) return null
  const times: number[] = []
  for (let round = 0; round < 5; round++) {
    const begun = performance.now()
    try {
      await query(`set statement_timeout = ${sqlLimit}; ${sql(round)}`)
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
async function measureVisible(server: Served, { query }: Database, members: number): Promise<number> {
  const times: number[] = []
  for (let index = members; index < members + 9; index++) {
    const block = blockOf(members - 1) + 1 + index - members
    const address = addressOf(index)
    await query(`begin;
      insert into bind_event values
        ('demo', ${block}, 0, '${hashOf(block)}', ${timeOf(block * 4, members)}, '${hashOf(index)}', '${address}', '${addressOf(1)}');
      ${updateCheckpoint(checkpointAt(block, members))};
      commit`)
    const begun = performance.now()
    while (
      !(await server.ask(`/communities/demo/members/${address}`).then(
        () => true,
        () => false,
      ))
    );
    times.push(performance.now() - begun)
  }
  return times.sort((left, right) => left - right)[4] as number
}

/** Adds enough members for another snapshot, which needs more memory than anything else. */
async function joinMany(server: Served, { query }: Database, members: number): Promise<void> {
  const block = blockOf(members - 1) + 10
  await query(`begin;
    insert into bind_event
      select 'demo', ${block}, number, '${hashOf(block)}', ${timeOf(block * 4, members)}, '${hashOf(block)}',
        '0xc' || lpad(number::text, 39, '0'), '${addressOf(1)}' from generate_series(0, 59999) number;
    ${updateCheckpoint(checkpointAt(block, members))};
    commit`)
  const path = `/communities/demo/members/0xc${'59999'.padStart(39, '0')}`
  const answered = () =>
    server.ask(path).then(
      () => true,
      () => false,
    )
  while (!(await answered()) || (await server.memory()).isSnapshotDue)
    await new Promise((resolve) => setTimeout(resolve, 200))
}

/** Measures the CSV of the largest root's downline: its speed, and the growth of the server's memory. */
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
    await Promise.race([done, new Promise((resolve) => setTimeout(resolve, 200))])
  }
  await done
  return { megabytes: bytes / 2 ** 20, seconds: (performance.now() - begun) / 1_000, grownMb: most - before }
}
