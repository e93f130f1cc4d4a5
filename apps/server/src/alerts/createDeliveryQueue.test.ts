import { afterEach, expect, test } from 'vitest'
import { openDatabase } from '../accounts/openDatabase.ts'
import { createDeliveryQueue, type DeliveryQueueParameters } from './createDeliveryQueue.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const due = [{ id: 'one', first: 'one' }]

/** Creates a queue on a database of its own, whose statements `fail` can end. */
async function setup(parameters: Partial<DeliveryQueueParameters>, fail: () => void = () => undefined) {
  const database = await openDatabase({ kind: 'embedded', directory: null })
  closing.push(database.close)
  const queue = createDeliveryQueue({
    jobs: {
      kind: 'embedded',
      execute: async (text, values) => {
        fail()
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
      return []
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

test('behavior: a webhook that waits for its next try is not queued a second time, also when its job is to be retried', async () => {
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
    () => {
      if (failing-- > 0) throw new Error('connection refused')
    },
  )
  queue.request()
  await expect.poll(() => tries, { timeout: 30_000 }).toBe(2)
}, 60_000)
