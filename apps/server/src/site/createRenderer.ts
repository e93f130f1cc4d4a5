import { Worker } from 'node:worker_threads'
import { describeError } from '@lineage/database'

/** The answer to a lookup of a page. */
export type Answered = { status: number; headers: [string, string][]; body: string }

export type ToRenderer =
  | { type: 'render'; number: number; url: string; language: string }
  | { type: 'answer'; number: number; answered: Answered }

export type FromRenderer =
  | { type: 'ready' }
  | { type: 'ask'; number: number; page: number; path: string }
  | { type: 'page'; number: number; bytes: Uint8Array<ArrayBuffer> }
  | { type: 'failed'; number: number; message: string }

type Parameters = {
  /** Path and query. */
  url: string
  language: string
  /** Answers a lookup of the page, without an account. */
  answer: (path: string) => Promise<Response>
}

/** Limits of the thread's memory. Without them, it keeps the memory of many pages that it has sent. */
const resourceLimits = { maxOldGenerationSizeMb: 128 }
/** Times in milliseconds. */
const defaultTimes = {
  /** Longest time for a page. A thread that takes longer is ended: it may never be free again. */
  page: 10_000,
  /** Until a thread that has ended is started again. */
  restart: 5_000,
}

type Waiting = Pick<Parameters, 'answer'> & {
  resolve: (html: Uint8Array<ArrayBuffer>) => void
  reject: (error: unknown) => void
}

export type Renderer = ReturnType<typeof createRenderer>

/** Starts the thread that renders the pages of a built web app beside that of the requests. A thread that ends is replaced. */
export function createRenderer(folder: string, times = defaultTimes) {
  const waiting = new Map<number, Waiting>()
  let state: 'starting' | 'ready' | 'closed' = 'starting'
  let pages = 0
  /** Resolves when the modules of the thread have been loaded: Node crashes if it is ended before. */
  let loaded: Promise<unknown> | undefined
  let worker = start()

  function start(): Worker {
    const started = new Worker(new URL('./renderWorker.ts', import.meta.url), {
      workerData: { folder },
      resourceLimits,
    })
    started.unref()
    loaded = new Promise((resolve) => started.once('message', resolve).once('exit', resolve))
    started.on('message', receive)
    started.on('error', (error) => console.error(`The thread of the pages failed: ${describeError(error)}`))
    started.once('exit', () => {
      for (const { reject } of waiting.values()) reject(new Error('The thread of the pages has ended.'))
      waiting.clear()
      if (state === 'closed') return
      state = 'starting'
      setTimeout(() => {
        worker = start()
      }, times.restart).unref()
    })
    return started
  }

  const send = (message: ToRenderer) => worker.postMessage(message)

  function receive(message: FromRenderer): void {
    if (message.type === 'ready') state = state === 'closed' ? 'closed' : 'ready'
    else if (message.type === 'ask') answer(message).catch((error: unknown) => fail(message.page, error))
    else if (message.type === 'failed') {
      console.error(`A page could not be rendered: ${message.message}`)
      fail(message.number, new Error(message.message))
    } else {
      const page = waiting.get(message.number)
      waiting.delete(message.number)
      page?.resolve(message.bytes)
    }
  }

  function fail(number: number, error: unknown): void {
    waiting.get(number)?.reject(error)
    waiting.delete(number)
  }

  async function answer({ number, page, path }: Extract<FromRenderer, { type: 'ask' }>): Promise<void> {
    const response = await waiting.get(page)?.answer(path)
    if (!response) return
    const { status, headers } = response
    const answered = { status, headers: [...headers], body: await response.text() } satisfies Answered
    // Another thread may have replaced the one that asked.
    if (waiting.has(page)) send({ type: 'answer', number, answered })
    // The page would be cached without it.
    if (status === 429 || status >= 500) throw new Error(`A lookup of the page was answered with ${status}.`)
  }

  return {
    /** Returns whether the thread has started. */
    isReady: (): boolean => state === 'ready',
    /** Renders a page to its HTML. @throws {Error} if a component fails */
    render: ({ answer, ...page }: Parameters): Promise<Uint8Array<ArrayBuffer>> =>
      new Promise((resolve, reject) => {
        const number = ++pages
        waiting.set(number, { answer, resolve, reject })
        send({ type: 'render', number, ...page })
        setTimeout(() => {
          if (waiting.has(number)) void worker.terminate()
        }, times.page).unref()
      }),
    async close(): Promise<void> {
      state = 'closed'
      await loaded
      await worker.terminate()
    },
  }
}
