import { afterEach, expect, test } from 'vitest'
import { type NodeProxy, startProxy } from '../../test/proxy.ts'
import { postBatch, postRpc } from './postRpc.ts'

const started: NodeProxy[] = []
afterEach(async () => {
  for (const node of started.splice(0)) await node.stop()
})

async function startNode(behaviour: Parameters<typeof startProxy>[1]) {
  const node = await startProxy('', behaviour)
  started.push(node)
  return node
}

const blockNumber = { method: 'eth_blockNumber', params: [] }
const logs = { method: 'eth_getLogs', params: [{ fromBlock: '0x1', toBlock: '0x9' }] }

test.each([301, 302, 303, 307, 308])('error: a node that redirects with status %i is not followed', async (status) => {
  const target = await startNode(() => ({ result: '0x1' }))
  const node = await startNode((_, response) => {
    response.writeHead(status, { location: target.url }).end()
    return 'taken'
  })
  await expect(postRpc({ url: node.url, headers: {} }, blockNumber)).rejects.toMatchObject({
    kind: 'unreachable',
    message: `HTTP ${status}: it redirects to another address, which is not followed`,
  })
  expect(target.posts).toEqual([])
})

test('error: a response of more than 32 MB is refused for logs and batches, and unreachable otherwise', async () => {
  const node = await startNode(() => ({ result: 'x'.repeat(33 * 1024 * 1024) }))
  const endpoint = { url: node.url, headers: {} }
  const message = 'the response is longer than 32 MB'
  await expect(postRpc(endpoint, logs)).rejects.toMatchObject({ kind: 'refused', message })
  await expect(postRpc(endpoint, blockNumber)).rejects.toMatchObject({ kind: 'unreachable', message })
  await expect(postBatch(endpoint, [blockNumber])).rejects.toMatchObject({ kind: 'refused', message })
})
