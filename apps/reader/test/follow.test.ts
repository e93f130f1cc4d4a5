import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestPostgres, type TestPostgres } from '@lineage/database/testing'
import type { Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Chain, startChain } from './chain.ts'
import { addressOf, testAmounts, testCommunity } from './community.ts'
import { openIndex, type Reader, type StoredIndex, startReader } from './reader.ts'

const [placeholder, root, first, second, third, other] = [0, 1, 2, 3, 4, 5].map(addressOf) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
]

let folder: string
let postgres: TestPostgres
let chain: Chain
let database: string
let index: StoredIndex
let reader: Reader

const boot = () => startReader({ config: join(folder, 'config.json'), url: chain.url, database })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lineage-reader-'))
  await writeFile(
    join(folder, 'config.json'),
    JSON.stringify({
      communities: [
        testCommunity(testAmounts),
        testCommunity({
          id: 'reversed',
          startBlock: 2,
          event: 'event Bound(address indexed referrer, address indexed member)',
        }),
      ],
    }),
  )
  postgres = await startTestPostgres()
  database = await postgres.createDatabase()
  chain = await startChain()
  await chain.addVolume([second, 7n])
  await chain.bind([root, placeholder], [other, root])
  await chain.bind([second, first], [third, second], [addressOf(6), placeholder])
  await chain.payReward([first, 3n], [addressOf(6), 10n ** 30n])
  for (let index = 100; index < 140; index++) await chain.bind([addressOf(index), first])
  index = openIndex(database)
  reader = await boot()
})

afterAll(async () => {
  await reader?.kill('SIGTERM')
  await index?.close()
  await chain?.stop()
  await postgres?.stop()
  await rm(folder, { recursive: true, force: true })
})

test('behavior: reads all events, and says up to which block', async () => {
  await expect
    .poll(() => index.sources().catch(() => []), { timeout: 20_000 })
    .toMatchObject([
      { community: 'demo', state: 'live', block: 44, block_time: 1_700_000_044, finalized: 14, reorgs: 0, rebuilds: 0 },
      { community: 'reversed', state: 'live', block: 44, finalized: 14 },
    ])
  const events = await index.events()
  expect(events).toHaveLength(1 + 2 + 3 + 2 + 40)
  expect(events.slice(0, 8)).toMatchObject([
    { block: 1, log_index: 0, kind: 2, time: 1_700_000_001, member: second, other: null, amount: '7' },
    { block: 2, log_index: 0, kind: 0, member: root, other: placeholder, amount: null },
    { block: 2, log_index: 1, kind: 0, member: other, other: root },
    { block: 3, log_index: 0, kind: 0, member: second, other: first },
    { block: 3, log_index: 1 },
    { block: 3, log_index: 2 },
    { block: 4, log_index: 0, kind: 1, member: first, amount: '3' },
    { block: 4, log_index: 1, kind: 1, member: addressOf(6), amount: (10n ** 30n).toString() },
  ])
  expect((await index.events('reversed'))[0]).toMatchObject({ block: 2, member: placeholder, other: root })
})
