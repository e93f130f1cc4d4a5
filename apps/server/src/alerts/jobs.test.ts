import { openPool } from '@lineage/database'
import type { Address } from '@lineage/referral-api'
import { afterEach, expect, test, vi } from 'vitest'
import { createDatabase, createTenant } from '../../test/serve.ts'
import { openAccounts } from '../accounts/openAccounts.ts'
import { createDatabase as openDatabase } from '../database/database.ts'
import { createDeliver, type DeliverParameters } from './deliver.ts'
import { createDeliveryStore, listActive } from './deliveryStore.ts'
import { createJobs, type JobsParameters } from './jobs.ts'
import type { SendWebhook } from './sendWebhook.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

type Given = { account: Address; webhooks: number; alerts: number }
const answer = { at: 1, status: 200, milliseconds: 1, answer: '' }

/** Opens a store in which each account has webhooks and alerts. */
async function openStore(...accounts: Given[]) {
  const { alerts, pool, close } = openAccounts(await createDatabase())
  closing.push(close)
  const database = openDatabase(pool)
  const ids: string[] = []
  for (const { account, webhooks } of accounts)
    for (let i = 0; i < webhooks; i++)
      ids.push((await alerts.addWebhook(account, `https://${account}.example/${i}`)).id)
  const addAlerts = async (account: Address, count: number, name = 'first') => {
    for (let i = 0; i < count; i++)
      await database.query(
        `insert into lineage_accounts.alerts (id, base, account, kind, time, details)
         values ($1, $1, $2, 'digest', 1, '{"members":1}'::jsonb)`,
        [`${name}-${account}-${i}`, account],
      )
  }
  for (const given of accounts) await addAlerts(given.account, given.alerts)
  return { alerts, pool, database, store: createDeliveryStore(database), ids, addAlerts }
}
type Store = Awaited<ReturnType<typeof openStore>>

type StartParameters = Partial<JobsParameters> & Partial<Omit<DeliverParameters, 'send'>> & { send?: SendWebhook }

/** Starts jobs that deliver with a `send` of the test. */
async function start({ pool, store }: Store, { send = async () => answer, ...parameters }: StartParameters = {}) {
  const deliver = createDeliver({ store, send, origin: 'https://lineage.example', ...parameters })
  const jobs = createJobs({
    pool,
    communities: ['demo'],
    derive: async () => undefined,
    deliver,
    listDue: async () => [],
    pollingInterval: 0.2,
    retryDelay: 1,
    ...parameters,
  })
  closing.push(jobs.close)
  await jobs.start()
  const deliverDue = async () => {
    await jobs.requestDeliveries(await store.listDue())
    jobs.look()
  }
  return { jobs, deliverDue }
}

const listJobs = ({ database }: Store, queue: string) =>
  database.query(`select state from lineage_jobs.job where name = $1 and state <= 'active'`, [queue])

test('behavior: the jobs open in a database that reads backslashes in strings as escapes', async () => {
  const url = await createDatabase()
  const pool = openPool({ url })
  await pool.query(`alter database ${new URL(url).pathname.slice(1)} set standard_conforming_strings = off`)
  await pool.end()
  const accounts = openAccounts(url)
  closing.push(accounts.close)
  const errors = vi.spyOn(console, 'error')
  const store = createDeliveryStore(openDatabase(accounts.pool))
  await accounts.findSession('')
  const { jobs } = await start({ pool: accounts.pool, store } as Store)
  await jobs.requestDerive('demo')
  expect(errors).not.toHaveBeenCalled()
})

test('behavior: accounts and jobs open in schemas that exist, without the right to create schemas', async () => {
  const accounts = openAccounts(await createTenant(await createDatabase(), 'lineage_accounts', 'lineage_jobs'))
  closing.push(accounts.close)
  const errors = vi.spyOn(console, 'error')
  await accounts.findSession('')
  const store = createDeliveryStore(openDatabase(accounts.pool))
  const { jobs } = await start({ pool: accounts.pool, store } as Store)
  await jobs.requestDerive('demo')
  expect(errors).not.toHaveBeenCalled()
})

