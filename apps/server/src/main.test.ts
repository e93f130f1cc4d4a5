import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../../scripts/vitest/freePort.ts'
import { ask, createDatabase } from '../test/serve.ts'
import { closedPort, startUpstream } from '../test/upstream.ts'

const children: ChildProcess[] = []
let databaseUrl = ''
let directory = ''
beforeAll(async () => {
  databaseUrl = await createDatabase()
  directory = mkdtempSync(join(tmpdir(), 'server-'))
  writeFileSync(join(directory, 'lineage.json'), JSON.stringify({ communities: [community] }))
})
afterAll(() => rmSync(directory, { recursive: true }))

const community = {
  id: 'demo',
  name: 'Demo',
  chainId: 56,
  address: '0x000000000000000000000000000000000000beef',
  startBlock: 1,
  event: 'event Bound(address member, address referrer)',
  member: 'member',
  referrer: 'referrer',
}

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** Starts the server with these variables only, so that it does not find a product running on the default ports. */
function start(variables: Record<string, string>) {
  const child = fork(join(import.meta.dirname, 'main.ts'), {
    execArgv: ['--conditions=@lineage/source'],
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: '1',
      DATABASE_URL: databaseUrl,
      LINEAGE_CONFIG: join(directory, 'lineage.json'),
      LINEAGE_RPC_URLS: `http://127.0.0.1:${closedPort}`,
      LINEAGE_SESSION_SECRET: 'a secret for tests, of thirty-two bytes',
      LINEAGE_WEB_DIR: 'none',
      ...variables,
    },
    stdio: 'pipe',
  })
  children.push(child)
  let errors = ''
  child.stderr?.on('data', (chunk) => {
    errors += chunk
  })
  return { child, errors: () => errors, exited: once(child, 'exit'), closed: once(child, 'close') }
}

test.each<[string, (child: ChildProcess) => void]>([
  ['SIGTERM', (child) => child.kill('SIGTERM')],
  ['SIGINT', (child) => child.kill('SIGINT')],
  ['a closed IPC channel', (child) => child.disconnect()],
])('behavior: reports that it listens, and exits with 0 on %s', async (_, act) => {
  const PORT = String(await freePort())
  const { child, exited } = start({ PORT })
  expect((await once(child, 'message'))[0]).toEqual({ type: 'listening', port: Number(PORT) })
  await expect
    .poll(async () => JSON.parse((await ask(`http://127.0.0.1:${PORT}`, '/v1/status')).body.toString()).state)
    .toBe('starting')
  act(child)
  expect(await exited).toEqual([0, null])
})

test('error: a port in use is reported with the variable to set', async () => {
  const { port, close } = await startUpstream((_, response) => response.end())
  const { errors, closed } = start({ PORT: String(port) })
  expect((await closed)[0]).toBe(1)
  expect(errors()).toBe(
    `Port ${port} is taken by another program. Set PORT to a free one, for example PORT=${port + 1}.\n`,
  )
  await close()
})

test('behavior: listens on the address of the settings alone', async () => {
  const PORT = String(await freePort())
  const { child } = start({ PORT, LINEAGE_HOST: '127.0.0.1' })
  await once(child, 'message')
  expect((await ask(`http://127.0.0.1:${PORT}`, '/v1/health')).status).toBe(200)
  await expect(ask(`http://127.0.0.2:${PORT}`, '/v1/health')).rejects.toThrow('ECONNREFUSED')
})

test('behavior: each failure is logged as one line without its stack and without secrets, however often it repeats', async () => {
  const PORT = String(await freePort())
  const DATABASE_URL = `postgres://me:s3cret-word@127.0.0.1:${closedPort}/none`
  const { child, errors } = start({ PORT, DATABASE_URL })
  await once(child, 'message')
  for (let count = 0; count < 10; count++)
    expect(
      (await ask(`http://127.0.0.1:${PORT}`, '/v1/labels', { headers: { cookie: 'siwe-session=a.b' } })).status,
    ).toBe(401)
  await expect.poll(errors).toContain('ECONNREFUSED')
  expect(errors()).not.toMatch(/s3cret-word|\n {2,}at /)
  const lines = errors().trim().split('\n')
  expect(new Set(lines).size).toBe(lines.length)
})

