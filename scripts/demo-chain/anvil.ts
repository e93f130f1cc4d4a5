import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { firstTimestamp } from './planBlocks.ts'

/** Returns the path of the binary. Killing its JavaScript wrapper instead would leave the chain running. */
export function anvilBinary(): string {
  const { platform, arch } = process
  const name = `@foundry-rs/anvil-${platform}-${arch === 'x64' ? 'amd64' : arch}`
  const fromAnvil = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'))
  try {
    const binary = fromAnvil.resolve(`${name}/bin/${platform === 'win32' ? 'anvil.exe' : 'anvil'}`)
    if (existsSync(binary)) return binary
  } catch {
    // The error below says what to do.
  }
  throw new Error(
    `The demo chain needs anvil, and its package ${name} is not installed. Run the installation again, or set LINEAGE_CONFIG to use a real chain.`,
  )
}

/** Returns the arguments of a chain that can be seeded. `now`: Unix seconds at which the seeded blocks end. */
export const demoChainArguments = (now: number): string[] => [
  // The environment could name another address, as `ANVIL_IP_ADDR`, and this chain signs for anyone who reaches it.
  ...['--host', '127.0.0.1'],
  ...['--timestamp', String(firstTimestamp(now) - 1), '--gas-limit', '300000000'],
  // If only the newest states are kept, a block costs a few KB, so the chain can run for weeks: reads at a block work
  // for the last 16 blocks, about 48 s. Blocks, transactions and logs are all kept.
  ...['--prune-history', '16'],
]
