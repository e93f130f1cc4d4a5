import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { startPostgres } from '@lineage/database/embedded'
import { startTestPostgres } from '@lineage/database/testing'
import { type Address, getAddress, keccak256, numberToHex, parseAbiItem } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { startChain, contract as token } from '../apps/reader/test/chain.ts'
import { createRpc } from './demo-chain/rpc.ts'
import { dataDir } from './lib/dataDir.ts'
import { readStartSettings } from './lib/startSettings.ts'
import { createTerminal } from './lib/terminal.ts'
import { createCleanUp, findProcesses, isAlive } from './lib/testing.ts'
import { createProcesses } from './start/createProcesses.ts'
import { runDemo } from './start/runDemo.ts'
import { freePort } from './vitest/freePort.ts'
import { runAnvil } from './vitest/runAnvil.ts'

const made = createCleanUp()
afterEach(made.cleanUp)

type Started = { process: ChildProcess; said: () => string; ended: Promise<unknown[]>; ports: number[]; folder: string }

const startScript = ['--conditions=@lineage/source', 'scripts/start.ts']
const runScript = ['scripts/run.mjs', 'start']

/** Starts the product on its own ports and in its own data folder, with a page that needs no build. */
async function start(variables: Record<string, string> = {}, command = startScript): Promise<Started> {
  const folder = made.folder()
  const web = join(folder, 'web')
  mkdirSync(web)
  mkdirSync(join(web, '.vite'))
  writeFileSync(join(web, '.vite/paths.json'), '["/"]')
  writeFileSync(join(web, 'index.html'), '<title>Lineage</title>')
  const [port, readerPort, rpcPort] = [variables.PORT ?? (await freePort()), await freePort(), await freePort()].map(
    String,
  )
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
    const pids = findProcesses(started.pid ?? 0)
    if (started.kill('SIGTERM')) await ended
    await expect.poll(() => pids.filter(isAlive)).toEqual([])
  })
  return { process: started, said: () => text, ended, ports: [port, readerPort, rpcPort].map(Number), folder }
}

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
const ready = ({ said }: Started) => expect.poll(said).toContain('Press Ctrl-C to end it.')

/** Ends a product that is ready, and expects that none of its processes is left and none of its ports is taken. */
async function endAll(
  { process: child, ports: all, ended }: Started,
  act: (child: ChildProcess) => void,
  ports = all,
): Promise<void> {
  const pids = findProcesses(child.pid ?? 0)
  expect(pids.length).toBeGreaterThanOrEqual(4)
  expect(await Promise.all(ports.map(listensOn))).toEqual(ports.map(() => true))
  act(child)
  await ended
  await expect.poll(() => pids.filter(isAlive)).toEqual([])
  expect(await Promise.all(ports.map(listensOn))).toEqual(ports.map(() => false))
}

/** A made-up address that looks like one. */
const accountOf = (index: number): Address => `0x${keccak256(numberToHex(index)).slice(26)}`
const parentOf = (index: number) => accountOf(Math.floor((index - 1) / 3))
/** Members of a token whose transfers bind, each with the referrer that the contract returns. */
const pairs = Array.from({ length: 40 }, (_, at) => [accountOf(at + 1), parentOf(at + 1)] as const)
const referrers = new Map(pairs)

function isBelow(member: Address, above: Address): boolean {
  const referrer = referrers.get(member)
  return referrer !== undefined && (referrer === above || isBelow(referrer, above))
}

/** Starts a chain with a token that binds the recipients of transfers, and emits no event for that. */
async function startToken() {
  const chain = await startChain()
  made.later(chain.stop)
  const transfer = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')
  await chain.setReferrers(token, ...pairs.map(([member, referrer]): [Address, Address] => [member, referrer]))
  for (const [member, referrer] of pairs) await chain.emit(token, [[transfer, referrer, member, 1n]])
  return chain
}

