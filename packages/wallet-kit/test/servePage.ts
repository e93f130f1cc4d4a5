import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

const emptyPage =
  '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Page</title><div id="root"></div><script type="module" src="/index.js"></script>'

/** Answers requests like a server of the app. */
export type AppServer = (request: Request) => Promise<Response> | undefined

/**
 * Serves a page on this machine: browsers allow only such pages to contact local servers.
 *
 * @param files - Its scripts, by path.
 * @param app - Answers what it can. Default: nothing.
 * @param html - The page, for every other path. Default: one with `/index.js` alone.
 */
export function servePage(
  files: ReadonlyMap<string, string>,
  app: AppServer = () => undefined,
  html = emptyPage,
): Promise<{ url: string; close: () => void }> {
  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { url = '' } = incoming
    const answered = await app(await toRequest(incoming))
    if (answered) {
      const cookies = answered.headers.getSetCookie()
      response.writeHead(answered.status, { ...Object.fromEntries(answered.headers), 'set-cookie': cookies })
      response.end(await answered.text())
      return
    }
    const file = files.get(url)
    response.setHeader('content-type', file === undefined ? 'text/html' : 'text/javascript')
    response.end(file ?? html)
  }
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }),
    ),
  )
}

async function toRequest(incoming: IncomingMessage): Promise<Request> {
  const { url, method = 'GET', headers } = incoming
  const given = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
  return new Request(`http://${headers.host}${url}`, {
    method,
    headers: given as [string, string][],
    ...(method === 'POST' && { body: await text(incoming) }),
  })
}
