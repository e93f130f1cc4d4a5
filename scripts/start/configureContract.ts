import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '@lineage/communities'
import type { Address } from 'viem'
import { startChild, withParent } from '../lib/startChild.ts'
import { type Product, StartError } from './createProcesses.ts'

const reader = join(import.meta.dirname, '../../apps/reader/src/main.ts')

/**
 * Makes the configuration of a contract by inspecting it, which tells each finding. The configuration of an earlier start is
 * used again.
 *
 * @throws {StartError} If the contract has no way from a member to its referrer, or cannot be inspected.
 * @throws {ConfigError} If the configuration of an earlier start is invalid.
 */
export async function configureContract(product: Product, contract: Address): Promise<void> {
  const { settings, terminal } = product
  const file = settings.configPath
  const how = existsSync(file) ? 'is that of an earlier start' : 'was written'
  if (how === 'was written') await inspect(product, contract)
  await loadConfig(file)
  terminal.line(
    `The configuration ${how}: ${file}\nTo change it, edit this file and start again (apps/reader/README.md lists the fields). Without it, the contract is inspected again.`,
  )
}

/** Runs the reader's command that inspects a contract and writes its configuration. */
async function inspect({ settings, data, terminal, processes }: Product, contract: Address): Promise<void> {
  const phase = terminal.phase(`Inspecting ${contract}`)
  const logFile = data.log('inspect')
  const lines: string[] = []
  const child = startChild({
    ...withParent(process.execPath, [
      '--conditions=@lineage/source',
      ...[reader, 'inspect', contract, '--write', settings.configPath],
    ]),
    env: { ...process.env, LINEAGE_RPC_URLS: settings.rpcUrls.join() },
    logFile,
    onLine: (line) => lines.push(line),
  })
  processes.add(child)
  const { code } = await child.ended
  processes.remove(child)
  phase.done([`What ${contract} tells`, ...lines].join('\n'))
  if (code === 0) return
  throw new StartError(
    code === 2
      ? `Nothing is started, because there is no configuration. The questions above say what settles them. Write one with the answers, then start again:\n\n  npm run inspect ${contract} https://your-node.example -- --write ${settings.configPath}`
      : `Nothing is started: ${contract} could not be inspected. The reason stands above, and in ${logFile}.`,
  )
}
