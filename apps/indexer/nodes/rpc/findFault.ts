import { parseBlock } from './parseBlock.ts'
import { heightOf, type RpcRequest } from './rpcRequest.ts'

/** Returns what is wrong with a result that Ponder could not use, or `undefined`. */
export function findFault(rpc: RpcRequest, result: unknown): string | undefined {
  if (rpc.method === 'eth_getLogs') return findLogsFault(result)
  if (rpc.method !== 'eth_getBlockByNumber' || result === null) return undefined
  const block = parseBlock(result)
  if (!block) return 'it returned a block without a number or a hash'
  return block.number === (heightOf(rpc) ?? block.number) ? undefined : 'it returned another block than requested'
}

function findLogsFault(logs: unknown): string | undefined {
  if (!Array.isArray(logs)) return 'it returned logs that are not a list'
  const positions = new Set<string>()
  for (const log of logs as readonly ({ blockHash?: unknown; logIndex?: unknown } | null)[]) {
    if (typeof log?.blockHash !== 'string') return 'it returned logs without a block hash'
    positions.add(`${log.blockHash} ${log.logIndex}`)
  }
  return positions.size === logs.length ? undefined : 'it returned duplicate logs'
}
