import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

const html =
  '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Page</title><div id="root"></div><script type="module" src="/index.js"></script>'

/** Answers what a server of the app's own would. */
export type AppServer = (request: Request) => Promise<Response> | undefined

/** A page on this machine: browsers let only such a page speak to servers on this machine. */
export function servePage(
  files: ReadonlyMap<string, string>,
  app: AppServer = () => undefined,
): Promise<{ url: string; close: () => void }> {
  const server = createServer(async (incoming, response) => {
    const { url = '' } = incoming
    const answer = await app(await toRequest(incoming))
    if (answer) {
      const cookies = answer.headers.getSetCookie()
      response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), 'set-cookie': cookies })
      response.end(await answer.text())
      return
    }
    const file = files.get(url)
    response.setHeader('content-type', file === undefined ? 'text/html' : 'text/javascript')
    response.end(file ?? html)
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
