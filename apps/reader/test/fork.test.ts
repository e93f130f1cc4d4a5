import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Metrics, Problem, Status } from '@lineage/referral-api'
import { zeroAddress } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Chain, contract, startChain } from './chain.ts'
import { addressOf, testCommunity } from './community.ts'
import { type Database, type DatabaseKind, startDatabases } from './databases.ts'
import { type Indexer, startIndexer } from './indexer.ts'

describe.each<DatabaseKind>(['PGlite', 'PostgreSQL'])('%s', (kind) => {
  let folder: string
  let databases: Awaited<ReturnType<typeof startDatabases>>
  let database: Database
  let indexer: Indexer
  const chains: Chain[] = []

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lineage-fork-'))
    databases = await startDatabases(kind)
    database = await databases.create()
  })

  afterEach(async () => {
    await indexer?.kill('SIGKILL')
    for (const chain of chains.splice(0)) await chain.stop()
    await databases.stop()
    await rm(folder, { recursive: true, force: true })
  })

  async function createChain(timestamp?: number): Promise<Chain> {
    const chain = await startChain(timestamp === undefined ? {} : { timestamp })
    chains.push(chain)
    await chain.bind([addressOf(0), zeroAddress], [addressOf(1), addressOf(0)])
    return chain
  }

  async function boot({ url }: Chain, { id = 'demo', role = 'start' as 'start' | 'reread' } = {}) {
    await writeFile(join(folder, 'config.json'), JSON.stringify({ communities: [testCommunity({ id, name: id })] }))
    indexer = await startIndexer({ config: join(folder, 'config.json'), url, database, role })
  }

  const read = async <answer>(path: string) => (await (await indexer.request(path)).json()) as answer
  const metrics = () => read<Metrics>('/communities/demo/metrics')

  async function expectReplaced(words: string): Promise<void> {
    await expect
      .poll(() => read<Status>('/status').catch(() => undefined), { timeout: 60_000 })
      .toMatchObject({
        state: expect.stringMatching(/starting|indexing/),
        note: expect.stringContaining(words),
        warnings: expect.arrayContaining([expect.objectContaining({ kind: 'chain_replaced' })]),
      })
    expect(await read<Problem>('/communities/demo/metrics')).toMatchObject({ status: 503, code: 'indexing' })
    expect(indexer.output()).toContain(words)
    expect(indexer.output()).toContain('start.ts reread')
  }

  test('behavior: a reorganisation of final blocks is not served, also after a restart, until the chain is read again', async () => {
    const chain = await createChain()
    await chain.client.mine({ blocks: 40 })
    await chain.bind([addressOf(2), addressOf(1)])
    await chain.client.mine({ blocks: 160 })
    await boot(chain)
    await indexer.untilReady()
    expect(await metrics()).toMatchObject({ members: 3 })
    // Recorded once the newest final block was looked up.
    await chain.client.mine({ blocks: 10 })

    await chain.client.request({ method: 'anvil_rollback', params: [180] } as never)
    await chain.place(contract)
    for (const member of [3, 4, 5]) await chain.bind([addressOf(member), addressOf(0)])
    await chain.client.mine({ blocks: 260 })
    const words = 'The chain was reorganised below block'
    await expectReplaced(words)

    await indexer.kill('SIGTERM')
    await chain.client.mine({ blocks: 80 })
    await boot(chain)
    await expectReplaced(words)

    await indexer.kill('SIGTERM')
    await boot(chain, { role: 'reread' })
    await indexer.untilReady()
    expect(await metrics()).toMatchObject({ members: 5 })
    expect((await indexer.request(`/communities/demo/members/${addressOf(2)}`)).status).toBe(404)
  })

  test('behavior: another chain of the same id is never mixed into the database, whatever the configuration', async () => {
    const chain = await createChain()
    await chain.client.mine({ blocks: 50 })
    await boot(chain)
    await indexer.untilReady()
    await indexer.kill('SIGTERM')
    const other = await createChain(1_600_000_000)
    await other.client.mine({ blocks: 200 })
    for (const id of ['demo', 'another']) {
      await boot(other, { id })
      await expectReplaced('The nodes serve another chain than the one that the index was read from')
      await indexer.kill('SIGTERM')
    }
    await boot(chain)
    await indexer.untilReady()
    expect(await metrics()).toMatchObject({ members: 2 })
  })
})
