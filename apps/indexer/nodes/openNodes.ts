import { createServer, type Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Status } from '@lineage/referral-api'
import type { Community } from '../config/index.ts'
import { ProblemError, toResponse } from '../src/api/problems.ts'
import { createNodes, type NodeWarning } from './createNodes.ts'
import { serveNodes } from './serveNodes.ts'

export type OpenNodesParameters = {
  urls: readonly string[]
  communities: readonly Community[]
  /** The last block that the index holds for final. */
  finalizedBlock: number | undefined
  /** Where the API will be; until it is, what is waited for is told there. */
  port: number
  log: (message: string) => void
  /** Milliseconds between two tries while no node will do. @default 5_000 */
  interval?: number
}

/** A node that no waiting makes the right one. */
export class WrongNodeError extends Error {
  override readonly name = 'WrongNodeError'
}

/**
 * Tries every node, says what it cannot do, and waits until one can be read from.
 *
 * @returns the URL of all of them as one
 * @throws {WrongNodeError} for a node of another chain
 */
export async function openNodes(parameters: OpenNodesParameters) {
  const { urls, communities, finalizedBlock, port, log, interval = 5_000 } = parameters
  const first = communities.reduce((left, right) => (right.startBlock < left.startBlock ? right : left))
  const { startBlock } = first
  const nodes = createNodes({ urls, startBlock, log, ...(finalizedBlock !== undefined && { finalizedBlock }) })
  const told = new Set<string>()
  let waiting: Server | undefined
  let warnings: NodeWarning[] = []

  for (;;) {
    warnings = await nodes.inspect({ block: first.startBlock, address: first.address }).catch((error: Error) => {
      throw new WrongNodeError(error.message)
    })
    const foreign = warnings.find(({ kind }) => kind === 'node_other_chain')
    if (foreign) throw new WrongNodeError(foreign.message)
    for (const { kind, node, message } of warnings) {
      if (!told.has(`${kind} ${node}`)) log(message)
      told.add(`${kind} ${node}`)
    }
    if (nodes.canRead()) break
    if (!waiting) log('No node can be read from. They are tried again every few seconds.')
    waiting ??= serveWaiting(port, () => warnings)
    await delay(interval)
  }
  if (waiting) {
    waiting.closeAllConnections()
    await new Promise((resolve) => waiting?.close(resolve))
    log('A node can be read from now.')
  }
  return serveNodes(nodes)
}

/** Answers in the place of the API what it would say of an index that has not begun. */
function serveWaiting(port: number, warnings: () => NodeWarning[]): Server {
  const progress = { phase: 'starting', done: 0, total: 0 } as const
  const answerOf = (path: string | undefined): Response => {
    const note = warnings()
      .map(({ message }) => message)
      .join(' ')
    if (path === '/v1/health') return Response.json({ status: 'ok' })
    if (path !== '/v1/status') return toResponse(new ProblemError('indexing', note, { progress }))
    const status: Status = {
      state: 'starting',
      progress,
      asOf: null,
      headBlock: null,
      note,
      warnings: warnings().map((warning) => ({ ...warning, community: null })),
      spotChecks: [],
    }
    return Response.json(status, { headers: { 'cache-control': 'no-store' } })
  }
  const server = createServer((request, response) => {
    const answer = answerOf(request.url)
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    void answer.text().then((text) => response.end(text))
  })
  // Taken by another: Ponder will say so.
  server.on('error', () => undefined)
  return server.listen(port, '127.0.0.1')
}
