import { NodeError, toNodeError } from '../rpc/NodeError.ts'
import { parseQuantity } from '../rpc/parseBlock.ts'
import { identify, isOutdated } from '../state/chainIdentity.ts'
import { messageFor, type Node, now, type Pool, silence } from './node.ts'
import { sendPaced } from './sendPaced.ts'

/** Throws if the node serves another chain. Uses a check that started at or after `since`. */
export async function checkChain(pool: Pool, node: Node, since: number): Promise<void> {
  while (isOutdated(node.chain, since)) {
    node.chainCheck ??= {
      startedAt: now(),
      done: requestChainId(pool, node).finally(() => {
        node.chainCheck = undefined
      }),
    }
    const { startedAt, done } = node.chainCheck
    // A check that started too early does not count; the next one is shared.
    await (startedAt < since ? done.catch(() => undefined) : done)
  }
  if (node.chain.status === 'other') throw new NodeError('missing', messageFor(pool, node, 'node_other_chain'))
}

async function requestChainId(pool: Pool, node: Node): Promise<void> {
  const { chainId: expected } = pool.requirements
  const startedAt = now()
  const answer = await sendPaced(pool, node, { method: 'eth_chainId', params: [] }).catch((error: unknown) => {
    const failure = toNodeError(error)
    if (['unreachable', 'rate_limited'].includes(failure.kind)) throw failure
    // A node that refuses even its chain id needs a key or a paid plan.
    silence(pool, node, failure.message, 1_000)
    throw new NodeError('unreachable', failure.message)
  })
  const chainId = parseQuantity(answer)
  if (chainId === undefined) throw new NodeError('unreachable', `${node.name} returned a chain id that is not a number`)
  const before = node.chain.status
  node.chain = identify(chainId, expected, startedAt)
  if (node.chain.status === 'right') return
  node.head = { ...node.head, number: 0 }
  if (before !== 'other') pool.log(messageFor(pool, node, 'node_other_chain'))
}

/** Checks once, after many answers, that all nodes that may have given them are on the right chain. */
export async function confirmChain(pool: Pool, since: number): Promise<void> {
  const before = now()
  const asked = pool.nodes.filter(({ contact }) => contact.answeredAt >= since)
  await Promise.all(asked.map((node) => checkChain(pool, node, before)))
}
