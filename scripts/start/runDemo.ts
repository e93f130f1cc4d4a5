import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { demoConfig } from '../demo-chain/config.ts'
import { demoAccounts } from '../demo-chain/demoAccounts.ts'
import { startNewMembers } from '../demo-chain/live.ts'
import { firstTimestamp } from '../demo-chain/planBlocks.ts'
import { type SeededChain, seedDemoChain } from '../demo-chain/seed.ts'
import { type Child, startChild } from '../lib/startChild.ts'
import type { Phase } from '../lib/terminal.ts'
import { preparing } from './createNews.ts'
import type { Product } from './product.ts'
import { failureOf } from './StartError.ts'
import { superviseIndexer } from './superviseIndexer.ts'

const privateKeys = demoAccounts.map(({ privateKey }) => privateKey)

/** Creates a demo chain and indexes it. If the chain ends, another one is created and indexed. */
export async function runDemo(product: Product, isEnding: () => boolean): Promise<void> {
  const { settings, data, terminal, processes, news } = product
  news.send({ type: 'demo', demo: { privateKeys, contract: null } })
  for (;;) {
    await data.forgetDemos()
    const { chain, seeded } = await makeChain(product)
    const indexer = superviseIndexer(product, {
      LINEAGE_CONFIG: data.demoConfig,
      LINEAGE_INDEX_DIR: data.index('demo', seeded.firstBlockHash),
      // The demo chain creates a block only when a member joins.
      LINEAGE_MAX_AGE: '0',
      // All demo chains have the same configuration, so a shared database would mix them up.
      DATABASE_URL: '',
    })
    const { contract, interesting } = seeded
    const stopJoining = startNewMembers({ rpcUrl: settings.rpcUrls[0] ?? '', contract, interesting, seed: Date.now() })
    await chain.ended
    stopJoining()
    if (isEnding()) return
    news.send(preparing('chain', 'The demo chain has ended. Another is being made.'))
    terminal.line('The demo chain has ended unexpectedly. Another is being made; its new binds are lost.')
    processes.remove(chain)
    processes.remove(indexer)
    await indexer.stop()
  }
}

/** Starts a chain and writes the demo community into it. */
async function makeChain(product: Product): Promise<{ chain: Child; seeded: SeededChain }> {
  const { data, terminal, news } = product
  const phase = terminal.phase('Making the demo chain')
  const now = Math.floor(Date.now() / 1000)
  news.send(preparing('chain', 'The demo chain is being made.'))
  const answers = Promise.withResolvers<'answers'>()
  const chain = startChild({
    module: join(import.meta.dirname, '../lib/runChain.ts'),
    args: [String(product.settings.rpcPort), String(firstTimestamp(now) - 1)],
    logFile: data.log('chain'),
    onMessage: () => answers.resolve('answers'),
  })
  product.processes.add(chain)
  const failed = chain.ended.then((): never => {
    throw failureOf('The demo chain', chain, data.log('chain'))
  })
  // The process may also end after the seeding, when nothing awaits this any more.
  failed.catch(() => undefined)
  await Promise.race([answers.promise, failed])
  const seeding = seed(product, phase, now)
  seeding.catch(() => undefined)
  const seeded = await Promise.race([seeding, failed])
  await writeFile(data.demoConfig, `${JSON.stringify(demoConfig(seeded), null, 2)}\n`)
  phase.done(`The demo chain is made: ${seeded.endBlock} blocks`)
  news.send({ type: 'demo', demo: { privateKeys, contract: seeded.contract } })
  return { chain, seeded }
}

const seed = ({ settings, news }: Product, phase: Phase, now: number): Promise<SeededChain> =>
  seedDemoChain({
    rpcUrl: settings.rpcUrls[0] ?? '',
    now,
    onProgress(progress) {
      phase.update(`${progress.done} of ${progress.total} blocks`)
      news.send(preparing('chain', 'The demo chain is being made.', progress))
    },
  })
