import { execFileSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLockSession, openPostgres } from './openDatabase.ts'
import { type Database, startDatabases } from './test/databases.ts'

test('behavior: the driver of Ponder is found without NODE_PATH, which the commands of pnpm set and production does not', () => {
  const code = `import { requireFromPonder } from './openDatabase.ts'
    console.log(requireFromPonder.resolve('pg').length > 0)`
  const env = { ...process.env, NODE_PATH: undefined, NODE_OPTIONS: undefined }
  const args = ['--input-type=module', '--eval', code]
  expect(execFileSync(process.execPath, args, { cwd: import.meta.dirname, env, encoding: 'utf8' })).toBe('true\n')
})

test('behavior: the embedded database is created and opened with the copy that Ponder uses', () => {
  const ponder = realpathSync(findPackageJSON('ponder', import.meta.url) ?? '')
  const creator = realpathSync(findPackageJSON('@lineage/embedded-database', import.meta.url) ?? '')
  const copies = [import.meta.url, pathToFileURL(creator), pathToFileURL(ponder)].map((parent) =>
    realpathSync(findPackageJSON('@electric-sql/pglite', parent) ?? ''),
  )
  expect(new Set(copies).size).toBe(1)
})

/** Starts a proxy that passes on how a connection to PostgreSQL begins, and no statement. */
async function startProxy(target: URL) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    const upstream = connect(Number(target.port), target.hostname)
    upstream.on('error', () => socket.destroy()).pipe(socket)
    // A message that begins with `Q` is a statement.
    socket.on('data', (bytes) => bytes.toString('latin1', 0, 1) !== 'Q' && upstream.write(bytes))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      sockets.delete(socket)
      upstream.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: Object.assign(new URL(target), { host: `127.0.0.1:${port}` }),
    countOpen: () => sockets.size,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

describe('PostgreSQL', () => {
  let databases: Awaited<ReturnType<typeof startDatabases>>
  let database: Database
  let url = ''

  beforeAll(async () => {
    databases = await startDatabases('PostgreSQL')
    database = await databases.create()
    url = String(database.env.DATABASE_URL)
  })
  afterAll(() => databases?.stop())

  test('error: after a lost connection queries are rejected, and the process lives', async () => {
    const { query, close } = await openPostgres(url)
    const [row] = (await query('select pg_backend_pid() as pid')).rows as { pid: number }[]
    await database.query(`select pg_terminate_backend(${row?.pid})`)
    // The driver says so once it has reported the loss.
    await expect.poll(() => query('select 1').catch(String)).toContain('is not queryable')
    await close()
  })

  test('error: a lock session that cannot be set up is closed', async () => {
    const proxy = await startProxy(new URL(url))
    proxy.url.searchParams.set('query_timeout', '100')
    await expect(openLockSession(proxy.url.href, 'lock')).rejects.toThrow('Query read timeout')
    await expect.poll(proxy.countOpen).toBe(0)
    proxy.close()
  })
})