// A start takes many seconds of the processor, so each of these products shows several behaviours, and ends in its own way.
describe.skipIf(process.platform === 'win32')('the product', () => {
  test('behavior: tells the progress, serves the demo, names itself to a second start, restarts killed processes, and leaves none after Ctrl-C', async () => {
    const started = await start()
    await ready(started)
    const { process: child, said, ports, folder } = started
    expect(said()).toMatch(
      /The demo chain is made: \d+ blocks[\s\S]*The chain is read[\s\S]*members · [\s\S]*largest team: /,
    )
    expect(await ask(ports[0] ?? 0, 'status')).toMatchObject({ state: 'ready', progress: null, warnings: [] })
    expect(await ask(ports[0] ?? 0, 'config')).toMatchObject({
      demo: { privateKeys: expect.arrayContaining([expect.any(String)]), contract: expect.stringMatching(/^0x/) },
    })
    expect(await ask(ports[0] ?? 0, 'communities')).toMatchObject({ items: [{ id: 'demo' }] })

    const second = await start({ PORT: String(ports[0]), LINEAGE_DATA_DIR: join(folder, 'data') })
    expect((await second.ended)[0]).toBe(1)
    expect(second.said()).toContain(`Lineage already runs here: process ${child.pid}, since `)

    const kill = (words: string) => {
      for (const pid of findProcesses(child.pid ?? 0, words)) process.kill(pid, 'SIGKILL')
    }
    const state = async () => (await ask(ports[0] ?? 0, 'status'))?.state
    kill('apps/server/src/main.ts')
    await expect.poll(said).toContain('The server was ended by SIGKILL. It starts again in 0.5 s.')
    await expect.poll(state).toBe('ready')
    kill('native/bin/postgres')
    await expect.poll(said).toContain('PostgreSQL runs again.')
    await expect.poll(state).toBe('ready')
    kill('anvil')
    await expect.poll(said).toContain('The demo chain has ended unexpectedly. Another is being made')
    await expect.poll(() => said().split('Press Ctrl-C to end it.').length).toBe(3)
    await expect.poll(state).toBe('ready')
    await endAll(started, (one) => one.kill('SIGINT'))
  }, 400_000)

  test('behavior: shows the tree of a contract by its address and a node alone, moves the accounts of an earlier version once, restarts a reader that hangs, and leaves no process after kill -9', async () => {
    const data = join(made.folder(), 'data')
    const port = await freePort()
    const accounts = join(data, String(port), 'accounts')
    mkdirSync(accounts, { recursive: true })
    mkdirSync(join(data, String(port), 'index'))
    const earlier = await PGlite.create(accounts)
    await earlier.exec(
      readFileSync(join(import.meta.dirname, '../apps/server/src/accounts/test/earlierAccounts.sql'), 'utf8'),
    )
    await earlier.close()
    const variables = { PORT: String(port), LINEAGE_DATA_DIR: data, LINEAGE_RESTART_AFTER: '3' }
    const chain = await startToken()
    const first = await start(variables, [...runScript, token, chain.url])
    await ready(first)
    expect(first.said()).toContain('moved into PostgreSQL, with 6 labels, 2 watches and 2 webhooks.')
    expect(first.said()).toContain('is the index of an earlier version. It is no longer used: delete it.')
    expect(first.said()).toMatch(
      /✓ parent[\s\S]*The configuration was written: .*\.json[\s\S]*40 members · 1 root · first bind on/,
    )
    expect(first.said()).toContain(`largest team: 40 below ${getAddress(parentOf(1))}`)
    const { items } = (await ask(port, 'communities')) as { items: { id: string }[] }
    for (const [member, referrer] of pairs)
      expect(await ask(port, `communities/${items[0]?.id}/members/${member}`)).toMatchObject({
        referrer: getAddress(referrer),
        team: pairs.filter(([one]) => isBelow(one, member)).length,
      })
    await endAll(first, (one) => one.kill('SIGKILL'), first.ports.slice(0, 2))
    // Its configuration is not made anew: the node is asked for blocks only.
    const second = await start(variables, [...startScript, token, chain.url])
    await ready(second)
    expect(second.said()).not.toContain('moved into PostgreSQL')
    expect(second.said()).toMatch(/The configuration is that of an earlier start: .*\.json/)
    expect(second.said()).not.toContain('Inspecting')
    // The last one is the reader itself, below the process that ends it with its parent.
    const reader = findProcesses(second.process.pid ?? 0, 'apps/reader/src/main.ts').at(-1)
    process.kill(reader ?? 0, 'SIGSTOP')
    await expect.poll(second.said).toContain('The reader has not answered for 3 s. It is restarted.')
    await expect.poll(second.said).toContain('The reader answers again')
    expect(await listensOn(second.ports[1] ?? 0)).toBe(true)
    await endAll(second, (one) => one.kill('SIGKILL'), second.ports.slice(0, 2))
  }, 600_000)

  test('behavior: leaves no process after SIGTERM while it starts, sent twice', async () => {
    const started = await start({}, runScript)
    const { process: child, ended } = started
    const runs = (words: string) => findProcesses(child.pid ?? 0, words).length > 0
    await expect.poll(() => ['anvil', 'native/bin/postgres'].every(runs)).toBe(true)
    const pids = findProcesses(child.pid ?? 0)
    expect(pids.length).toBeGreaterThanOrEqual(3)
    for (const _ of [1, 2]) child.kill('SIGTERM')
    await ended
    await expect.poll(() => pids.filter(isAlive)).toEqual([])
  })
})

test('error: names a taken port, with a command to copy', async () => {
  const taken = await made.server()
  const { said, ended } = await start({ PORT: String(taken) })
  expect((await ended)[0]).toBe(1)
  expect(said()).toContain(`Port ${taken}, for the page (PORT), is taken by another program.`)
  expect(said()).toMatch(/PORT=\d+ LINEAGE_READER_PORT=\d+ RPC_PORT=\d+ npm start/)
})

test('error: a chain of another program has taken the port since, and nothing is written into it', async () => {
  const chain = await runAnvil(['--timestamp', '1700000000'])
  made.later(chain.stop)
  const { port } = new URL(chain.url)
  const settings = readStartSettings({ RPC_PORT: port, LINEAGE_DATA_DIR: made.folder() })
  const terminal = createTerminal()
  const processes = createProcesses(terminal, () => undefined)
  made.later(processes.stopAll)
  const data = dataDir(settings.dataDir, settings.port)
  const product = { mode: 'built', url: '', serverPort: 0, settings, data, terminal, processes } as const
  const never = new Promise<never>(() => undefined)
  await expect(runDemo(product, never, () => true)).rejects.toThrow(
    `Port ${port}, for the demo chain (RPC_PORT), is taken by another program.`,
  )
  expect(await createRpc(chain.url)('eth_blockNumber')).toBe('0x0')
})

const LINEAGE_SESSION_SECRET = 'a secret for tests, of thirty-two bytes'

test('error: a contract without code is not started, and the terminal says what is missing', async () => {
  const chain = await startChain()
  made.later(chain.stop)
  const { said, ended } = await start({}, [...startScript, accountOf(1), chain.url])
  expect((await ended)[0]).toBe(1)
  expect(said()).toMatch(/✗ code[\s\S]*there is no contract at[\s\S]*Nothing is started[\s\S]*npm run inspect 0x/)
})

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
