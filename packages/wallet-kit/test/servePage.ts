import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const html =
  '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Page</title><div id="root"></div><script type="module" src="/index.js"></script>'

/** A page on this machine: browsers let only such a page speak to servers on this machine. */
export function servePage(files: ReadonlyMap<string, string>): Promise<{ url: string; close: () => void }> {
  const server = createServer(({ url = '' }, response) => {
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
