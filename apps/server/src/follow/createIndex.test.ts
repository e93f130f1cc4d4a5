import { startTestPostgres } from '@lineage/database/testing'
import { getAddress } from 'viem'
import { afterAll, afterEach, expect, test } from 'vitest'
import type { Index, IndexChange, LookupRequest } from '../lookups/Index.ts'
import { parseLookup } from '../lookups/parseLookup.ts'
import { createIndex } from './createIndex.ts'
import { addressOf, bind, createCommunities, createTestTables } from './test/tables.ts'

const postgres = await startTestPostgres()
afterAll(postgres.stop)
const communities = createCommunities('demo')
let index: Index | undefined
let close: (() => Promise<void>)[] = []
afterEach(async () => {
  await index?.close()
  for (const end of close) await end()
  close = []
})

async function start() {
  const url = await postgres.createDatabase()
  const tables = await createTestTables(url, communities)
  const logged: string[] = []
  const started = createIndex({ communities, databaseUrl: url, maxAge: 0, log: (message) => logged.push(message) })
  index = started
  close.push(tables.close)
  return { tables, index: started, logged }
}

async function ask(of: Index, request: LookupRequest) {
  const { body, ...answer } = await of.lookUp(request)
  return { ...answer, json: JSON.parse(await new Response(body).text()) }
}

test('behavior: a member is answered from the tables, and the next bind is a change', async () => {
  const { tables, index, logged } = await start()
  await tables.step('demo', { block: 40, events: [bind(1, 1, 0), bind(35, 2, 1)] })
  await expect.poll(() => index.stateOf('demo')).toMatchObject({ asOf: { block: 40, finalizedBlock: 10 }, members: 2 })
  const request = parseLookup('member', {
    path: { community: 'demo', address: addressOf(1) },
    query: new URLSearchParams(),
  })
  const { json, version, caching } = await ask(index, request)
  expect(json).toMatchObject({
    asOf: { block: 40 },
    address: getAddress(addressOf(1)),
    team: 1,
    tx: expect.any(String),
  })
  expect([version, caching]).toEqual([expect.stringMatching(/^\d+\.0\.0\.40\./), 'present'])
  const changes: IndexChange[] = []
  index.subscribe((change) => changes.push(change))
  await tables.step('demo', { block: 41, events: [bind(41, 3, 1)] })
  await expect
    .poll(() => changes)
    .toMatchObject([{ asOf: { block: 41 }, members: 3, changed: [getAddress(addressOf(3))] }])
  expect(logged).toEqual(['demo is ready at block 40.'])
})
