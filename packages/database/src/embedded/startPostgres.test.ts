import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../../../../scripts/vitest/freePort.ts'
import { PostgresStartError } from './openFolder.ts'
import { startPostgres } from './startPostgres.ts'

const isRoot = process.getuid?.() === 0
const canMount = isRoot && spawnSync('unshare', ['--mount', 'true']).status === 0
const ends: (() => unknown)[] = []
let folder = ''
let directory = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lineage-embedded-'))
  directory = join(folder, 'postgres')
})
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
  rmSync(folder, { recursive: true, force: true })
})

async function start(port?: number) {
  const lines: string[] = []
  const postgres = await startPostgres({
    directory,
    // No test ends the system itself.
    settings: { fsync: 'off' },
    log: (line) => lines.push(line),
    ...(port !== undefined && { port }),
  })
  ends.push(postgres.stop)
  return { ...postgres, lines }
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

/** Starts PostgreSQL in another process, and returns its first line: the URL, or a refusal. */
async function startElsewhere(prefix: string[] = []) {
  const keep = join(import.meta.dirname, '../../test/keepPostgres.ts')
  const [command = '', ...args] = [...prefix, process.execPath, '--conditions=@lineage/source', keep, directory]
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  ends.push(() => child.kill('SIGKILL'))
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { child, line }
}

const serverPid = () => Number.parseInt(readFileSync(join(directory, 'data/postmaster.pid'), 'utf8'), 10)

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

const saveRow = (url: string) => query(url, 'create table kept as select 1 as one')
const readRow = (url: string) => query(url, 'select one from kept')

test('behavior: keeps data between starts, with checksums, for this machine and the password only', async () => {
  const first = await start()
  await saveRow(first.url)
  await first.stop()
  expect(await first.ended).toEqual({ code: 0 })
  const port = await freePort()
  const { url, lines } = await start(port)
  expect(await readRow(url)).toEqual([{ one: 1 }])
  expect(new URL(url).port).toBe(String(port))
  expect(await query(url, 'show data_checksums')).toEqual([{ data_checksums: 'on' }])
  expect(lines.join('\n')).toMatch(`listening on IPv4 address "127.0.0.1", port ${port}`)
  expect(lines.filter((line) => line.includes('listening on'))).toHaveLength(1)
  await expect(query(url.replace(/:[^:@]*@/, ':wrong@'), 'select 1')).rejects.toThrow('password authentication failed')
  expect(statSync(join(directory, 'password')).mode & 0o777).toBe(0o600)
  expect(readFileSync(join(directory, 'url'), 'utf8')).toBe(url)
  expect(statSync(join(directory, 'url')).mode & 0o777).toBe(0o600)
})

test('behavior: tells that the server has ended, and starts again', async () => {
  const { ended, url } = await start()
  await saveRow(url)
  process.kill(serverPid(), 'SIGKILL')
  expect((await ended).code).not.toBe(0)
  expect(await readRow((await start()).url)).toEqual([{ one: 1 }])
})

test('error: another process uses the folder: it is named, and its data is left alone', async () => {
  const { child, line } = await startElsewhere()
  const refusal = `${directory} is in use by process ${child.pid}. End it, or choose another folder.`
  await expect(start()).rejects.toThrow(new PostgresStartError(refusal))
  expect((await startElsewhere()).line).toBe(refusal)
  await saveRow(line)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await readRow((await start()).url)).toEqual([{ one: 1 }])
})

test('error: another start in the same process is refused', async () => {
  await start()
  await expect(start()).rejects.toThrow(`is in use by process ${process.pid}.`)
})

test('behavior: the server ends when its process is killed', async () => {
  const { child } = await startElsewhere()
  const pid = serverPid()
  await kill(child)
  await expect.poll(() => isRunning(pid)).toBe(false)
})

test('behavior: a server that was left behind is ended by the next start', async () => {
  const { child, line } = await startElsewhere()
  await saveRow(line)
  const pid = serverPid()
  const [shell = 0, ...readers] = execFileSync('ps', ['-eo', 'pid,ppid,args'], { encoding: 'utf8' })
    .split('\n')
    .filter((process) => process.includes(directory) && process.includes('/bin/sh'))
    .map((process) => Number.parseInt(process, 10))
  for (const one of [...readers, shell]) process.kill(one, 'SIGKILL')
  await kill(child)
  expect(isRunning(pid)).toBe(true)
  expect(await readRow((await start()).url)).toEqual([{ one: 1 }])
  expect(serverPid()).not.toBe(pid)
})

