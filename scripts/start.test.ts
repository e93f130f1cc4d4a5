import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { dataDir } from './lib/dataDir.ts'
import { nextFree } from './lib/ports.ts'
import { createCleanUp, isAlive } from './lib/testing.ts'

const made = createCleanUp()
afterEach(made.cleanUp)

type Started = { process: ChildProcess; said: () => string; ended: Promise<unknown[]>; ports: number[]; folder: string }

/** Starts the product on its own ports and in its own data folder, with a page that needs no build. */
async function start(variables: Record<string, string> = {}, command = ['scripts/start.ts']): Promise<Started> {
  const folder = made.folder()
  const web = join(folder, 'web')
  mkdirSync(web)
  writeFileSync(join(web, 'index.html'), '<title>Lineage</title>')
  const ports: number[] = []
  for (let from = 21_000 + (process.pid % 1_000) * 10; ports.length < 3; from++) {
    from = await nextFree(from)
    ports.push(from)
  }
  const [port, apiPort, rpcPort] = ports.map(String)
  const started = spawn(process.execPath, command, {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      HOME: process.env.HOME,
      PORT: port,
      API_PORT: apiPort,
      RPC_PORT: rpcPort,
      LINEAGE_DATA_DIR: join(folder, 'data'),
      LINEAGE_WEB_DIR: web,
      ...variables,
    },
  })
  let text = ''
  for (const stream of [started.stdout, started.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk
    })
  }
  const ended = once(started, 'exit')
  made.later(async () => {
    // Otherwise they write into the folder while it is removed.
    const pids = descendants(started.pid ?? 0)
    if (started.kill('SIGTERM')) await ended
    await expect.poll(() => pids.filter(isAlive), { timeout: 15_000 }).toEqual([])
  })
  return { process: started, said: () => text, ended, ports, folder }
}

/** Returns the ids of all descendants of a process. */
function descendants(pid: number): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number))
  const below = (parent: number): number[] =>
    rows.filter(([, ppid]) => ppid === parent).flatMap(([one = 0]) => [one, ...below(one)])
  return below(pid)
}

async function listensOn(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/v1/health`).then(
    () => true,
    () => false,
  )
}

describe.skipIf(process.platform === 'win32')('no process is left', () => {
  test.each<[string, string[], (started: ChildProcess) => void]>([
    ['Ctrl-C', ['scripts/start.ts'], (started) => started.kill('SIGINT')],
    ['SIGTERM', ['scripts/start.ts'], (started) => started.kill('SIGTERM')],
    ['SIGTERM twice', ['scripts/start.ts'], (started) => [1, 2].map(() => started.kill('SIGTERM'))],
    ['kill -9', ['scripts/start.ts'], (started) => started.kill('SIGKILL')],
    ['its channel closed', ['scripts/start.ts'], (started) => started.disconnect()],
    ['SIGTERM of run.mjs', ['scripts/run.mjs', 'start'], (started) => started.kill('SIGTERM')],
    ['kill -9 of run.mjs', ['scripts/run.mjs', 'start'], (started) => started.kill('SIGKILL')],
  ])('behavior: %s', async (_, command, act) => {
    const { process: started, ports, ended } = await start({}, command)
    const [port = 0, , rpcPort = 0] = ports
    await expect.poll(() => Promise.all([port, rpcPort].map(listensOn)), { timeout: 40_000 }).toEqual([true, true])
    const pids = descendants(started.pid ?? 0)
    expect(pids.length).toBeGreaterThanOrEqual(3)
    act(started)
    await ended
    await expect.poll(() => pids.filter(isAlive), { timeout: 15_000 }).toEqual([])
    expect(await Promise.all(ports.map(listensOn))).toEqual([false, false, false])
  })
})

test('behavior: the page shows the progress while the chain is being made', async () => {
  const { ports } = await start()
  const ask = async (path: string) => {
    // The server closes an idle connection after 5 s, and a busy machine may take that long between two requests.
    const response = await fetch(`http://127.0.0.1:${ports[0]}/v1/${path}`, { headers: { connection: 'close' } })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const status = () => ask('status').catch(() => undefined)
  await expect.poll(status, { timeout: 40_000 }).toMatchObject({
    status: 200,
    body: { state: 'indexing', progress: { phase: 'chain', total: expect.any(Number) } },
  })
  expect(await ask('communities')).toMatchObject({
    status: 503,
    body: { code: 'indexing', progress: { phase: 'chain' } },
  })
  expect((await ask('config')).body.demo).toMatchObject({ privateKeys: expect.arrayContaining([expect.any(String)]) })
})

test('behavior: a killed server is restarted, and gets the latest news', async () => {
  const { process: started, ports, said } = await start()
  const config = () =>
    fetch(`http://127.0.0.1:${ports[0]}/v1/config`).then(
      (response) => response.json() as Promise<{ demo: unknown }>,
      () => undefined,
    )
  await expect.poll(config, { timeout: 40_000 }).toMatchObject({ demo: { privateKeys: expect.anything() } })
  const server = descendants(started.pid ?? 0).find((pid) =>
    execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).includes('apps/server/src/main.ts'),
  )
  process.kill(server ?? 0, 'SIGKILL')
  await expect.poll(said, { timeout: 10_000 }).toContain('The server was ended by SIGKILL. It starts again in 0.5 s.')
  await expect.poll(config, { timeout: 10_000 }).toMatchObject({ demo: { privateKeys: expect.anything() } })
})