test('error: a missing right is told with what to grant', async () => {
  const accounts = openAccounts(await createTenant(await createDatabase(), 'lineage_accounts'))
  closing.push(accounts.close)
  const errors = vi.spyOn(console, 'error').mockReturnValue()
  await start({ pool: accounts.pool, store: createDeliveryStore(openDatabase(accounts.pool)) } as Store)
  expect(errors.mock.lastCall?.[0]).toMatch(
    /^The jobs of alerts fail: permission denied for database test_\w+: grant create on database "test_\w+" to the role of DATABASE_URL.$/,
  )
})

test('behavior: the log says that the jobs fail, and once that they work again', async () => {
  const opened = await openStore()
  const said: string[] = []
  vi.spyOn(console, 'error').mockImplementation((line) => said.push(line))
  vi.spyOn(console, 'info').mockImplementation((line) => said.push(line))
  const { jobs } = await start(opened)
  await opened.database.query('alter schema lineage_jobs rename to moved', [])
  await expect.poll(() => said.length).toBeGreaterThan(0)
  await opened.database.query('alter schema moved rename to lineage_jobs', [])
  await expect.poll(() => said.at(-1)).toBe('The jobs of alerts work again.')
  await jobs.requestDerive('demo')
  await expect.poll(() => listJobs(opened, 'derive.demo')).toEqual([])
  expect(said.filter((line) => line.includes('again'))).toHaveLength(1)
})

test('behavior: the log says that a community is derived again after a job failed', async () => {
  const opened = await openStore()
  const said: string[] = []
  vi.spyOn(console, 'error').mockImplementation((line) => said.push(line))
  vi.spyOn(console, 'info').mockImplementation((line) => said.push(line))
  const derive = vi.fn(async () => undefined).mockRejectedValueOnce(new Error('no events'))
  const { jobs } = await start(opened, { derive })
  await jobs.requestDerive('demo')
  await expect.poll(() => said).toEqual(['The jobs of alerts fail: no events.', 'The jobs of alerts work again.'])
})

test('behavior: a community is derived once for many requests, and again for those during a run', async () => {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let runs = 0
  const opened = await openStore()
  const derive = async () => {
    runs++
    await held
    return undefined
  }
  const [{ jobs }, { jobs: others }] = [await start(opened, { derive }), await start(opened, { derive })]
  await jobs.requestDerive('demo')
  await expect.poll(() => runs).toBe(1)
  for (let request = 0; request < 3; request++) for (const one of [jobs, others]) await one.requestDerive('demo')
  expect(await listJobs(opened, 'derive.demo')).toHaveLength(2)
  expect(runs).toBe(1)
  release()
  await expect.poll(() => runs).toBe(2)
  await expect.poll(() => listJobs(opened, 'derive.demo')).toEqual([])
})