test('behavior: after all processes were killed at once, what was committed is there', async () => {
  const { child, line } = await startElsewhere()
  await saveRow(line)
  process.kill(serverPid(), 'SIGKILL')
  await kill(child)
  expect(await readRow((await start()).url)).toEqual([{ one: 1 }])
})

test('behavior: another program has the id of a killed server', async () => {
  const { child, line } = await startElsewhere()
  await saveRow(line)
  const file = join(directory, 'data/postmaster.pid')
  const text = readFileSync(file, 'utf8')
  process.kill(serverPid(), 'SIGKILL')
  await kill(child)
  await expect.poll(() => existsSync(file)).toBe(true)
  writeFileSync(file, text.replace(/^\d+/, String(process.pid)))
  expect(await readRow((await start()).url)).toEqual([{ one: 1 }])
})

test('behavior: an interrupted creation is made anew', async () => {
  mkdirSync(join(directory, 'data.1'), { recursive: true })
  writeFileSync(join(directory, 'data.1', 'half'), '')
  await start()
  expect(readdirSync(directory).filter((name) => name.startsWith('data'))).toEqual(['data'])
})

test('error: the password is missing', async () => {
  await (await start()).stop()
  rmSync(join(directory, 'password'))
  await expect(start()).rejects.toThrow(
    `${join(directory, 'password')}, the password of ${directory}/data, is missing.`,
  )
})

test('error: the port is taken', async () => {
  const { url } = await start()
  const taken = directory
  directory = join(folder, 'other')
  await expect(start(Number(new URL(url).port))).rejects.toThrow('Address already in use')
  directory = taken
})

describe.runIf(isRoot)('root', () => {
  test('behavior: runs as nobody, whose folder it is, also below a folder that is closed to others', async () => {
    for (const mode of [0o755, 0o700]) {
      chmodSync(folder, mode)
      const { url, stop } = await start()
      expect(statSync(join(directory, 'data')).uid).not.toBe(0)
      expect(statSync(`/proc/${serverPid()}`).uid).toBe(statSync(join(directory, 'data')).uid)
      if (mode === 0o755) await saveRow(url)
      else expect(await readRow(url)).toEqual([{ one: 1 }])
      await stop()
    }
  })

  test('behavior: another user than root starts it, and root after that', async () => {
    // Every system has the user `daemon`.
    const uid = 1
    const rights = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override']
    execFileSync('chown', [String(uid), folder])
    const { child, line } = await startElsewhere([
      'setpriv',
      `--reuid=${uid}`,
      '--regid=1',
      '--clear-groups',
      ...rights,
    ])
    await saveRow(line)
    expect(statSync(join(directory, 'data')).uid).toBe(uid)
    await kill(child)
    expect(await readRow((await start()).url)).toEqual([{ one: 1 }])
  })
})

describe.runIf(canMount)('disks', () => {
  function mount(...options: string[]) {
    execFileSync('mount', [...options, folder])
    ends.unshift(() => execFileSync('umount', [folder]))
  }

  test('error: the disk is full: at the first start, and later', async () => {
    mount('-t', 'tmpfs', '-o', 'size=20m', 'tmpfs')
    await expect(start()).rejects.toThrow(/needs more room on the disk of .*, where \d+ MB are free/)
    execFileSync('mount', ['-o', 'remount,size=120m', folder])
    const { url, stop } = await start()
    await saveRow(url)
    await stop()
    const filler = join(folder, 'filler')
    spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=64k'])
    await expect(start()).rejects.toThrow(/needs more room on the disk of .*, where 0 MB are free/)
    rmSync(filler)
    expect(await readRow((await start()).url)).toEqual([{ one: 1 }])
  })

  test('error: the folder is read-only', async () => {
    await (await start()).stop()
    mount('--bind', folder)
    execFileSync('mount', ['-o', 'remount,bind,ro', folder])
    await expect(start()).rejects.toThrow(`PostgreSQL cannot use ${directory}: `)
  })
})