test.skipIf(process.platform === 'win32')(
  'behavior: an indexer that hangs is restarted',
  async () => {
    const { process: started, said, ports } = await start({ LINEAGE_RESTART_AFTER: '3' })
    const isReady = () =>
      fetch(`http://127.0.0.1:${ports[1]}/v1/status`, { signal: AbortSignal.timeout(2_000) }).then(
        async (response) => ((await response.json()) as { state: string }).state === 'ready',
        () => false,
      )
    await expect.poll(said, { timeout: 90_000 }).toContain('The chain is read')
    expect(said()).not.toMatch(/nothing confirms|0 of [01]\b/)
    const indexer = descendants(started.pid ?? 0).filter((pid) =>
      /^\S*node\S* --conditions=\S+ \S*apps\/indexer\/start\.ts/.test(
        execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }),
      ),
    )
    expect(indexer).toHaveLength(1)
    process.kill(indexer[0] ?? 0, 'SIGSTOP')
    await expect.poll(said, { timeout: 30_000 }).toContain('The indexer has not answered for 3 s. It is restarted.')
    await expect.poll(said, { timeout: 60_000 }).toContain('The indexer answers again')
    expect(await isReady()).toBe(true)
  },
  200_000,
)

test('error: names a taken port, with a command to copy', async () => {
  const taken = await made.server()
  const { said, ended } = await start({ PORT: String(taken) })
  expect((await ended)[0]).toBe(1)
  expect(said()).toContain(`Port ${taken}, for the page (PORT), is taken by another program.`)
  expect(said()).toMatch(/PORT=\d+ API_PORT=\d+ RPC_PORT=\d+ npm start/)
})

test('error: names a start that already runs here', async () => {
  const first = await start()
  await expect.poll(() => listensOn(first.ports[0] ?? 0), { timeout: 40_000 }).toBe(true)
  const second = await start({ PORT: String(first.ports[0]), LINEAGE_DATA_DIR: join(first.folder, 'data') })
  expect((await second.ended)[0]).toBe(1)
  expect(second.said()).toContain(`Lineage already runs here: process ${first.process.pid}, since `)
})

const LINEAGE_SESSION_SECRET = 'a secret for tests, of thirty-two bytes'

test.each([
  ['no nodes', { LINEAGE_CONFIG: 'x.json' }, 'LINEAGE_RPC_URLS is missing'],
  ['a port out of range', { API_PORT: 'abc' }, 'API_PORT must be a whole number from 1 to 65535.'],
  [
    'a configuration file that does not exist',
    { LINEAGE_CONFIG: '/no/x.json', LINEAGE_RPC_URLS: 'http://127.0.0.1:1', LINEAGE_SESSION_SECRET },
    '/no/x.json',
  ],
])('error: %s', async (_, variables, words) => {
  const { said, ended } = await start(variables)
  expect((await ended)[0]).toBe(1)
  expect(said()).toContain(words)
  expect(said()).not.toMatch(/^\s+at /m)
})

/** Writes a configuration with one community, and returns the path of its file. */
function writeConfig(): string {
  const config = join(made.folder(), 'config.json')
  const community = {
    id: 'a',
    name: 'A',
    chainId: 56,
    address: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    startBlock: 1,
    event: 'event Bound(address indexed member, address indexed referrer)',
    member: 'member',
    referrer: 'referrer',
  }
  writeFileSync(config, JSON.stringify({ communities: [community] }))
  return config
}

test('error: a node of another chain', async () => {
  const node = await made.server((_, response) => response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}'))
  const LINEAGE_RPC_URLS = `http://127.0.0.1:${node}`
  const variables = { LINEAGE_CONFIG: writeConfig(), LINEAGE_RPC_URLS, LINEAGE_SESSION_SECRET }
  const { said, ended } = await start(variables)
  expect((await ended)[0]).toBe(1)
  expect(said()).toContain('is a node of chain 1, not of BNB Smart Chain (56).')
})

test('behavior: an indexer that waits for another process is restarted without end', async () => {
  const hash = `0x${'ab'.repeat(32)}`
  const node = await made.server((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const result = JSON.parse(text).method === 'eth_chainId' ? '0x38' : { hash }
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }))
    })
  })
  const data = join(made.folder(), 'data')
  const port = await nextFree(20_000 + (process.pid % 1_000))
  // This process holds the index.
  const holder = `${dataDir(data, port).index('chain', hash)}.pid`
  mkdirSync(dirname(holder), { recursive: true })
  const hold = () => writeFileSync(holder, String(process.pid))
  hold()
  const holding = setInterval(hold, 1_000)
  made.later(() => clearInterval(holding))
  const { said } = await start({
    PORT: String(port),
    LINEAGE_CONFIG: writeConfig(),
    LINEAGE_RPC_URLS: `http://127.0.0.1:${node}`,
    LINEAGE_SESSION_SECRET,
    LINEAGE_DATA_DIR: data,
  })
  const ends = () => said().split('The indexer ended with code 75.').length - 1
  await expect.poll(ends, { timeout: 60_000, interval: 200 }).toBeGreaterThan(3)
  expect(said()).toContain('Another indexer')
})
