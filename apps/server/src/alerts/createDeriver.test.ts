import type { RequestListener } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { closedPort, startUpstream } from '../../test/upstream.ts'
import { openAccounts } from '../accounts/openAccounts.ts'
import { createIndexers } from '../indexer/createIndexers.ts'
import { createLive } from '../live/createLive.ts'
import { createDeriver, createEventReader } from './createDeriver.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const asOf = { block: 9, timestamp: 1, finalizedBlock: 8 }

/** Starts an indexer whose list of events a test answers, and returns the function that asks for it. */
async function setup(answer: RequestListener, timeout: number) {
  const upstream = await startUpstream((request, response) =>
    request.url === '/v1/status'
      ? response.end(
          JSON.stringify({
            state: 'ready',
            asOf,
            progress: null,
            reasons: [],
            headBlock: 9,
            note: null,
            warnings: [],
            spotChecks: [],
          }),
        )
      : answer(request, response),
  )
  const indexers = createIndexers({ urls: [upstream.url] })
  closing.push(indexers.close, upstream.close)
  await indexers.refresh()
  expect(indexers.all[0]?.state).toBe('ready')
  const readEvents = createEventReader({ indexers, timeout })
  return { indexers, read: () => readEvents('demo', { addresses: [], after: null }) }
}

test('behavior: an indexer that takes too long for events still answers lookups', async () => {
  const { indexers, read } = await setup(() => undefined, 50)
  await expect(read()).rejects.toMatchObject({ name: 'WatchedEventsError', status: 503 })
  expect(indexers.all[0]?.state).toBe('ready')
})

test.each([
  ['of another version', 200, JSON.stringify({ asOf, items: [] }), /of another version/],
  ['a refusal', 404, '{}', /answers 404/],
])('error: %s is said', async (_, status, body, message) => {
  const { read } = await setup((__, response) => response.writeHead(status).end(body), 10_000)
  await expect(read()).rejects.toThrow(message)
})

test('behavior: a subscription stays when a community is watched while a review reads the list', async () => {
  const accounts = openAccounts({ kind: 'embedded', directory: null })
  const indexers = createIndexers({ urls: [`http://127.0.0.1:${closedPort}`] })
  const live = createLive({ indexers })
  const store = accounts.alerts
  const address = '0x0000000000000000000000000000000000000001'
  const rules = {
    directs: true,
    team: 'off',
    milestones: false,
    referrer: false,
    irregular: false,
    volumeFrom: null,
  } as const
  const calls: string[] = []
  let reviews = 0
  const deriver = createDeriver({
    store: {
      ...store,
      async listWatchedCommunities() {
        const listed = await store.listWatchedCommunities()
        if (reviews++ > 0) return listed
        await store.saveWatch(address, { community: 'demo', address, rules, updatedAt: 1 }, asOf)
        deriver.noteWatch('demo')
        return listed
      },
    },
    live: {
      subscribe(community, listener) {
        calls.push(`subscribe ${community}`)
        const stop = live.subscribe(community, listener)
        return () => {
          calls.push(`stop ${community}`)
          stop()
        }
      },
    },
    readEvents: createEventReader({ indexers }),
    onStored: () => undefined,
    interval: 20,
  })
  closing.push(deriver.close, live.close, indexers.close, accounts.close)
  deriver.start()
  // A review begins after the end of the one before it.
  await expect.poll(() => reviews).toBeGreaterThan(1)
  expect(calls).toEqual(['subscribe demo'])
})
