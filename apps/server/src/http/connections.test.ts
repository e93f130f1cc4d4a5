import { connect, Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { portOf } from '../../test/upstream.ts'
import { createLog, type Log } from '../lib/log.ts'
import { type ConnectionLimits, defaultTimeouts, findConnectionLimit } from './connections.ts'
import { listen, stop } from './listen.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const megabyte = 'x'.repeat(1024 * 1024)

/** Serves 64 MB, with short time-outs. */
async function start(timeouts: Partial<typeof defaultTimeouts>, connections?: ConnectionLimits, log?: Log) {
  const fetch = async (request: Request) => {
    if (request.method === 'POST') return new Response(await request.text())
    return new Response(megabyte.repeat(64))
  }
  const server = await listen({ fetch } as never, {
    port: 0,
    timeouts: { ...defaultTimeouts, ...timeouts },
    ...(connections && { connections }),
    ...(log && { log }),
  })
  closing.push(() => stop(server, 0))
  return server
}

/** Opens a connection that sends `text` and reads nothing, and returns a promise of its end. */
function open(port: number, text: string): { socket: Socket; ended: Promise<void> } {
  const socket = connect(port, '127.0.0.1', () => socket.write(text))
  socket.on('error', () => undefined)
  socket.pause()
  closing.push(() => socket.destroy())
  return { socket, ended: new Promise((resolve) => socket.once('close', () => resolve())) }
}

/** Opens a connection and waits for its end. */
async function openUntilEnded(port: number): Promise<void> {
  const { socket, ended } = open(port, 'GET')
  // A paused socket does not notice its end.
  socket.resume()
  await ended
}

const openConnections = (server: Awaited<ReturnType<typeof start>>) =>
  new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))

test.each<[string, Partial<typeof defaultTimeouts>, string]>([
  ['that sends nothing', { firstRequest: 50 }, ''],
  ['that sends half a header', { firstRequest: 50 }, 'GET / HTTP/1.1\r\nHost:'],
  ['that sends half a body', { body: 50 }, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc'],
  ['that takes nothing of its answer for long', { idle: 200 }, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['that does not read its answer in time', { reading: 200 }, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'],
])('attack: a connection %s is ended', async (_, timeouts, text) => {
  const server = await start(timeouts)
  const { socket } = open(portOf(server), text)
  await new Promise((resolve) => socket.once('connect', resolve))
  await expect.poll(() => openConnections(server), { timeout: 10_000 }).toBe(0)
})

test('behavior: a connection is kept longer than proxies keep theirs, and headers have longer still', async () => {
  const server = await start({})
  expect(server.keepAliveTimeout).toBeGreaterThan(65_000)
  expect(server.headersTimeout).toBeGreaterThan(server.keepAliveTimeout)
  expect(server.requestTimeout).toBeGreaterThanOrEqual(server.headersTimeout)
})

test('behavior: a second request on a connection is answered', async () => {
  const server = await start({ firstRequest: 300, body: 300 })
  const { socket } = open(portOf(server), '')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.resume()
  const post = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc'
  socket.write(post)
  await expect.poll(() => text.split('HTTP/1.1 200').length).toBe(2)
  const answeredAt = performance.now()
  await expect.poll(() => performance.now() - answeredAt).toBeGreaterThan(400)
  socket.write(post)
  await expect.poll(() => text.split('HTTP/1.1 200').length).toBe(3)
})

test.each([
  ['in all', { total: 3, perAddress: null }, /^Connections were closed: the limit of 3 is reached\.$/],
  [
    'of one address',
    { total: 100, perAddress: 3 },
    /^Connections were closed: one address has reached the limit of 3\.$/,
  ],
])('attack: connections beyond the limit %s are closed, with one line in the log', async (_, limits, line) => {
  const lines: string[] = []
  const server = await start({}, limits, createLog({ write: (text) => lines.push(text) }))
  const opened = Array.from({ length: 3 }, () => open(portOf(server), 'GET'))
  await expect.poll(() => openConnections(server)).toBe(3)
  await Promise.all(Array.from({ length: 5 }, () => openUntilEnded(portOf(server))))
  expect(lines).toEqual([expect.stringMatching(line)])
  for (const { socket } of opened) socket.destroy()
  await expect.poll(() => openConnections(server)).toBe(0)
  open(portOf(server), 'GET')
  await expect.poll(() => openConnections(server)).toBe(1)
})

test('attack: connections from addresses of one IPv6 network count together', async () => {
  const server = await start({}, { total: 100, perAddress: 3 }, () => undefined)
  // A machine that runs tests has one IPv6 address, so the system's part of the connection is replaced.
  const connectFrom = (remoteAddress: string) => {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress })
    server.emit('connection', socket)
    closing.push(() => socket.destroy())
    return socket.destroyed
  }
  const isClosed = [1, 2, 3, 4].map((host) => connectFrom(`2001:db8:1:2::${host}`))
  expect([...isClosed, connectFrom('2001:db8:1:3::1')]).toEqual([false, false, false, true, false])
})

test('behavior: at the limit an idle connection makes room for a new one', async () => {
  const server = await start({}, { total: 1, perAddress: null }, () => undefined)
  const idle = open(portOf(server), 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\na')
  await new Promise((resolve) => idle.socket.resume().once('data', resolve))
  await openUntilEnded(portOf(server))
  await idle.ended
  open(portOf(server), 'GET')
  await expect.poll(() => openConnections(server)).toBe(1)
})

test('findConnectionLimit: leaves files for the rest of the process', () => {
  expect(findConnectionLimit()).toBeGreaterThanOrEqual(16)
  expect(findConnectionLimit()).toBeLessThanOrEqual(9_000)
})
