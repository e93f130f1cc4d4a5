import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Status } from '@lineage/referral-api'
import { type Address, zeroAddress } from 'viem'
import { startChain } from './chain.ts'
import { addressOf, testCommunity } from './community.ts'
import { type Database, type DatabaseKind, startDatabases } from './databases.ts'
import { startIndexer } from './indexer.ts'

export type CatchUpParameters = {
  kind: DatabaseKind
  /** Number of binds on the chain. */
  events: number
  /** Number of binds per block. */
  perBlock: number
}

/** `seconds` from the first block read to the first response, `fromStart` from the start of the process. */
export type CatchUp = { events: number; seconds: number; eventsPerSecond: number; fromStart: number }

/** Empty blocks at the end, so that all binds are final. */
const quietBlocks = 30

/**
 * Measures how fast a local chain is indexed: `cold` for the first time, `warm` with the node's responses in Ponder's
 * cache, as after a change of the configuration.
 */
export async function measureCatchUp({
  kind,
  events,
  perBlock,
}: CatchUpParameters): Promise<Record<'cold' | 'warm', CatchUp>> {
  const folder = await mkdtemp(join(tmpdir(), 'lineage-catch-up-'))
  const databases = await startDatabases(kind)
  const chain = await startChain()
  const memberOf = (index: number): Address => (index === 0 ? zeroAddress : addressOf(index))

  async function read(id: string, database: Database): Promise<CatchUp> {
    const config = join(folder, `${id}.json`)
    await writeFile(config, JSON.stringify({ communities: [testCommunity({ id, name: id })] }))
    const launched = performance.now()
    const indexer = await startIndexer({ config, url: chain.url, database })
    let begun: number | undefined
    await indexer.untilReady(({ state }: Status) => {
      if (state === 'indexing') begun ??= performance.now()
    })
    const now = performance.now()
    await indexer.kill('SIGTERM')
    const seconds = (now - (begun ?? launched)) / 1_000
    return { events, seconds, eventsPerSecond: Math.round(events / seconds), fromStart: (now - launched) / 1_000 }
  }

  try {
    for (let first = 1; first <= events; first += perBlock) {
      const indices = Array.from({ length: Math.min(perBlock, events + 1 - first) }, (_, index) => first + index)
      await chain.bind(...indices.map((index) => [memberOf(index), memberOf(index >> 1)] as [Address, Address]))
    }
    await chain.client.mine({ blocks: quietBlocks })
    const database = await databases.create()
    return { cold: await read('cold', database), warm: await read('warm', database) }
  } finally {
    await chain.stop()
    await databases.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
