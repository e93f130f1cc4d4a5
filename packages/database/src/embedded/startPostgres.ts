import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { findPrograms, type Programs } from './findPrograms.ts'
import { describeStartFailure, endServer, type Folder, openFolder, PostgresStartError } from './openFolder.ts'

export { PostgresStartError } from './openFolder.ts'

export type StartPostgresParameters = {
  /** Folder of the database, created if it does not exist. */
  directory: string
  /** @default a free port */
  port?: number
  /** Settings of PostgreSQL that differ from the usual ones. */
  settings?: Record<string, string>
  /** Called with each line of PostgreSQL's log. */
  log: (line: string) => void
}

export type Ending = { code: number | null }

export type Postgres = {
  url: string
  /** Settles when the server has ended. */
  ended: Promise<Ending>
  /** Ends the server, and connections with it. */
  stop: () => Promise<void>
}

/** A small machine's share; connections are only those of the processes on this machine. */
const usualSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '128MB',
  max_wal_size: '512MB',
  jit: 'off',
  password_encryption: 'scram-sha-256',
}

/** Milliseconds to wait for PostgreSQL's own end before it is ended without a checkpoint. */
const patience = 8_000
const user = 'lineage'
const tailLength = 20

/**
 * Starts a PostgreSQL server that listens on the loopback interface only and ends with this process, also if this
 * process is killed. Its data stays in the folder, which only one process can use at a time.
 *
 * @throws {PostgresStartError}
 */
export async function startPostgres(parameters: StartPostgresParameters): Promise<Postgres> {
  const { directory, port, settings = {}, log } = parameters
  try {
    const folder = await openFolder(directory)
    try {
      const programs = await findPrograms(folder.data)
      if (!existsSync(folder.data))
        await createCluster({ programs, folder, log, sync: settings.fsync === 'off' ? 'off' : 'on' })
      return await runServer({ programs, folder, log, port: port ?? (await findPort()), settings })
    } catch (error) {
      folder.release()
      throw error
    }
  } catch (error) {
    if (error instanceof PostgresStartError) throw error
    throw describeStartFailure(directory, (error as Error).message)
  }
}

type CreateClusterParameters = Pick<RunServerParameters, 'programs' | 'folder' | 'log'> & {
  /** Whether the files are on the disk before the first start. */
  sync: 'on' | 'off'
}

/** Creates the files of an empty database. They get their name when they are complete. */
async function createCluster({ programs, folder, log, sync }: CreateClusterParameters): Promise<void> {
  const { directory, data, passwordFile } = folder
  for (const name of await readdir(directory))
    if (name.startsWith('data.')) await rm(join(directory, name), { recursive: true, force: true })
  const unfinished = `${data}.${process.pid}`
  await mkdir(unfinished, { mode: 0o700 })
  programs.own(unfinished)
  programs.own(passwordFile)
  const access = ['--username', user, '--pwfile', passwordFile, '--auth', 'scram-sha-256']
  const format = ['--encoding', 'UTF8', '--locale', 'C', '--data-checksums', '--no-instructions']
  const options = [...access, ...format, ...(sync === 'off' ? ['--no-sync'] : [])]
  const { tail, ended } = follow(programs.run('initdb', ['--pgdata', unfinished, ...options]), log)
  if ((await ended).code !== 0) throw describeStartFailure(directory, tail.join('\n'))
  await rename(unfinished, data)
}

type RunServerParameters = Required<Omit<StartPostgresParameters, 'directory'>> & {
  programs: Programs
  folder: Folder
}

async function runServer({ programs, folder, log, port, settings }: RunServerParameters): Promise<Postgres> {
  const { directory, data, password, release } = folder
  const options = Object.entries({ ...usualSettings, ...settings }).map(([name, value]) => `--${name}=${value}`)
  const start = async () => {
    const server = programs.runWithParent('postgres', ['-D', data, '-p', String(port), ...options])
    const { tail, ended } = follow(server, log)
    const state = await Promise.race([ended, waitUntilReady(data, ended)])
    return { server, ended, isReady: state === 'ready', output: tail.join('\n') }
  }
  const givesUpAt = Date.now() + patience
  let { server, ended, isReady, output } = await start()
  // The processes of a killed server hold its shared memory until they notice that it has ended.
  while (!isReady && output.includes('pre-existing shared memory block') && Date.now() < givesUpAt) {
    await delay(100)
    ;({ server, ended, isReady, output } = await start())
  }
  if (!isReady) throw describeStartFailure(directory, output)
  void ended.then(release)
  const url = `postgres://${user}:${password}@127.0.0.1:${port}/postgres`
  // For PostgreSQL's own programs, such as pg_dump.
  await writeFile(join(directory, 'url'), url, { mode: 0o600 })
  return {
    url,
    ended,
    async stop() {
      if (process.platform === 'win32') programs.run('pg_ctl', ['stop', '-m', 'fast', '-D', data])
      else server.stdin?.end()
      const timer = setTimeout(() => void endServer(data, ['SIGQUIT', 'SIGKILL']), patience)
      await ended
      clearTimeout(timer)
    },
  }
}

/** Passes each line of a program's output to the log, and keeps the last ones. */
function follow(program: ChildProcess, log: (line: string) => void) {
  const tail: string[] = []
  const add = (line: string) => {
    log(line)
    tail.push(line)
    if (tail.length > tailLength) tail.shift()
  }
  for (const stream of [program.stdout, program.stderr]) if (stream) createInterface({ input: stream }).on('line', add)
  program.once('error', (error) => add(error.message))
  const ended = new Promise<Ending>((resolve) => program.once('close', (code) => resolve({ code })))
  return { tail, ended }
}

/** Waits until the server accepts connections, which takes longer after a crash. Never settles if it has ended. */
async function waitUntilReady(data: string, ended: Promise<unknown>): Promise<'ready'> {
  const gone = ended.then(() => 'gone' as const)
  for (;;) {
    const status = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')
    if (status.split('\n')[7]?.trim() === 'ready') return 'ready'
    if ((await Promise.race([delay(20), gone])) === 'gone') return new Promise(() => undefined)
  }
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('No port is free.')
  return address.port
}
