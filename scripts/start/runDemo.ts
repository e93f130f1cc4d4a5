import { writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { indexSchema, openPool } from '@lineage/database'
import { anvilBinary, demoChainArguments } from '../demo-chain/anvil.ts'
import { demoConfig } from '../demo-chain/contract.ts'
import { demoAccounts } from '../demo-chain/demoAccounts.ts'
import { startNewMembers } from '../demo-chain/live.ts'
import { createRpc } from '../demo-chain/rpc.ts'
import { type SeededChain, seedDemoChain } from '../demo-chain/seed.ts'
import { portsMessage } from '../lib/ports.ts'
import { type Child, startChild, withParent } from '../lib/startChild.ts'
import type { Phase } from '../lib/terminal.ts'
import { failureOf, type Product, StartError } from './createProcesses.ts'
import { runServices } from './runServices.ts'

const privateKeys = demoAccounts.map(({ privateKey }) => privateKey)

/** Creates a demo chain and serves it. If the chain ends, another one is created and served. */
export async function runDemo(
  product: Product,
  prepared: Promise<{ databaseUrl: string }>,
  isEnding: () => boolean,
): Promise<void> {
  const { settings, data, terminal, processes } = product
  for (;;) {
    const [{ chain, seeded }, { databaseUrl }] = await Promise.all([makeChain(product), prepared])
    await dropIndex(databaseUrl)
    const { contract, interesting } = seeded
    const stopServices = runServices(product, {
      databaseUrl,
      env: {
        LINEAGE_CONFIG: data.demoConfig,
        LINEAGE_DEMO: JSON.stringify({ privateKeys, contract }),
        // The demo chain creates a block only when a member joins.
        LINEAGE_MAX_AGE: '0',
      },
    })
    const stopJoining = startNewMembers({ rpcUrl: settings.rpcUrls[0] ?? '', contract, interesting, seed: Date.now() })
    await chain.ended
    stopJoining()
    if (isEnding()) return
    terminal.line('The demo chain has ended unexpectedly. Another is being made; its new binds are lost.')
    processes.remove(chain)
    await stopServices()
  }
}

/** Deletes the index of the last demo chain, which ended with its process. */
async function dropIndex(url: string): Promise<void> {
  const pool = openPool({ url, timeout: 60_000 })
  try {
    await pool.query(`drop schema if exists ${indexSchema} cascade`)
  } finally {
    await pool.end()
  }
}

/** Starts a chain and writes the demo community into it. */
async function makeChain(product: Product): Promise<{ chain: Child; seeded: SeededChain }> {
  const { data, terminal } = product
  const phase = terminal.phase('Making the demo chain')
  const now = Math.floor(Date.now() / 1000)
  const port = product.settings.rpcPort
  // Otherwise a chain of another program would answer, and be written into.
  const taken = await portsMessage([{ variable: 'RPC_PORT', port, purpose: 'the demo chain' }])
  if (taken !== undefined) throw new StartError(taken)
  const chain = startChild({
    ...withParent(anvilBinary(), ['--quiet', '--chain-id', '56', '--port', String(port), ...demoChainArguments(now)]),
    logFile: data.log('chain'),
  })
  product.processes.add(chain)
  const failed = chain.ended.then((): never => {
    throw failureOf('The demo chain', chain, data.log('chain'))
  })
  // The process may also end after the seeding, when nothing awaits this any more.
  failed.catch(() => undefined)
  const rpc = createRpc(product.settings.rpcUrls[0] ?? '')
  while ((await Promise.race([rpc('eth_chainId').catch(() => undefined), failed])) === undefined) await delay(40)
  const seeding = seed(product, phase, now)
  seeding.catch(() => undefined)
  const seeded = await Promise.race([seeding, failed])
  await writeFile(data.demoConfig, `${JSON.stringify(demoConfig(seeded), null, 2)}\n`)
  phase.done(`The demo chain is made: ${seeded.endBlock} blocks`)
  return { chain, seeded }
}

const seed = ({ settings }: Product, phase: Phase, now: number): Promise<SeededChain> =>
  seedDemoChain({
    rpcUrl: settings.rpcUrls[0] ?? '',
    now,
    onProgress: ({ done, total }) => phase.update(`${done} of ${total} blocks`),
  })
