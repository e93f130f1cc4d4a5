import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { startPostgres } from '@lineage/database/embedded'
import { startTestPostgres } from '@lineage/database/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { createCleanUp, isAlive } from './lib/testing.ts'
import { freePort } from './vitest/freePort.ts'

const made = createCleanUp()
afterEach(made.cleanUp)

type Started = { process: ChildProcess; said: () => string; ended: Promise<unknown[]>; ports: number[]; folder: string }

const startScript = ['--conditions=@lineage/source', 'scripts/start.ts']

/** Starts the product on its own ports and in its own data folder, with a page that needs no build. */
async function start(variables: Record<string, string> = {}, command = startScript): Promise<Started> {
  const folder = made.folder()
  const web = join(folder, 'web')
  mkdirSync(web)
  writeFileSync(join(web, 'index.html'), '<title>Lineage</title>')
  const ports = await Promise.all([freePort(), freePort(), freePort()])
  const [port, readerPort, rpcPort] = ports.map(String)
  const started = spawn(process.execPath, command, {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      HOME: process.env.HOME,
      PORT: port,
      LINEAGE_READER_PORT: readerPort,
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

/** Returns the descendants of a process whose command contains the words. */
const findProcesses = (pid: number, words: string) =>
  descendants(pid).filter((one) =>
    execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(one)], { encoding: 'utf8' }).includes(words),
  )

async function listensOn(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(2_000) }).then(
    () => true,
    () => false,
  )
}

/** Returns what the server's API answers at a path; `undefined` if it does not answer. */
async function ask(port: number, path: string): Promise<Record<string, unknown> | undefined> {
  // The server closes an idle connection after 5 s, and a busy machine may take that long between two requests.
  const options = { headers: { connection: 'close' }, signal: AbortSignal.timeout(5_000) }
  return fetch(`http://127.0.0.1:${port}/v1/${path}`, options).then(
    (response) => response.json() as Promise<Record<string, unknown>>,
    () => undefined,
  )
}

/** Waits until the product is ready, on a busy machine. */
const ready = ({ said }: Started) => expect.poll(said, { timeout: 120_000 }).toContain('Press Ctrl-C to end it.')

describe.skipIf(process.platform === 'win32')('no process is left', () => {
  test.each<[string, string[], (started: ChildProcess) => void]>([
    ['Ctrl-C', startScript, (started) => started.kill('SIGINT')],
    ['SIGTERM', startScript, (started) => started.kill('SIGTERM')],
    ['SIGTERM twice', startScript, (started) => [1, 2].map(() => started.kill('SIGTERM'))],
    ['kill -9', startScript, (started) => started.kill('SIGKILL')],
    ['its channel closed', startScript, (started) => started.disconnect()],
    ['SIGTERM of run.mjs', ['scripts/run.mjs', 'start'], (started) => started.kill('SIGTERM')],
    ['kill -9 of run.mjs', ['scripts/run.mjs', 'start'], (started) => started.kill('SIGKILL')],
  ])(
    'behavior: %s',
    async (_, command, act) => {
      const started = await start({}, command)
      const { process: child, ports, ended } = started
      await ready(started)
      expect(await Promise.all(ports.map(listensOn))).toEqual([true, true, true])
      const pids = descendants(child.pid ?? 0)
      expect(pids.length).toBeGreaterThanOrEqual(4)
      act(child)
      await ended
      await expect.poll(() => pids.filter(isAlive), { timeout: 15_000 }).toEqual([])
      expect(await Promise.all(ports.map(listensOn))).toEqual([false, false, false])
    },
    200_000,
  )
})

test('behavior: tells the progress, and serves the demo', async () => {
  const started = await start()
  await ready(started)
  const { said, ports } = started
  expect(said()).toMatch(/The demo chain is made: \d+ blocks[\s\S]*The chain is read/)
  expect(await ask(ports[0] ?? 0, 'status')).toMatchObject({ state: 'ready', progress: null, warnings: [] })
  expect(await ask(ports[0] ?? 0, 'config')).toMatchObject({
    demo: { privateKeys: expect.arrayContaining([expect.any(String)]), contract: expect.stringMatching(/^0x/) },
  })
  expect(await ask(ports[0] ?? 0, 'communities')).toMatchObject({ items: [{ id: 'demo' }] })
}, 200_000)

test('behavior: killed processes are started again: the server, PostgreSQL, and the chain, which is made anew', async () => {
  const started = await start()
  await ready(started)
  const { process: child, said, ports } = started
  const kill = (words: string) => {
    for (const pid of findProcesses(child.pid ?? 0, words)) process.kill(pid, 'SIGKILL')
  }
  const state = async () => (await ask(ports[0] ?? 0, 'status'))?.state
  kill('apps/server/src/main.ts')
  await expect.poll(said, { timeout: 30_000 }).toContain('The server was ended by SIGKILL. It starts again in 0.5 s.')
  await expect.poll(state, { timeout: 60_000 }).toBe('ready')
  kill('native/bin/postgres')
  await expect.poll(said, { timeout: 30_000 }).toContain('PostgreSQL runs again.')
  await expect.poll(state, { timeout: 60_000 }).toBe('ready')
  kill('anvil')
  await expect.poll(said, { timeout: 30_000 }).toContain('The demo chain has ended unexpectedly. Another is being made')
  await expect.poll(() => said().split('Press Ctrl-C to end it.').length, { timeout: 120_000 }).toBe(3)
  await expect.poll(state, { timeout: 60_000 }).toBe('ready')
}, 400_000)

