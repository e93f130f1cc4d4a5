/** Runs a process of `bench:load`: many visitors who send requests or hold connections. Prints the answers as JSON. */
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import autocannon from 'autocannon'

export type Sent = { method?: 'GET' | 'OPTIONS' | 'POST'; path: string; body?: string }
export type Visitors = {
  url: string
  connections: number
  /** Number of visitors. With more than connections, each request comes from the next one. */
  visitors: number
  /** `6`: each has an IPv6 network of its own. */
  family: 4 | 6
  /** Requests per second of all visitors together; `hold`: each connection sends one request, and takes no answer. */
  rate: number | 'hold'
  seconds: number
  /** Parts of a second in which the requests of a second are sent. */
  bursts: number
  /** Sent in turn. */
  requests: Sent[]
}
export type VisitorsResult = {
  perSecond: number
  /** Number of answers by status; `none` counts requests without an answer. */
  byStatus: Record<string, number>
}

const { url, connections, visitors, family, rate, seconds, bursts, requests } = JSON.parse(
  process.argv[2] ?? '',
) as Visitors
const { hostname, port } = new URL(url)
if (hostname !== '127.0.0.1') throw new Error('Only 127.0.0.1 is put under load.')

let made = 0
console.log(JSON.stringify(rate === 'hold' ? await hold() : await send(rate)))
process.exit()

function nextHeaders(body: string | undefined): Record<string, string> {
  const visitor = made++ % visitors
  const [high, low] = [visitor >> 8, visitor & 255]
  return {
    // In networks of their own, as far as there are any, which is the hardest.
    'x-forwarded-for': family === 4 ? `10.${low}.${high}.1` : `2400:${low}:${high}:1::1`,
    ...(visitors > connections && { 'accept-encoding': 'gzip' }),
    ...(body !== undefined && { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }),
  }
}

async function send(overallRate: number): Promise<VisitorsResult> {
  const results = await Promise.all(
    Array.from({ length: bursts }, async (_, at) => {
      // A client sends its requests of a second at the beginning of the second.
      await delay((at * 1_000) / bursts)
      return sendBurst(overallRate / bursts)
    }),
  )
  const byStatus: VisitorsResult['byStatus'] = {}
  const add = (status: string, count = 0) => {
    if (count > 0) byStatus[status] = (byStatus[status] ?? 0) + count
  }
  for (const { statusCodeStats, errors } of results) {
    for (const [status, { count }] of Object.entries(statusCodeStats ?? {})) add(status, count)
    add('none', errors)
  }
  return { perSecond: results.reduce((sum, { requests: { average } }) => sum + average, 0), byStatus }
}

function sendBurst(overallRate: number) {
  const isPerRequest = visitors > connections
  return autocannon({
    url,
    connections: connections / bursts,
    overallRate,
    duration: seconds,
    timeout: 10,
    requests: requests.map(({ method = 'GET', ...request }) => ({
      method,
      ...request,
      ...(isPerRequest && {
        setupRequest: (one: object) => ({ ...one, headers: nextHeaders(request.body) }),
      }),
    })),
    setupClient(client) {
      if (!isPerRequest) client.setHeaders(nextHeaders(requests[0]?.body))
    },
  })
}

/** Opens all connections. One with a body sends only a part of it. */
async function hold(): Promise<VisitorsResult> {
  for (let count = 0; count < connections; count++) {
    const { method = 'GET', path, body } = requests[count % requests.length] as Sent
    const headers = { host: hostname, ...nextHeaders(body), ...(body && { 'content-length': body.length * 2 }) }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const socket = connect(Number(port), hostname, () =>
      socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`),
    )
    socket.on('error', () => undefined)
    socket.pause()
  }
  await delay(seconds * 1_000)
  return { perSecond: 0, byStatus: {} }
}
