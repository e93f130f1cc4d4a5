/** Serves the lookups from the tables of DATABASE_URL without the rest of a server, and reports to the parent process. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { findOperation } from '@lineage/referral-api/operations'
import type { LookupId } from '@lineage/referral-api/routes'
import { createIndex } from '../src/follow/createIndex.ts'
import { ProblemError } from '../src/lib/problem.ts'
import type { FilePart } from '../src/lookups/fileStream.ts'
import { parseLookup } from '../src/lookups/parseLookup.ts'
import { createCommunities } from './community.ts'

const begun = performance.now()
const communities = createCommunities(Number(process.env.BENCH_COMMUNITIES))
const index = createIndex({ communities, databaseUrl: process.env.DATABASE_URL ?? '', maxAge: 0 })

/** Answers one request; the header has the time in this thread and in the worker, and the processor time of the lookup. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const start = performance.now()
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const path = pathname.slice('/v1'.length)
  const operation = findOperation(request.method ?? 'GET', path)
  const id = operation?.id as LookupId
  const [, community, address] = /^\/communities\/([^/]+)(?:\/members\/([^/]+))?/.exec(path) ?? []
  const [, everywhere] = /^\/addresses\/([^/]+)/.exec(path) ?? []
  const member = address === 'batch' ? undefined : (address ?? everywhere)
  const body: unknown = request.method === 'POST' ? JSON.parse(await text(request)) : undefined
  const parts = { ...(community && { community }), ...(member && { address: member }) }
  const found = await index.lookUp(parseLookup(id, { path: parts, query: searchParams, body }))
  const timing = `app;dur=${performance.now() - start}, cpu;dur=${found.work}`
  response.writeHead(200, { ...found.headers, 'server-timing': timing })
  if (found.body instanceof Uint8Array) response.end(found.body)
  else await pipeline(bytesOf(found.body), response)
}

async function* bytesOf(file: ReadableStream<FilePart>): AsyncGenerator<Uint8Array> {
  for await (const { bytes } of file) yield bytes
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    if (response.headersSent) return response.destroy()
    const status = error instanceof ProblemError ? error.toResponse().status : 500
    return response.writeHead(status, { 'server-timing': 'app;dur=0, cpu;dur=0' }).end(String(error))
  })
})
// The compared statements take longer than the default keep-alive.
Object.assign(server, { keepAliveTimeout: 0 })

const untilReady = setInterval(() => {
  if (!communities.every(({ id }) => index.stateOf(id))) return
  clearInterval(untilReady)
  const startMs = performance.now() - begun
  const { user, system } = process.cpuUsage()
  server.listen(0, '127.0.0.1', () =>
    process.send?.({
      type: 'ready',
      startMs,
      startCpuMs: (user + system) / 1_000,
      port: (server.address() as AddressInfo).port,
    }),
  )
}, 20)
process.on('message', () =>
  process.send?.({
    type: 'memory',
    rssMb: process.memoryUsage.rss() / 2 ** 20,
    peakMb: process.resourceUsage().maxRSS / 2 ** 10,
  }),
)
process.once('disconnect', () => process.exit(0))
