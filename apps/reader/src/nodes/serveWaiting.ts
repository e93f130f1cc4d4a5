import { createServer } from 'node:http'
import type { Progress, Reason, Status, Warning } from '@lineage/referral-api'
import { refusePort } from '../refusePort.ts'
import { ProblemError, toResponse } from '../src/api/http/problems.ts'

/** Reason why the indexer waits, and its progress if it is reading meanwhile. */
export type Waiting = { code: Reason['code']; warnings: readonly Warning[]; note: string; progress?: Progress }

/** Serves the API's response for an index that has not started, until the API itself starts. */
export function serveWaiting(port: number, describe: () => Waiting) {
  const since = Math.floor(Date.now() / 1_000)
  const server = createServer((request, response) => {
    const answer = respond(request.url, describe(), since)
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    void answer.text().then((text) => response.end(text))
  })
  server.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EADDRINUSE') refusePort(port)
  })
  server.listen(port, '127.0.0.1')
  return {
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const notBegun: Progress = { phase: 'starting', done: 0, total: 0 }

function respond(path: string | undefined, waiting: Waiting, since: number): Response {
  const { code, warnings, note, progress = notBegun } = waiting
  if (path === '/v1/health') return Response.json({ status: 'ok' })
  const age = Math.floor(Date.now() / 1_000) - since
  const reasons: Reason[] = [{ code, community: null, message: note, since, age }]
  if (path === '/v1/ready') return toResponse(new ProblemError('indexing', note, { progress, reasons }))
  if (path !== '/v1/status') return toResponse(new ProblemError('indexing', note, { progress }))
  const status: Status = {
    state: progress.phase === 'indexing' ? 'indexing' : 'starting',
    progress,
    asOf: null,
    headBlock: null,
    note,
    warnings: [...warnings],
    reasons,
    spotChecks: [],
  }
  return Response.json(status, { headers: { 'cache-control': 'no-store' } })
}
