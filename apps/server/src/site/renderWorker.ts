import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { describeError } from '@lineage/database'
import type { Answered, FromRenderer, ToRenderer } from './createRenderer.ts'

type Renderer = {
  createRenderer: (folder: string) => (page: { url: string; language: string; fetch: typeof fetch }) => Promise<string>
}

const port = parentPort
if (!port) throw new Error('This module runs in a worker thread.')
const { folder } = workerData as { folder: string }
const send = (message: FromRenderer, moved: ArrayBuffer[] = []) => port.postMessage(message, moved)

/** Lookups that the main thread answers, by number. */
const asked = new Map<number, (answered: Answered) => void>()
let lookups = 0

const { createRenderer }: Renderer = await import(pathToFileURL(join(folder, 'server/render.js')).href)
const render = createRenderer(folder)

port.on('message', (message: ToRenderer) => {
  if (message.type === 'answer') {
    asked.get(message.number)?.(message.answered)
    asked.delete(message.number)
  } else void renderPage(message)
})
// Only now: Node crashes if a thread is ended while its modules are evaluated.
setImmediate(() => send({ type: 'ready' }))

async function renderPage({ number, url, language }: Extract<ToRenderer, { type: 'render' }>): Promise<void> {
  try {
    const html = await render({ url, language, fetch: (path) => ask(number, String(path)) })
    const bytes = new TextEncoder().encode(html)
    send({ type: 'page', number, bytes }, [bytes.buffer])
  } catch (error) {
    send({ type: 'failed', number, message: describeError(error) })
  }
}

/** Asks the main thread for a lookup of a page. */
async function ask(page: number, path: string): Promise<Response> {
  const number = ++lookups
  const { status, headers, body } = await new Promise<Answered>((resolve) => {
    asked.set(number, resolve)
    send({ type: 'ask', number, page, path })
  })
  return new Response(body, { status, headers })
}