test('behavior: as JSON all output is lines of JSON on standard output, and metrics are on their port', async () => {
  const [PORT, LINEAGE_METRICS_PORT] = [String(await freePort()), String(await freePort())]
  const { child, errors } = start({ PORT, LINEAGE_LOG: 'json', LINEAGE_METRICS_PORT, LINEAGE_ORIGINS: 'a' })
  let output = ''
  child.stdout?.on('data', (chunk) => {
    output += chunk
  })
  await once(child, 'message')
  await ask(`http://127.0.0.1:${PORT}`, '/v1/health')
  const lines = () =>
    output
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  await expect
    .poll(() => lines().map(({ message }) => message))
    .toEqual([
      'LINEAGE_ORIGINS is not a setting, and has no effect. Did you mean LINEAGE_ORIGIN? See .env.example.',
      `Listening on http://localhost:${PORT}`,
      'request',
    ])
  expect(lines()[0]).toMatchObject({ level: 'warn' })
  expect(errors()).toBe('')
  const metrics = await ask(`http://127.0.0.1:${LINEAGE_METRICS_PORT}`, '/metrics')
  expect(metrics.body.toString()).toContain('nodejs_eventloop_lag_p99_seconds')
})

test('behavior: as JSON a fault of the index has the level of an error', async () => {
  const DATABASE_URL = `postgres://127.0.0.1:${closedPort}/none`
  const { child } = start({ PORT: String(await freePort()), LINEAGE_LOG: 'json', DATABASE_URL })
  let output = ''
  child.stdout?.on('data', (chunk) => {
    output += chunk
  })
  await expect.poll(() => output).toMatch(/"level":"error","message":"The tables cannot be read; trying again/)
})

test('error: each fault of the configuration has a line of its own', async () => {
  const file = join(directory, 'faulty.json')
  writeFileSync(file, JSON.stringify({ communities: [{ ...community, startBlock: -1, name: '' }] }))
  const { errors, closed } = start({ LINEAGE_CONFIG: file })
  expect((await closed)[0]).toBe(1)
  expect(errors().trim().split('\n')).toEqual([
    'The configuration of LINEAGE_CONFIG cannot be used.',
    expect.stringMatching(/^communities\[0\]\.name: /),
    expect.stringMatching(/^communities\[0\]\.startBlock: /),
  ])
})

test.each([
  ['an address of this machine', { LINEAGE_HOST: '192.0.2.1' }, /^This machine does not have the address [^\n]*\n$/],
  [
    'a community that it should hold',
    { LINEAGE_COMMUNITIES: 'other' },
    /^LINEAGE_COMMUNITIES names [^\n]*: other\.\n$/,
  ],
  [
    'a configuration',
    { LINEAGE_CONFIG: '/nowhere.json' },
    /^The configuration of LINEAGE_CONFIG cannot be used\.\n[^\n]*nowhere\.json[^\n]*\n$/,
  ],
  [
    'a URL of the database',
    { DATABASE_URL: 'postgres://me:s3/cret@db.example/name' },
    /^DATABASE_URL must be (?!.*cret)[^\n]*\n$/,
  ],
  ['settings', { LINEAGE_RPC_URLS: '' }, /^LINEAGE_RPC_URLS is missing: [^\n]*\n$/],
  ['build', { LINEAGE_WEB_DIR: '/nowhere' }, /^The web app is not built: [^\n]*\n$/],
])('error: without %s it exits with one sentence', async (_, variables, message) => {
  const { errors, closed } = start(variables)
  expect((await closed)[0]).toBe(1)
  expect(errors()).toMatch(message)
})
