import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { portOf } from '../../test/upstream.ts'
import { createLog, type Log } from '../lib/log.ts'
import { defaultTimeouts, findConnectionLimit, listen, stop, toListenError } from './listen.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const megabyte = 'x'.repeat(1024 * 1024)

/** Serves 64 MB, with short time-outs. */
async function start(timeouts: Partial<typeof defaultTimeouts>, connections?: number, log?: Log) {
  const fetch = async (request: Request) => {
    if (request.method === 'POST') return new Response(await request.text())
    return new Response(megabyte.repeat(64))
  }
  const server = await listen({ fetch } as never, {
    port: 0,
    timeouts: { ...defaultTimeouts, ...timeouts },
    ...(connections !== undefined && { connections }),
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
  ['that sends nothing', { headers: 50 }, ''],
  ['that sends half a header', { headers: 50 }, 'GET / HTTP/1.1\r\nHost:'],
  [
    'that sends half a body',
    { headers: 50, request: 100 },
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc',
  ],
  ['that takes nothing of its answer for long', { idle: 200 }, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'],
])('attack: a connection %s is ended', async (_, timeouts, text) => {
  const server = await start(timeouts)
  const { socket } = open(portOf(server), text)
  await new Promise((resolve) => socket.once('connect', resolve))
  await expect.poll(() => openConnections(server)).toBe(0)
})

test('behavior: a second request on a connection is answered', async () => {
  const server = await start({ headers: 300, request: 300 })
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

test('attack: connections beyond the limit are closed, with one line in the log', async () => {
  const lines: string[] = []
  const server = await start({}, 3, createLog({ write: (text) => lines.push(text) }))
  const opened = Array.from({ length: 3 }, () => open(portOf(server), 'GET'))
  await expect.poll(() => openConnections(server)).toBe(3)
  await Promise.all(Array.from({ length: 5 }, () => openUntilEnded(portOf(server))))
  expect(lines).toEqual(['Connections were closed: the limit of 3 is reached.'])
  for (const { socket } of opened) socket.destroy()
  await expect.poll(() => openConnections(server)).toBe(0)
  open(portOf(server), 'GET')
  await expect.poll(() => openConnections(server)).toBe(1)
})

test('behavior: at the limit an idle connection makes room for a new one', async () => {
  const server = await start({}, 1, () => undefined)
  const idle = open(portOf(server), 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\na')
  await new Promise((resolve) => idle.socket.resume().once('data', resolve))
  await openUntilEnded(portOf(server))
  await idle.ended
  open(portOf(server), 'GET')
  await expect.poll(() => openConnections(server)).toBe(1)
})

test('findConnectionLimit: leaves files for the rest of the process', () => {
  expect(findConnectionLimit()).toBeGreaterThanOrEqual(16)
  expect(findConnectionLimit()).toBeLessThanOrEqual(14_000)
})

// A test that runs as root, or in a container, may listen on each port.
test('error: a port that needs a right is explained', () => {
  const { message } = toListenError(Object.assign(new Error('listen EACCES'), { code: 'EACCES' }), 80, undefined)
  expect(message).toBe('This user may not listen on port 80. Set PORT to 1024 or above, behind a proxy.')
})
