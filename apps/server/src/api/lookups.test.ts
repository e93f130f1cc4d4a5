import { afterEach, expect, test } from 'vitest'
import { ask, type Served, type ServeParameters, serve } from '../../test/serve.ts'
import { addressOf, bind } from '../follow/test/tables.ts'
import { createLimits, defaultLimits } from '../load/limits.ts'
import { createLoadQueue } from '../load/loadQueue.ts'
import { LookupStoppedError } from '../lookups/Index.ts'
import { createLookUp, lookupOf } from './lookups.ts'

let served: Served | undefined
afterEach(async () => {
  await served?.close()
  served = undefined
})

async function start(parameters: ServeParameters = {}) {
  const queue = createLoadQueue()
  const opened = await serve({ step: { block: 100, events: [bind(1, 1, 0)] }, queue, ...parameters })
  served = opened
  /** Asks for a member. @param atLeast block that the visitor has seen */
  const get = async (atLeast: string) => {
    const headers = { 'lineage-at-least': atLeast }
    const answer = await ask(opened.url, `/v1/communities/demo/members/${addressOf(1)}`, { headers })
    return { ...answer, json: JSON.parse(answer.body.toString()) }
  }
  return { ...opened, queue, get }
}

test('behavior: an answer waits for the block that the visitor has seen, without a place in the queue', async () => {
  const { get, queue, tables } = await start()
  const asking = [get('101'), get('101')]
  let ended = 0
  for (const one of asking) void one.then(() => ended++)
  expect((await get('100')).status).toBe(200)
  expect([queue.counts().lookups, ended]).toEqual([0, 0])
  await tables.step('demo', { block: 101 })
  for (const { json } of await Promise.all(asking)) expect(json.asOf.block).toBe(101)
})

test('error: a block that does not come within a second', async () => {
  const { get } = await start()
  const startedAt = performance.now()
  const { status, headers, json } = await get('150')
  expect([status, json.code, headers['retry-after']]).toEqual([503, 'unavailable', '1'])
  expect(performance.now() - startedAt).toBeGreaterThan(900)
})

test('attack: a block that is far above the head is refused without waiting', async () => {
  const { get } = await start()
  const waiting = get('150').then(() => 'waited')
  const refused = get('99999999').then(({ json }) => json.code)
  expect(await Promise.race([waiting, refused])).toBe('unavailable')
})

test('attack: a visitor may wait for a few blocks only', async () => {
  const { get } = await start()
  const startedAt = performance.now()
  const ends: number[] = []
  const note = ({ status }: { status: number }) => {
    expect(status).toBe(503)
    ends.push(performance.now() - startedAt)
  }
  await Promise.all(Array.from({ length: 40 }, () => get('150').then(note)))
  expect([ends.filter((end) => end < 900).length, ends.filter((end) => end >= 900).length]).toEqual([8, 32])
})

test('behavior: a block of tables that were made again since is ignored', async () => {
  const { get, url } = await start()
  const { headers, json } = await get('150;00000000')
  expect(json.asOf.block).toBe(100)
  const name = headers['lineage-index']
  expect(name).toMatch(/^demo=[0-9a-f]{8}$/)
  expect((await ask(url, `/v1/addresses/${addressOf(1)}`)).headers['lineage-index']).toBe(name)
  expect((await get(`150;${String(name).slice('demo='.length)}`)).status).toBe(503)
})

test('attack: a visitor who leaves pays for the work until the index has stopped, and keeps the place', async () => {
  const { index, queue } = await start()
  const limits = createLimits({ ...defaultLimits, lookups: { burst: 100, perSecond: 0.001 } })
  const controller = new AbortController()
  let places = 0
  const lookUp = createLookUp({
    queue,
    limits,
    index: {
      ...index,
      async lookUp(_, { signal } = {}) {
        controller.abort(new Error('left'))
        expect(signal?.aborted).toBe(true)
        places = queue.counts().lookups
        throw new LookupStoppedError(70)
      },
    },
  })
  await expect(lookUp('192.0.2.1', lookupOf('communities'), controller.signal)).rejects.toThrow('left')
  // All but the first 20 ms.
  const { left } = limits.lookups.quote('192.0.2.1', 0)
  expect([Math.round(left), places, queue.counts().lookups]).toEqual([50, 1, 0])
})
