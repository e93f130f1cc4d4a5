import { numberToHex } from 'viem/utils'
import { type Doubt, type HistoryLog, type LogFilter, textOfLogs } from '../history/HistorySource.ts'
import { findBlockLogsFault, findFault } from './findFault.ts'
import { isReadable, type Node, type Pool } from './node.ts'
import { postRpc } from './postRpc.ts'
import { proveLogs } from './proofs.ts'
import { type Header, mayHold } from './rpc.ts'
import { sendPaced } from './send.ts'

export type Settled = {
  /** All logs of the block. If nothing decides between several lists, all of them, that of the preferred node first. */
  candidates: readonly [HistoryLog[], ...HistoryLog[][]]
  /** `undefined` for logs that are proven, or that most nodes have. */
  doubt: Doubt | undefined
}

/**
 * Finds out which logs a block has. Its receipts prove them by the root in its header, except for the hashes of their
 * transactions. Without such receipts, those count that most nodes have; nodes with false receipts are not asked then.
 *
 * @param readAll Reads the logs if no node has any that match the header's bloom filter.
 */
export async function settleLogs(pool: Pool, header: Header, readAll: () => Promise<HistoryLog[]>): Promise<Settled> {
  const readable = pool.inOrder().filter(isReadable)
  const nodes = readable.length > 0 ? readable : pool.nodes
  const { proven, liars } = await readReceipts(nodes, header)
  const answers = proven.length > 0 ? proven : await readLogsOfEach(pool, nodes, header)
  const honest = answers.filter(({ node }) => !liars.has(node))
  const groups = Map.groupBy(honest.length > 0 ? honest : answers, ({ logs }) => textOfLogs(logs))
  const [most, next] = [...groups.values()].toSorted((left, right) => right.length - left.length)
  if (!most) return { candidates: [await readAll()], doubt: undefined }
  const lists = [...groups.values()].map((group) => group[0] as Answer)
  const [first] = most as [Answer]
  const candidates: Settled['candidates'] = [
    first.logs,
    ...lists.flatMap(({ node, logs }) => (node === first.node ? [] : [logs])),
  ]
  if (most.length > (next?.length ?? 0) && (most.length > 1 || proven.length > 0))
    return { candidates: [first.logs], doubt: undefined }
  if (!next) return { candidates, doubt: { node: first.node, reason: `${first.node} does not prove them by receipts` } }
  const names = lists.map(({ node }) => node).join(' and ')
  return { candidates, doubt: { node: null, reason: `${names} contradict each other, and no receipts decide` } }
}

type Answer = { node: string; logs: HistoryLog[] }

/** Returns the logs that the receipts of each node prove, and the nodes with receipts that do not lead to the header's root. */
async function readReceipts(nodes: readonly Node[], header: Header) {
  const rpc = { method: 'eth_getBlockReceipts', params: [numberToHex(header.number)] }
  const proven: Answer[] = []
  const liars = new Set<string>()
  if (header.receiptsRoot === undefined) return { proven, liars }
  await Promise.all(
    nodes.map(async ({ name: node, endpoint }) => {
      const receipts = await postRpc(endpoint, rpc).catch(() => undefined)
      const logs = proveLogs(header, receipts)
      if (logs) proven.push({ node, logs })
      else if (Array.isArray(receipts)) liars.add(node)
    }),
  )
  return { proven, liars }
}

/** Requests all logs of a block from each node. Returns those that match its bloom filter. */
async function readLogsOfEach(pool: Pool, nodes: readonly Node[], header: Header): Promise<Answer[]> {
  const number = numberToHex(header.number)
  const rpc = { method: 'eth_getLogs', params: [{ fromBlock: number, toBlock: number }] }
  const found = await Promise.all(
    nodes.map(async (node): Promise<Answer[]> => {
      const logs = (await sendPaced(pool, node, rpc).catch(() => undefined)) as HistoryLog[] | undefined
      const fault = findFault(rpc, logs) ?? findBlockLogsFault(header, logs ?? [])
      return logs && fault === undefined ? [{ node: node.name, logs }] : []
    }),
  )
  return found.flat()
}

/** Returns whether a block's bloom filter shows that it may have logs of a filter. */
export const mayHoldLogs = (filter: LogFilter, { bloom }: Header): boolean =>
  filter.some(({ address, topic, topics = [] }) =>
    mayHold(bloom, [address, topic, ...topics.filter((one) => one !== null)]),
  )
