import type { RequestListener } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { startUpstream } from '../../test/upstream.ts'
import { createIndexers } from '../indexer/createIndexers.ts'
import { createEventReader } from './createDeriver.ts'

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
