import { numberToHex } from 'viem/utils'
import { turnOn } from './access.ts'
import { isHeader } from './headers.ts'
import type { Node, Pool } from './node.ts'
import { NodeError, retry, toNodeError } from './nodeError.ts'
import { postRpc } from './postRpc.ts'
import { requestNode } from './requestPool.ts'
import { hasLogs, newestNumber, parseBlock, type RpcRequest } from './rpc.ts'
import { sendPaced } from './send.ts'
import { createAttempt } from './verify.ts'

/** Start of the reading: the first block of all communities, and a contract whose logs are read. */
export type Start = { block: number; address: string }

/** Number of blocks that a node without history is assumed to keep. */
const keptBlocks = 128
/** Number of requests for the newest block that show whether several nodes answer behind a URL. */
const headReports = 5

/**
 * Tests the capabilities of every node that reading needs, and updates the nodes' states.
 *
 * @throws {NodeError} if nodes serve different chains with the same id
 */
export async function inspectNodes(pool: Pool, start: Start): Promise<void> {
  const hashes = await Promise.all(pool.nodes.map((node) => inspectNode(pool, node, start)))
  // Keep the first node of each hash.
  const differing = pool.nodes.filter((_, index) => hashes[index] && hashes.indexOf(hashes[index]) === index)
  if (differing.length < 2) return
  const names = differing.map(({ name }) => name).join(' and ')
  throw new NodeError(
    'refused',
    `${names} have different blocks ${start.block}: they serve different chains with the same id ${pool.requirements.chainId}. Remove the wrong ones.`,
  )
}

/** Tests one node. @returns the hash of the start block, if the node has it */
async function inspectNode(pool: Pool, node: Node, start: Start): Promise<string | undefined> {
  // A slow or busy node may still have the capability.
  const request = (rpc: RpcRequest) => {
    const attempt = createAttempt(pool)
    return retryFailed(() => requestNode(pool, node, rpc, attempt))
  }
  const newest = await request(newestNumber).catch(() => undefined)
  if (newest === undefined) return undefined
  // Sent directly, so that other requests do not disturb the alternation of nodes behind a URL.
  for (let reports = 1; reports < headReports; reports++)
    await retryFailed(() => sendPaced(pool, node, newestNumber)).catch(() => undefined)
  node.logs = { ...turnOn(node.logs), firstBlock: 0 }
  // The node's state records a refusal.
  await request(logsAt(String(newest), start.address)).catch(() => undefined)
  // Its hash shows whether those of new blocks can be checked.
  const block = { method: 'eth_getBlockByNumber', params: [String(newest), false] }
  const found = await postRpc(node.endpoint, block).catch(() => undefined)
  if (typeof found === 'object' && found !== null) pool.hashes.check(found)
  if (start.block > Number(newest)) return undefined
  const blockAtStart = { method: 'eth_getBlockByNumber', params: [numberToHex(start.block), false] }
  let startBlock = await request(blockAtStart).catch(toNodeError)
  if (isMissing(startBlock)) startBlock = await request(blockAtStart).catch(toNodeError)
  if (!(await hasHistory(pool, node, start, startBlock)))
    node.logs = { ...node.logs, firstBlock: Math.max(Number(newest) - keptBlocks, 0) }
  const hash = parseBlock(startBlock)?.hash
  if (await offersHeaders(pool, node, start.block, hash)) node.headers = { ...node.headers, method: 'header' }
  return hash
}

/** Returns whether the node offers go-ethereum's methods for headers, which leave out the hashes of transactions. */
async function offersHeaders(pool: Pool, node: Node, number: number, hash?: string): Promise<boolean> {
  const rpc = { method: 'eth_getHeaderByNumber', params: [numberToHex(number)] }
  const header = hash === undefined ? undefined : await postRpc(node.endpoint, rpc).catch(() => undefined)
  return hash !== undefined && isHeader(pool, node, number, header) && parseBlock(header)?.hash === hash
}

/** Returns `false` if the node lacks the start block or its logs. */
async function hasHistory(pool: Pool, node: Node, start: Start, block: unknown): Promise<boolean> {
  if (isMissing(block)) return false
  const at = numberToHex(start.block)
  const send = () => sendPaced(pool, node, logsAt(at))
  const logs = hasLogs(block) ? await retryFailed(send).catch(toNodeError) : undefined
  if (Array.isArray(logs) && logs.length === 0) return false
  if (node.logs.availability.status === 'off') return true
  const attempt = createAttempt(pool)
  const ofContract = () => requestNode(pool, node, logsAt(at, start.address), attempt)
  return !isMissing(await retryFailed(ofContract).catch(toNodeError))
}

/** Returns whether the node answered that it does not have the data. */
const isMissing = (answer: unknown) => answer === null || (answer instanceof NodeError && answer.kind !== 'unreachable')

const logsAt = (block: string, address?: string): RpcRequest => ({
  method: 'eth_getLogs',
  params: [{ ...(address && { address }), fromBlock: block, toBlock: block }],
})

/** Retries a request some times, because a node may fail a share of all requests. One that does not answer is not waited for. */
const retryFailed = (task: () => Promise<unknown>) =>
  retry(task, ({ kind, retryAfter, timedOut }, count) => {
    if (count >= 3 || timedOut || kind === 'unsupported') return undefined
    return kind === 'rate_limited' ? Math.min(retryAfter || 300 * (count + 1), 5_000) : 100 * (count + 1)
  })
