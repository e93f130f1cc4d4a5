import { setTimeout as delay } from 'node:timers/promises'
import { numberToHex } from 'viem'
import { NodeError, toNodeError } from '../rpc/NodeError.ts'
import { parseBlock } from '../rpc/parseBlock.ts'
import { newestNumber, type RpcRequest } from '../rpc/rpcRequest.ts'
import { nextStep } from '../state/nextStep.ts'
import { commonNumber } from '../state/nodeHead.ts'
import { isResting } from '../state/pace.ts'
import { endLeap, isLeap, isLeaping, isUnopposed, refuseLeap } from './leaps.ts'
import { isReadable, type Node, now, type Pool } from './node.ts'
import { requestNode } from './requestNode.ts'
import { requestPool } from './requestPool.ts'

/** Requests the newest block, or its number. It never goes back on the same chain. */
export async function requestNewest(pool: Pool, rpc: RpcRequest): Promise<unknown> {
  if (rpc.method === 'eth_blockNumber') return requestNumber(pool)
  const block = await requestHead(pool, rpc)
  // Ponder requests the head without transactions to find the newest final block.
  return rpc.params[1] === false ? toCommonBlock(pool, rpc, block) : block
}

async function requestNumber(pool: Pool): Promise<string> {
  const number = Number(await requestPool(pool, newestNumber))
  const isFalse = pool.nodes.length > 1 && pool.head.isLeap(number, now())
  return numberToHex(isFalse ? pool.head.number : Math.max(number, pool.head.number))
}

/**
 * Returns the head of the first node that does not lag. A head far above the last one needs a second node, which may
 * report it earlier or later. If all other nodes lag, returns the last head again. While all nodes rest, waits.
 */
async function requestHead(pool: Pool, rpc: RpcRequest, deadline = now() + pool.patience): Promise<unknown> {
  const startedAt = now()
  const { heads, lagging, failures } = await askEach(pool, rpc)
  const isRefused = ({ node, block }: Answered) => isLeap(pool, node, numberOf(block))
  const accepted = heads.findLast((head) => !isRefused(head)) ?? heads.find(({ node }) => isUnopposed(pool, node))
  for (const head of heads) {
    const { node, block } = head
    if (head === accepted || !isRefused(head)) endLeap(pool, node, numberOf(block))
    else failures.push(new NodeError('unreachable', `${node.name}: ${refuseLeap(pool, node, startedAt)}`))
  }
  if (accepted) return advanceHead(pool, rpc, accepted)
  if (lagging !== undefined) return keepHead(pool, rpc, lagging)
  const known = pool.head.answerTo(rpc.params)
  if (heads.length > 0 && known) return known
  const time = now()
  const wakesAt = Math.min(...pool.nodes.map(({ pace }) => pace.restsUntil).filter((until) => until > time))
  const step = nextStep({ failures, isNull: false, mustExist: false, misses: 0, wakesAt, now: time, deadline })
  if (step.action === 'fail') throw step.error
  if (step.action === 'retry') await delay(Math.ceil(step.wait))
  return requestHead(pool, rpc, deadline)
}

const numberOf = (block: unknown) => parseBlock(block)?.number ?? 0

type Answered = { node: Node; block: unknown }

/** Asks the nodes in order, until the head of one can be accepted: its own, or an earlier one that it confirms. */
async function askEach(pool: Pool, rpc: RpcRequest) {
  const failures: NodeError[] = []
  const heads: Answered[] = []
  let lagging: unknown
  for (const node of pool.nodes) {
    if (isResting(node.pace, now())) continue
    try {
      const block = await requestNode(pool, node, rpc)
      const isLagging = pool.head.isLagging(block)
      node.head = { ...node.head, lag: isLagging ? pool.head.lagOf(block) : 0 }
      if (isLagging) {
        lagging ??= block
        endLeap(pool, node, numberOf(block))
        continue
      }
      heads.push({ node, block })
      if (heads.some((head) => !isLeap(pool, head.node, numberOf(head.block)))) break
    } catch (error) {
      failures.push(toNodeError(error))
    }
  }
  return { heads, lagging, failures }
}

function advanceHead({ nodes, head }: Pool, { params }: RpcRequest, { block }: Answered): unknown {
  head.setHead(params, block, now())
  // An accepted leap is the new measure.
  if (!nodes.some(isLeaping) || head.isLeap(numberOf(block), now())) head.forgetLeap()
  return block
}

/** Returns the last head again, or the lagging block if the head was only requested in another form. */
function keepHead({ head, requirements: { lowestHead } }: Pool, { params }: RpcRequest, lagging: unknown): unknown {
  const known = head.answerTo(params)
  if (!known && numberOf(lagging) < lowestHead)
    throw new NodeError('missing', `No node has reached block ${lowestHead} yet`)
  return known ?? lagging
}

/**
 * Lowers the head to the highest block that all nodes have, because Ponder requests logs up to the final block from
 * any node. Later blocks it requests by hash, and checks them.
 */
async function toCommonBlock(pool: Pool, { method }: RpcRequest, block: unknown): Promise<unknown> {
  const heights = pool.nodes.filter(isReadable).map(({ head }) => commonNumber(head))
  const height = Math.max(pool.requirements.lowestHead, ...heights)
  if (heights.length === 0 || height >= numberOf(block)) return block
  const common = await requestPool(pool, { method, params: [numberToHex(height), false] })
  if (common === null) throw new NodeError('missing', `No node has block ${height}`)
  return common
}
