/**
 * Runs a process of `bench:load`: many visitors who send requests continuously, each on its own connection. Prints
 * the answers as JSON and exits.
 */
import autocannon from 'autocannon'

export type Visitors = {
  url: string
  connections: number
  /** Connections per visitor: 1, or all of them. */
  visitors: number
  /** Requests per second of all visitors together. */
  rate: number
  seconds: number
  path: string
  body?: string
}
export type VisitorsResult = {
  perSecond: number
  p50: number
  p99: number
  /** Number of answers by status; `none` counts requests without an answer. */
  byStatus: Record<string, number>
}

const { url, connections, visitors, rate, seconds, path, body } = JSON.parse(process.argv[2] ?? '') as Visitors
if (new URL(url).hostname !== '127.0.0.1') throw new Error('Only 127.0.0.1 is put under load.')

let made = 0
const result = await autocannon({
  url: `${url}${path}`,
  connections,
  overallRate: rate,
  duration: seconds,
  timeout: 10,
  method: body === undefined ? 'GET' : 'POST',
  ...(body !== undefined && { body }),
  setupClient(client) {
    const visitor = made++ % visitors
    client.setHeaders({
      'x-forwarded-for': `10.${visitor >> 16}.${(visitor >> 8) & 255}.${visitor & 255}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    })
  },
})
const statuses = Object.entries(result.statusCodeStats ?? {}).map(([status, { count }]) => [status, count ?? 0])
const summary: VisitorsResult = {
  perSecond: result.requests.average,
  p50: result.latency.p50,
  p99: result.latency.p99,
  byStatus: Object.fromEntries([...statuses, ...(result.errors > 0 ? [['none', result.errors]] : [])]),
}
console.log(JSON.stringify(summary))
