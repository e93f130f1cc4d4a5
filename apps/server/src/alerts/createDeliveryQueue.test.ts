import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { startPostgres } from '../../test/postgres.ts'
import { openDatabase } from '../database/openDatabase.ts'
import { createDeliveryQueue, type DeliveryQueueParameters } from './createDeliveryQueue.ts'

/** Shared by the tests, because it takes long to open. */
const embedded = openDatabase({ kind: 'embedded', directory: null })
afterAll(async () => (await embedded).close())

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const due = [{ id: 'one', first: 'one' }]

type SetupOptions = { url?: string; fail?: () => void }

/** Creates a queue in an empty database, whose statements `fail` can end. `url` is that of a PostgreSQL. */
async function setup(parameters: Partial<DeliveryQueueParameters>, { url, fail }: SetupOptions = {}) {
  const database = await (url === undefined ? embedded : openDatabase({ kind: 'postgres', url }))
  closing.push(url === undefined ? () => database.run('drop schema if exists lineage_jobs cascade') : database.close)
  const queue = createDeliveryQueue({
    jobs: {
      kind: url === undefined ? 'embedded' : 'postgres',
      execute: async (text, values) => {
        fail?.()
        return database.execute(text, values)
      },
    },
    listDue: async () => due,
    serve: async () => undefined,
    pollingInterval: 0.5,
    retryDelay: 1,
    ...parameters,
  })
  closing.push(queue.close)
  return { database, queue }
}

test('behavior: a webhook is served again after the time that it asks for, and a sweep is scheduled', async () => {
  const at: number[] = []
  const { database, queue } = await setup({
    serve: async () => (at.push(performance.now()) === 1 ? 1_500 : undefined),
  })
  queue.request()
  await expect.poll(() => at.length, { timeout: 20_000 }).toBe(2)
  expect(Number(at[1]) - Number(at[0])).toBeGreaterThan(1_400)
  expect(await database.query('select name, cron from lineage_jobs.schedule', [])).toEqual([
    { name: 'webhooks-sweep', cron: '* * * * *' },
  ])
}, 60_000)

test('behavior: webhooks that fail are queued at the start, and later those that have something new', async () => {
  const asked: string[] = []
  const { queue } = await setup({
    listDue: async (which) => {
      asked.push(which)
      return due
    },
  })
  queue.request()
  await expect.poll(() => asked, { timeout: 20_000 }).toEqual(['all'])
  queue.request()
  await expect.poll(() => asked, { timeout: 20_000 }).toEqual(['all', 'not_failing'])
}, 60_000)

test('behavior: requests while a webhook is served make it served once more', async () => {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let served = 0
  const { database, queue } = await setup({
    serve: async () => {
      served++
      await held
      return undefined
    },
  })
  const countWaiting = async () =>
    (await database.query(`select 1 from lineage_jobs.job where name = 'webhooks' and state = 'created'`, [])).length
  queue.request()
  await expect.poll(() => served, { timeout: 20_000 }).toBe(1)
  for (let request = 0; request < 3; request++) queue.request()
  await expect.poll(countWaiting, { timeout: 20_000 }).toBe(1)
  expect(served).toBe(1)
  release()
  await expect.poll(() => served, { timeout: 20_000 }).toBe(2)
  await expect.poll(countWaiting, { timeout: 20_000 }).toBe(0)
}, 60_000)

test('behavior: a webhook that waits for its next try is queued once, also when its job waits for a retry', async () => {
  let served = 0
  let asked = 0
  const { database, queue } = await setup({
    listDue: async () => {
      asked++
      return due
    },
    serve: async () => {
      served++
      return 3_600_000
    },
  })
  const list = () =>
    database.query(`select state from lineage_jobs.job where name = 'webhooks' and state < 'active'`, [])
  queue.request()
  await expect.poll(() => served, { timeout: 20_000 }).toBe(1)
  await expect.poll(list, { timeout: 20_000 }).toEqual([{ state: 'created' }])
  await database.query(`update lineage_jobs.job set state = 'retry' where name = 'webhooks' and state = 'created'`, [])
  for (const rounds of [2, 3]) {
    queue.request()
    await expect.poll(() => asked, { timeout: 20_000 }).toBe(rounds)
  }
  await queue.close()
  expect([served, await list()]).toEqual([1, [{ state: 'retry' }]])
}, 60_000)

test('error: a database that fails, and a webhook that cannot be served, are tried again', async () => {
  let failing = 3
  let tries = 0
  const { queue } = await setup(
    {
      serve: async () => {
        if (++tries === 1) throw new Error('The database ended.')
        return undefined
      },
    },
    {
      fail: () => {
        if (failing-- > 0) throw new Error('connection refused')
      },
    },
  )
  queue.request()
  await expect.poll(() => tries, { timeout: 30_000 }).toBe(2)
}, 60_000)

test('behavior: tables are made when the first webhook is due', async () => {
  let rounds = 0
  const { database, queue } = await setup({
    listDue: async () => (++rounds === 1 ? [] : due),
  })
  const countSchemas = async () =>
    (await database.query(`select 1 from pg_namespace where nspname = 'lineage_jobs'`, [])).length
  queue.request()
  await expect.poll(() => rounds).toBe(1)
  expect(await countSchemas()).toBe(0)
  queue.request()
  await expect.poll(countSchemas, { timeout: 20_000 }).toBe(1)
}, 60_000)

test('error: dropped tables are made again, and the failure is printed', async () => {
  const lines = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  closing.push(() => lines.mockRestore())
  let served = 0
  const { database, queue } = await setup({
    serve: async () => {
      served++
      return undefined
    },
  })
  queue.request()
  await expect.poll(() => served, { timeout: 20_000 }).toBe(1)
  await database.run('drop schema lineage_jobs cascade')
  queue.request()
  await expect.poll(() => served, { timeout: 30_000 }).toBeGreaterThan(1)
  const said = lines.mock.calls.flat()
  expect(said.length).toBeGreaterThan(0)
  const line = /^Alerts cannot be queued for webhooks: (relation|schema) "lineage_jobs.* does not exist\.$/
  expect(said.filter((text) => !line.test(text))).toEqual([])
}, 60_000)

test('behavior: in PostgreSQL an account holds one worker, also when its webhooks are queued at once', async () => {
  const { url, stop } = await startPostgres()
  closing.push(stop)
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const many = Array.from({ length: 6 }, (_, index) => ({ id: `a${index}`, first: 'a0' }))
  const others = ['b', 'c', 'd'].map((id) => ({ id, first: id }))
  let listed = false
  const started: string[] = []
  const served = new Set<string>()
  let running = 0
  let most = 0
  const { queue } = await setup(
    {
      listDue: async () => {
        if (listed) return []
        listed = true
        return [...many, ...others]
      },
      serve: async (id) => {
        started.push(id)
        if (id.startsWith('a')) {
          most = Math.max(most, ++running)
          await held
          running--
        }
        served.add(id)
        return undefined
      },
    },
    { url },
  )
  queue.request()
  await expect.poll(() => [...served].sort(), { timeout: 20_000 }).toEqual(['b', 'c', 'd'])
  release()
  await expect.poll(() => served.size, { timeout: 20_000 }).toBe(9)
  expect(most).toBe(1)
  expect(started).toHaveLength(9)
}, 60_000)
