import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { type NodeProxy, startProxy } from '../../test/proxy.ts'
import { postBatch, postRpc, readText } from './postRpc.ts'

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
  const tooLong = Buffer.alloc(33 * 1024 * 1024, 'x')
  const node = await startNode((_, response) => {
    response.end(tooLong)
    return 'taken'
  })
  const endpoint = { url: node.url, headers: {} }
  const message = 'the response is longer than 32 MB'
  await expect(postRpc(endpoint, logs, 60_000)).rejects.toMatchObject({ kind: 'refused', message })
  await expect(postRpc(endpoint, blockNumber, 60_000)).rejects.toMatchObject({ kind: 'unreachable', message })
  await expect(postBatch(endpoint, [blockNumber])).rejects.toMatchObject({ kind: 'refused', message })
})

/** Returns the header for a time in so many milliseconds from now. */
const timeIn = (milliseconds: number) => new Date(Date.now() + milliseconds).toUTCString()

// A time is chosen when its test begins: the tests before it may take seconds.
test.each([
  ['20', () => '20', 20_000],
  ['a time in a minute', () => timeIn(60_000), expect.closeTo(60_000, -4)],
  ['a time a minute ago', () => timeIn(-60_000), 0],
  ['99999999', () => '99999999', 0],
  ['soon', () => 'soon', 0],
  ['nothing', () => undefined, 0],
])('behavior: after 429 it waits as long as Retry-After says: %s', async (_, choose, retryAfter) => {
  const header = choose()
  const node = await startNode((_, response) => {
    response.writeHead(429, header === undefined ? {} : { 'retry-after': header }).end()
    return 'taken'
  })
  await expect(postRpc({ url: node.url, headers: {} }, blockNumber)).rejects.toMatchObject({ retryAfter })
})

test.each<[reason: RegExp, answer: (response: ServerResponse) => void]>([
  [/^the connection broke \(UND_ERR_SOCKET\)$/, (response) => response.destroy()],
  [
    /^the response is not compressed as it says \(Z_DATA_ERROR\)$/,
    (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('{}'),
  ],
])('error: %s', async (reason, answer) => {
  const node = await startNode((_, response) => {
    answer(response)
    return 'taken'
  })
  const failed = postRpc({ url: node.url, headers: {} }, blockNumber)
  await expect(failed).rejects.toMatchObject({ message: expect.stringMatching(reason) })
})

test.each([
  [401, 'it asks for a key'],
  [402, 'it asks for payment'],
  [403, 'it refuses this key, plan or country'],
])('error: HTTP %i says that %s', async (status, reason) => {
  const node = await startNode((_, response) => {
    response.writeHead(status).end('<html>')
    return 'taken'
  })
  const failed = postRpc({ url: node.url, headers: {} }, blockNumber)
  await expect(failed).rejects.toMatchObject({ kind: 'unreachable', message: `HTTP ${status}: ${reason}` })
})

test('behavior: a request whose connection breaks, as after a second at some proxies, is sent again', async () => {
  const node = await startNode((_, response) => {
    if (node.posts.length !== 2) return { result: '0x1' }
    response.destroy()
    return 'taken'
  })
  const endpoint = { url: node.url, headers: {} }
  for (let request = 0; request < 3; request++) expect(await postRpc(endpoint, blockNumber)).toBe('0x1')
  expect(node.posts).toHaveLength(4)
})

test('error: a request whose connection breaks twice fails', async () => {
  const node = await startNode((_, response) => {
    response.destroy()
    return 'taken'
  })
  await expect(postRpc({ url: node.url, headers: {} }, blockNumber)).rejects.toThrow('the connection broke')
  expect(node.posts).toHaveLength(2)
})

test('error: a node that speaks HTTP/2 only', async () => {
  const server = createServer({ ALPNProtocols: ['h2'] })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  await expect(postRpc({ url, headers: {} }, blockNumber)).rejects.toThrow(
    'it speaks HTTP/2 only, and HTTP/1.1 is needed (ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL)',
  )
  server.close()
})

test('error: a node that is not there, and one whose host is not', async () => {
  const { url, stop } = await startProxy('')
  await stop()
  const reasonOf = (url: string) => postRpc({ url, headers: {} }, blockNumber, 60_000).catch(({ message }) => message)
  expect(await reasonOf(url)).toBe('nothing listens at its address (ECONNREFUSED)')
  expect(await reasonOf('http://nowhere.invalid')).toMatch(/^its host is not found \((ENOTFOUND|EAI_AGAIN)\)$/)
})

async function* cut(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const bytes = new TextEncoder().encode('a – 好')

test('behavior: chunks may end within a character', async () => {
  expect(await readText(cut(bytes, 1), bytes.length)).toBe('a – 好')
})

test('behavior: stops at the first byte too many', async () => {
  let taken = 0
  async function* count() {
    for await (const chunk of cut(bytes, 1)) {
      taken++
      yield chunk
    }
  }
  expect(await readText(count(), 3)).toBeUndefined()
  expect(taken).toBe(4)
})
