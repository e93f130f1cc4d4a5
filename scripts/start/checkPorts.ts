import { type PortUse, portsMessage } from '../lib/ports.ts'
import type { Product } from './product.ts'
import { StartError } from './StartError.ts'

/** Checks that the ports are free. @throws {StartError} when one is taken */
export async function checkPorts({ settings, data, url }: Product): Promise<void> {
  const claimant = await data.claimant()
  const uses: PortUse[] = [
    { variable: 'PORT', port: settings.port, purpose: 'the page' },
    { variable: 'LINEAGE_READER_PORT', port: settings.readerPort, purpose: 'the reader’s health' },
  ]
  if (settings.source === 'demo') uses.push({ variable: 'RPC_PORT', port: settings.rpcPort, purpose: 'the demo chain' })
  const message = await portsMessage(uses)
  if (message === undefined) return
  const known = claimant
    ? `Lineage already runs here: process ${claimant.pid}, since ${claimant.since}, at ${url}.\nEnd it with Ctrl-C in its terminal or \`kill ${claimant.pid}\`, or start another beside it.\n`
    : ''
  throw new StartError(known + message)
}