test.skipIf(process.platform === 'win32')(
  'behavior: a reader that hangs is restarted',
  async () => {
    const started = await start({ LINEAGE_RESTART_AFTER: '3' })
    await ready(started)
    const { process: child, said, ports } = started
    // The last one is the reader itself, below the process that ends it with its parent.
    const reader = findProcesses(child.pid ?? 0, 'apps/reader/src/main.ts').at(-1)
    process.kill(reader ?? 0, 'SIGSTOP')
    await expect.poll(said, { timeout: 30_000 }).toContain('The reader has not answered for 3 s. It is restarted.')
    await expect.poll(said, { timeout: 60_000 }).toContain('The reader answers again')
    expect(await listensOn(ports[1] ?? 0)).toBe(true)
  },
  200_000,
)

test('behavior: accounts of an earlier version are moved at the first start, and the index of one is named', async () => {
  const folder = made.folder()
  const data = join(folder, 'data')
  const port = await freePort()
  const accounts = join(data, String(port), 'accounts')
  mkdirSync(accounts, { recursive: true })
  mkdirSync(join(data, String(port), 'index'))
  const earlier = await PGlite.create(accounts)
  await earlier.exec(
    readFileSync(join(import.meta.dirname, '../apps/server/src/accounts/test/earlierAccounts.sql'), 'utf8'),
  )
  await earlier.close()
  const first = await start({ PORT: String(port), LINEAGE_DATA_DIR: data })
  await ready(first)
  expect(first.said()).toContain('moved into PostgreSQL, with 6 labels, 2 watches and 2 webhooks.')
  expect(first.said()).toContain('is the index of an earlier version. It is no longer used: delete it.')
  first.process.kill('SIGTERM')
  await first.ended
  const second = await start({ PORT: String(port), LINEAGE_DATA_DIR: data })
  await ready(second)
  expect(second.said()).not.toContain('moved into PostgreSQL')
}, 300_000)

test('error: names a taken port, with a command to copy', async () => {
  const taken = await made.server()
  const { said, ended } = await start({ PORT: String(taken) })
  expect((await ended)[0]).toBe(1)
  expect(said()).toContain(`Port ${taken}, for the page (PORT), is taken by another program.`)
  expect(said()).toMatch(/PORT=\d+ LINEAGE_READER_PORT=\d+ RPC_PORT=\d+ npm start/)
})

test('error: names a start that already runs here', async () => {
  const first = await start()
  await ready(first)
  const second = await start({ PORT: String(first.ports[0]), LINEAGE_DATA_DIR: join(first.folder, 'data') })
  expect((await second.ended)[0]).toBe(1)
  expect(second.said()).toContain(`Lineage already runs here: process ${first.process.pid}, since `)
})

const LINEAGE_SESSION_SECRET = 'a secret for tests, of thirty-two bytes'

test.each([
  ['no nodes', { LINEAGE_CONFIG: 'x.json' }, 'LINEAGE_RPC_URLS is missing'],
  ['a port out of range', { RPC_PORT: 'abc' }, 'RPC_PORT must be a whole number from 1 to 65535.'],
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

test('error: the data folder is in use by the PostgreSQL of another start', async () => {
  const folder = made.folder()
  const port = String(await freePort())
  const postgres = await startPostgres({ directory: join(folder, port, 'postgres'), log: () => undefined })
  made.later(postgres.stop)
  const { said, ended } = await start({ PORT: port, LINEAGE_DATA_DIR: folder })
  expect((await ended)[0]).toBe(1)
  expect(said()).toContain(`postgres is in use by process ${process.pid}. End it, or choose another folder.`)
})

test('error: a database that refuses', async () => {
  const postgres = await startTestPostgres()
  made.later(postgres.stop)
  const node = await made.server((_, response) => response.end('{"jsonrpc":"2.0","id":1,"result":"0x38"}'))
  const { said, ended } = await start({
    DATABASE_URL: postgres.url.replace(/postgres$/, 'missing'),
    LINEAGE_CONFIG: writeConfig(),
    LINEAGE_RPC_URLS: `http://127.0.0.1:${node}`,
    LINEAGE_SESSION_SECRET,
  })
  expect((await ended)[0]).toBe(1)
  expect(said()).toContain('DATABASE_URL cannot be used. PostgreSQL says: database "missing" does not exist.')
})
