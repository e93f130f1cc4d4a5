import { indexerHeaders } from '@lineage/referral-api/indexer-headers'
import type { LiveLine } from '@lineage/referral-api/live'
import type { KnownIndexer } from '../indexer/chooseIndexer.ts'
import type { Indexers } from '../indexer/createIndexers.ts'
import { problem } from '../problem.ts'
import { type Channel, createChannel } from './createChannel.ts'
import { createTeamCounts } from './createTeamCounts.ts'
import { readLines } from './readLines.ts'

const lineLimit = 64 * 1024 * 1024

/** Returns the newest block of all indexers; infinity before the first answer. */
const newestBlock = ({ all }: Indexers): number =>
  Math.max(...all.map(({ block }) => block)) || Number.POSITIVE_INFINITY

export type Feed = ReturnType<typeof createFeed>

type FeedParameters = {
  indexers: Indexers
  path: string
  timeout: number
  /** Newest block that the first reader has; 0 for none. */
  block: number
}

/**
 * Connects to the feed of a community. When the connection ends, it continues with another indexer, which can send
 * the missed steps because ids are positions on the chain. It ends when no indexer answers, or with its last stream.
 */
export function createFeed({ indexers, path, timeout, block }: FeedParameters, onEnded: () => void) {
  const abort = new AbortController()
  let source: KnownIndexer | undefined
  let moveOn = () => {}
  const channel: Channel = createChannel({
    teams: createTeamCounts(async (addresses) => {
      const body = JSON.stringify({ addresses })
      const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(timeout)])
      const headers = { 'content-type': 'application/json' }
      return (await fetch(`${source?.origin}${path}/members/batch`, { method: 'POST', headers, body, signal })).json()
    }),
  })
  const listeners = new Set<() => void>()
  let users = 0
  let begin: (problem: Response | undefined) => void = () => undefined
  const begun = new Promise<Response | undefined>((resolve) => {
    begin = resolve
  })

  /** Reads the feed of an indexer until it ends. Returns the indexer's refusal, or the number of lines it sent. */
  async function readFrom(one: KnownIndexer): Promise<Response | number> {
    const silence = new AbortController()
    moveOn = () => silence.abort()
    let timer = setTimeout(() => silence.abort(), timeout)
    let lines = 0
    try {
      const signal = AbortSignal.any([abort.signal, silence.signal])
      // Another indexer may be a moment behind the previous one.
      const headers = { [indexerHeaders.atLeast]: String(channel.block ?? Math.min(block, newestBlock(indexers))) }
      const send = (silent: AbortSignal) =>
        fetch(`${one.origin}${path}/feed`, { signal: AbortSignal.any([signal, silent]), headers })
      const response = await indexers.track(one, send, () => signal.aborted)
      if (!response.ok || !response.body) return await toProblem(response)
      source = one
      for await (const line of readLines<LiveLine>(response.body, lineLimit)) {
        clearTimeout(timer)
        timer = setTimeout(() => silence.abort(), timeout)
        channel.take(line)
        lines++
        if (channel.state === 'ready') begin(undefined)
      }
    } catch {
      // The connection was lost, or no line came in time.
    } finally {
      clearTimeout(timer)
      silence.abort()
    }
    return lines
  }

  async function run(): Promise<void> {
    let one = indexers.choose()
    // Ends when all indexers have failed in turn. An indexer that sent more than its first line counts as working.
    let refusal = problem('unavailable', { detail: 'The index does not answer. Try again in 5 s.', retryAfter: 5 })
    for (let failures = 0; one && failures < indexers.all.length && !abort.signal.aborted; failures++) {
      const result = await readFrom(one)
      if (typeof result !== 'number') refusal = result
      else if (result > 1) failures = 0
      // The others do not know this community either.
      if (refusal.status < 500) break
      one = indexers.choose({ except: one })
    }
    onEnded()
    begin(refusal)
    abort.abort()
    for (const listener of listeners) listener()
  }

  void run()
  return {
    channel,
    /** Resolves once the first line has arrived, or to the problem that prevents it. */
    begun,
    close: () => abort.abort(),
    /** Ends the connection to this indexer and connects to another one. */
    moveOn: () => moveOn(),
    onEnd(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Adds a user. Returns a function that removes it; the connection ends with the last user. */
    use(): () => void {
      users++
      return () => {
        users--
        if (users > 0) return
        onEnded()
        abort.abort()
      }
    },
  }
}

/** Passes on the indexer's refusal. */
async function toProblem(response: Response): Promise<Response> {
  const text = await response.text()
  if (response.status === 404 || response.status === 503)
    return new Response(text, {
      status: response.status,
      headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', 'retry-after': '5' },
    })
  return problem('unavailable', { detail: 'The index cannot answer this now. Try again later.', retryAfter: 5 })
}
