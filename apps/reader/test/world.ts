import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConfigInput } from '@lineage/communities'
import { startTestPostgres } from '@lineage/database/testing'
import { startChain } from './chain.ts'
import { openIndex, type Reader, type StartReaderParameters, type StoredIndex, startReader } from './reader.ts'

export type World = Awaited<ReturnType<typeof startWorld>>

type Options = Partial<Omit<StartReaderParameters, 'database'>>

/** Starts a chain and a PostgreSQL server, for the readers of one file of tests. */
export async function startWorld(
  communities: ConfigInput['communities'],
  { timestamp = 1_700_000_000, accounts = 10 } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'lineage-reader-'))
  const config = join(folder, 'config.json')
  const configure = (changed: ConfigInput['communities']) => writeFile(config, JSON.stringify({ communities: changed }))
  await configure(communities)
  const postgres = await startTestPostgres()
  const chain = await startChain({ timestamp, accounts })
  const readers: Reader[] = []
  const indexes: StoredIndex[] = []

  const headNumber = async () => Number(await chain.client.getBlockNumber({ cacheTime: 0 }))

  return {
    folder,
    config,
    configure,
    postgres,
    chain,
    headNumber,
    /** Creates an empty database. */
    async createIndex() {
      const url = await postgres.createDatabase()
      const index = openIndex(url)
      indexes.push(index)
      return {
        ...index,
        url,
        async start(options: Options = {}): Promise<Reader> {
          const reader = await startReader({ config, url: chain.url, ...options, database: url })
          readers.push(reader)
          return reader
        },
        /** Returns the newest block of the community if its source is live, for `expect.poll`. */
        async liveBlock(community?: string): Promise<number | undefined> {
          const source = await index.source(community)
          return source?.state === 'live' ? source.block : undefined
        },
      }
    },
    async endReaders(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
      for (const reader of readers.splice(0)) await reader.kill(signal)
    },
    async stop(): Promise<void> {
      for (const reader of readers.splice(0)) await reader.kill('SIGKILL')
      for (const index of indexes) await index.close()
      await chain.stop()
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type Index = Awaited<ReturnType<World['createIndex']>>
