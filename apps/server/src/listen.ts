import { createServer, type Server } from 'node:http'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { createApp } from './app.ts'
import { closedHeaders } from './policy.ts'
import { problem } from './problem.ts'

/** The port is somebody else's. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError'
}

/** @throws {PortTakenError} */
export async function listen(app: ReturnType<typeof createApp>, port: number): Promise<Server> {
  const answer = getRequestListener(app.fetch as Parameters<typeof getRequestListener>[0], {
    errorHandler,
    // HTTP/1.0 names no host, and some health checks still speak it.
    hostname: 'localhost',
  })
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing))
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new PortTakenError(
              `Port ${port} is taken by another program. Set PORT to a free one, for example PORT=${port + 1}.`,
            )
          : error,
      ),
    )
    server.listen(port, resolve)
  })
  return server
}

/** Lets answers under way finish, but not for longer than `patience` milliseconds. */
export async function stop(server: Server, patience = 5_000): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), patience)
  await new Promise<void>((resolve) => server.close(() => resolve()))
  clearTimeout(timer)
}

/** What fails before a request exists, such as a target that is no URL. */
function errorHandler(error: unknown): Response {
  if (!(error instanceof RequestError)) console.error(error)
  const response =
    error instanceof RequestError
      ? problem('invalid_parameter', { detail: 'The request is not understood.' })
      : problem('internal', { detail: 'Something went wrong here. It has been noted.' })
  for (const [name, value] of Object.entries(closedHeaders)) response.headers.set(name, value)
  return response
}
