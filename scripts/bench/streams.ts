/**
 * Runs a process of `bench:live`: opens streams, every second one of a team, and reports when a bind arrives at all
 * streams of the whole community. It ends with its parent.
 */
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export type Streams = {
  url: string
  community: string
  count: number
  /** Addresses whose teams are followed. */
  teams: readonly string[]
}
/** `open`: all streams have their first event. `heard`: the times in Unix milliseconds at which a bind arrived. */
export type StreamsMessage = { type: 'open' } | { type: 'heard'; member: string; times: number[]; lost: number }

/** Number of streams opened at once. */
const width = 100
/** Milliseconds after which a stream counts as lost. */
const patience = 30_000

const { url, community, count, teams } = JSON.parse(process.argv[2] ?? '') as Streams
const { hostname, port } = new URL(url)
if (hostname !== '127.0.0.1') throw new Error('Only 127.0.0.1 is put under load.')
const now = () => performance.timeOrigin + performance.now()

let awaited = ''
let times: number[] = []
let wake = () => {}
let ended = 0

process.once('disconnect', () => process.exit())
process.on('message', (member: string) => void watch(member))
for (let first = 0; first < count; first += width)
  await Promise.all(Array.from({ length: Math.min(width, count - first) }, (_, index) => open(first + index)))
report({ type: 'open' })

/** Opens a stream as its own visitor. Retries while the server is busy. */
async function open(index: number): Promise<void> {
  const team = index % 2 === 1 ? `?address=${teams[index % teams.length]}` : ''
  for (;;) {
    const socket = connect(Number(port), hostname)
    socket.write(
      `GET /v1/communities/${community}/live${team} HTTP/1.1\r\nhost: ${hostname}\r\n` +
        `x-forwarded-for: 10.${index >> 16}.${(index >> 8) & 255}.${index & 255}\r\n\r\n`,
    )
    if (await isOpen(socket)) return noteEvents(socket, team === '' ? 'community' : 'team')
    socket.destroy()
    await delay(1_000)
  }
}

/** Resolves once the first event or the refusal has arrived. */
function isOpen(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    let text = ''
    socket.on('data', function read(chunk) {
      text += chunk.toString('latin1')
      const isEvent = /\nevent: change\n/.test(text)
      if (!isEvent && text.startsWith('HTTP/1.1 200')) return
      if (!isEvent && text.length < 12) return
      socket.off('data', read)
      resolve(isEvent)
    })
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
  })
}

function noteEvents(socket: Socket, kind: 'community' | 'team'): void {
  let rest = ''
  let heard = ''
  socket.on('data', (chunk) => {
    if (kind === 'team' || heard === awaited) return
    const text = rest + chunk.toString('latin1')
    rest = text.slice(-64)
    if (!text.toLowerCase().includes(awaited)) return
    heard = awaited
    times.push(now())
    if (times.length === Math.ceil(count / 2)) wake()
  })
  socket.once('close', () => ended++)
  socket.on('error', () => undefined)
}

async function watch(member: string): Promise<void> {
  awaited = member
  times = []
  await Promise.race([
    new Promise<void>((resolve) => {
      wake = resolve
    }),
    delay(patience),
  ])
  report({ type: 'heard', member, times, lost: ended })
}

function report(message: StreamsMessage): void {
  process.send?.(message)
}