test('behavior: jobs are sent in a transaction, or not at all', async () => {
  const urls: string[] = []
  const opened = await openStore({ account: '0xa', webhooks: 1, alerts: 1 })
  const { jobs } = await start(opened, {
    send: async ({ url }) => {
      urls.push(url)
      return answer
    },
  })
  const send = (end: () => void) =>
    opened.database.transaction(async (query) => {
      await jobs.requestDeliveries(await listActive(query, ['0xa']), query)
      end()
    })
  await expect(
    send(() => {
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  expect(await listJobs(opened, 'webhooks')).toEqual([])
  await send(() => undefined)
  await expect.poll(() => urls).toEqual(['https://0xa.example/0'])
})

test('behavior: two servers deliver each alert once, in order', async () => {
  const opened = await openStore({ account: '0xa', webhooks: 1, alerts: 120 })
  const got: string[] = []
  const send: SendWebhook = async ({ id }) => {
    got.push(id)
    await new Promise((resolve) => setImmediate(resolve))
    return answer
  }
  const servers = [await start(opened, { send, turn: 50 }), await start(opened, { send, turn: 50 })]
  for (let round = 0; round < 5; round++) await Promise.all(servers.map(({ deliverDue }) => deliverDue()))
  await expect.poll(() => got.length).toBe(120)
  expect(got).toEqual(Array.from({ length: 120 }, (_, index) => `first-0xa-${index}`))
  await expect.poll(() => listJobs(opened, 'webhooks')).toEqual([])
  expect(got).toHaveLength(120)
})

test('behavior: a webhook that failed waits for its next try, also when there are new alerts', async () => {
  const opened = await openStore({ account: '0xa', webhooks: 1, alerts: 1 })
  let status = 503
  const got: string[] = []
  const now = () => Math.floor(Date.now() / 1_000)
  const { deliverDue } = await start(opened, {
    firstRetry: 3_000,
    send: async ({ id }) => {
      got.push(id)
      return { ...answer, at: now(), status }
    },
  })
  await deliverDue()
  await expect.poll(() => listJobs(opened, 'webhooks-slow')).toEqual([{ state: 'created' }])
  expect(got).toHaveLength(1)
  status = 200
  await opened.addAlerts('0xa', 1, 'second')
  await deliverDue()
  expect(await listJobs(opened, 'webhooks-slow')).toEqual([{ state: 'created' }])
  await expect.poll(() => got).toEqual(['first-0xa-0', 'first-0xa-0', 'second-0xa-0'])
  await expect.poll(() => listJobs(opened, 'webhooks-slow')).toEqual([])
})

test('attack: accounts whose webhooks answer late do not hold those of others', async () => {
  const slow = Array.from({ length: 100 }, (_, index): Given => ({ account: `0x5${index}`, webhooks: 2, alerts: 2 }))
  const opened = await openStore(...slow, { account: '0xb', webhooks: 1, alerts: 1 })
  let release: () => void = () => undefined
  const late = new Promise<void>((resolve) => {
    release = resolve
  })
  const urls: string[] = []
  const { deliverDue } = await start(opened, {
    send: async ({ url }) => {
      urls.push(url)
      if (!url.includes('0x5')) return answer
      if (urls.filter((one) => one === url).length === 2) await late
      return { ...answer, milliseconds: 9_500 }
    },
  })
  await deliverDue()
  // All places of slow webhooks are taken.
  await expect.poll(() => urls.filter((url) => url.includes('0x5')).length).toBe(400)
  await opened.addAlerts('0xb', 1, 'second')
  await deliverDue()
  await expect.poll(() => urls.filter((url) => url.includes('0xb'))).toHaveLength(2)
  release()
})

test('attack: the first alerts of 100 accounts whose webhooks hang do not hold those of others', async () => {
  const slow = Array.from({ length: 100 }, (_, index): Given => ({ account: `0x5${index}`, webhooks: 2, alerts: 1 }))
  const opened = await openStore(...slow, { account: '0xb', webhooks: 1, alerts: 1 })
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const urls: string[] = []
  const { deliverDue } = await start(opened, {
    send: async ({ url }) => {
      urls.push(url)
      if (url.includes('0x5')) await held
      return answer
    },
  })
  await deliverDue()
  await expect.poll(() => urls.filter((url) => url.includes('0xb'))).toHaveLength(1)
  await expect.poll(() => urls.length).toBe(201)
  release()
})

test('behavior: an account has few webhooks served at once', async () => {
  const opened = await openStore({ account: '0xa', webhooks: 5, alerts: 1 })
  let running = 0
  let most = 0
  let done = 0
  const send: SendWebhook = async () => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setTimeout(resolve, 20))
    running--
    done++
    return answer
  }
  const servers = [await start(opened, { send }), await start(opened, { send })]
  await servers[0]?.deliverDue()
  for (const { jobs } of servers) jobs.look()
  await expect.poll(() => done).toBe(5)
  // Two for each look of a server.
  expect(most).toBeLessThanOrEqual(4)
})

test('behavior: a job that runs long gives signs of life, and so is not run a second time', async () => {
  let runs = 0
  let release: (_: undefined) => void = () => undefined
  const held = new Promise<undefined>((resolve) => {
    release = resolve
  })
  const opened = await openStore()
  const { jobs } = await start(opened, {
    signOfLife: 50,
    derive: () => {
      runs++
      return held
    },
  })
  await jobs.requestDerive('demo')
  await expect.poll(() => runs).toBe(1)
  const readSign = async () => {
    const text = `select heartbeat_on::text as at from lineage_jobs.job where name = 'derive.demo' and state = 'active'`
    return (await opened.database.query(text, []))[0]?.at
  }
  for (let sign = 0; sign < 2; sign++) {
    const before = await readSign()
    await expect.poll(readSign).not.toBe(before)
  }
  release(undefined)
  await expect.poll(() => listJobs(opened, 'derive.demo')).toEqual([])
  expect(runs).toBe(1)
})

test('behavior: webhooks take turns', async () => {
  const accounts = Array.from({ length: 200 }, (_, index): Given => ({ account: `0x${index}`, webhooks: 1, alerts: 1 }))
  const opened = await openStore({ account: '0xa', webhooks: 1, alerts: 3 }, ...accounts)
  const urls: string[] = []
  const { deliverDue } = await start(opened, {
    turn: 0,
    send: async ({ url }) => {
      urls.push(url)
      return answer
    },
  })
  await deliverDue()
  await expect.poll(() => urls.length).toBe(203)
  expect(urls.lastIndexOf('https://0xa.example/0')).toBeGreaterThan(urls.indexOf('https://0x50.example/0'))
})

test('error: a database that fails at the start, and a job that fails, are tried again', async () => {
  const lines = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const opened = await openStore()
  const query = vi.spyOn(opened.pool, 'query')
  for (let failure = 0; failure < 3; failure++)
    query.mockImplementationOnce((() => Promise.reject(new Error('connection refused'))) as never)
  let tries = 0
  const { jobs } = await start(opened, {
    derive: async () => {
      if (++tries === 1) throw new Error('The database ended.')
      return undefined
    },
  })
  await expect.poll(() => opened.database.query('select 1 from lineage_jobs.queue', []).catch(() => [])).not.toEqual([])
  await expect
    .poll(async () => {
      if (tries === 0) await jobs.requestDerive('demo')
      return tries
    })
    .toBe(2)
  expect(lines.mock.calls.flat()).toContain('The jobs of alerts fail: The database ended.')
})

test('behavior: only a paused webhook is resumed, and late results change nothing', async () => {
  const { alerts, store, ids } = await openStore({ account: '0xa', webhooks: 1, alerts: 2 })
  const [id = ''] = ids
  const held = await store.findActive(id)
  if (!held) throw new Error('There is no webhook.')
  expect([await alerts.resumeWebhook('0xa', id), await alerts.resumeWebhook('0xb', id)]).toEqual([true, false])

  const [alert] = await store.readUnsent(held, 1)
  expect(await store.noteSent(held, alert?.number ?? 0, { ...answer, alert: null })).toBe(true)
  expect(await store.noteFailure(held, 1)).toBe(false)
  await store.pause(held, 1)
  expect(await alerts.listWebhooks('0xa')).toMatchObject([{ state: 'active', failingSince: null }])

  const current = { ...held, sent: alert?.number ?? 0 }
  expect(await store.noteFailure(current, 1)).toBe(true)
  expect(await store.listDue()).toMatchObject([{ id, failures: 1, lane: 'slow' }])
  await store.pause(current, 1)
  expect([await store.listDue(), await store.findActive(id)]).toEqual([[], undefined])
  await alerts.resumeWebhook('0xa', id)
  expect(await store.listDue()).toMatchObject([{ id, failures: 0, lane: 'fast' }])
})
