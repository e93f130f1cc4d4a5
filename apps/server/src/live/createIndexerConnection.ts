import { indexerHeaders } from '@lineage/referral-api/indexer-headers'
import type { LiveLine } from '@lineage/referral-api/live'
import type { KnownIndexer } from '../indexer/chooseIndexer.ts'
import type { Indexers } from '../indexer/createIndexers.ts'
import { apiPath } from '../lib/apiPath.ts'
import { problem } from '../lib/problem.ts'
import { type Channel, createChannel } from './createChannel.ts'
import { createTeamCounts } from './createTeamCounts.ts'
import { readLines } from './readLines.ts'

const lineLimit = 64 * 1024 * 1024

export type IndexerConnection = ReturnType<typeof createIndexerConnection>

export type IndexerConnectionParameters = {
  indexers: Indexers
  community: string
  /** Time limit until the indexer begins, and between two of its lines, in milliseconds. */
  timeout: number
  /** Newest block that the first reader has; 0 for none. */
  block: number
  /** Called when the connection can get no more users. */
  onEnded: () => void
}

/** The state of a connection. */
type ConnectionState = IndexerConnectionParameters & {
  channel: Channel
  /** Ends the connection. */
  ending: AbortController
  /** Ends the request to the current indexer. */
  request: AbortController
  /** The indexer that sent the newest lines; `undefined` before the first one. */
  source: KnownIndexer | undefined
  /** Resolves `begun` of the connection. */
  begin: (refusal: Response | undefined) => void
  users: number
  listeners: Set<() => void>
}

/**
 * Connects a community to an indexer, which sends its steps as lines. When the connection is lost, it continues with
 * another indexer, which can send the missed steps because ids are positions on the chain. It ends when no indexer
 * answers, or with its last user.
 */
export function createIndexerConnection(parameters: IndexerConnectionParameters) {
  let begin: ConnectionState['begin'] = () => undefined
  const begun = new Promise<Response | undefined>((resolve) => {
    begin = resolve
  })
  const connection: ConnectionState = {
    ...parameters,
    channel: createChannel({ teams: createTeamCounts((addresses) => readTeams(connection, addresses)) }),
    ending: new AbortController(),
    request: new AbortController(),
    source: undefined,
    begin,
    users: 0,
    listeners: new Set(),
  }
  void run(connection)
  return {
    channel: connection.channel,
    /** Resolves once the first line has arrived, or to the problem that prevents it. */
    begun,
    close: () => connection.ending.abort(),
    /** Ends the request to this indexer and continues with another one. */
    moveOn: () => connection.request.abort(),
    onEnd(listener: () => void): () => void {
      connection.listeners.add(listener)
      return () => void connection.listeners.delete(listener)
    },
    /** Adds a user. Returns a function that removes it; the connection ends with the last user. */
    use(): () => void {
      connection.users++
      return () => removeUser(connection)
    },
  }
}

function removeUser(connection: ConnectionState): void {
  connection.users--
  if (connection.users > 0) return
  connection.onEnded()
  connection.ending.abort()
}

/** Reads from one indexer after the other. Ends when all have failed in turn. */
async function run(connection: ConnectionState): Promise<void> {
  const { indexers, ending, begin, listeners, onEnded } = connection
  let one = indexers.choose()
  let refusal = problem('unavailable', { detail: 'The index does not answer. Try again in 5 s.', retryAfter: 5 })
  for (let failures = 0; one && failures < indexers.all.length && !ending.signal.aborted; failures++) {
    const result = await readFrom(connection, one)
    if (typeof result !== 'number') refusal = result
    // An indexer that sent more than its first line counts as working.
    else if (result > 1) failures = 0
    // The others do not know this community either.
    if (refusal.status < 500) break
    one = indexers.choose({ except: one })
  }
  onEnded()
  begin(refusal)
  ending.abort()
  for (const listener of listeners) listener()
}

/** Reads the lines of an indexer until they end. Returns the indexer's refusal, or the number of lines it sent. */
async function readFrom(connection: ConnectionState, one: KnownIndexer): Promise<Response | number> {
  const { channel, timeout, begin } = connection
  const request = new AbortController()
  connection.request = request
  const abort = () => request.abort()
  let timer = setTimeout(abort, timeout)
  let lines = 0
  try {
    const response = await requestLines(connection, one, request.signal)
    if (!response.ok || !response.body) return await toProblem(response)
    connection.source = one
    for await (const line of readLines<LiveLine>(response.body, lineLimit)) {
      clearTimeout(timer)
      timer = setTimeout(abort, timeout)
      channel.take(line)
      lines++
      if (channel.state === 'ready') begin(undefined)
    }
  } catch {
    // The connection was lost, or no line came in time.
  } finally {
    clearTimeout(timer)
    request.abort()
  }
  return lines
}

function requestLines(
  { indexers, community, channel, block, ending }: ConnectionState,
  one: KnownIndexer,
  requestSignal: AbortSignal,
): Promise<Response> {
  const signal = AbortSignal.any([ending.signal, requestSignal])
  // Another indexer may be a moment behind the previous one.
  const headers = { [indexerHeaders.atLeast]: String(channel.block ?? Math.min(block, newestBlock(indexers))) }
  const send = (silent: AbortSignal) =>
    fetch(`${one.origin}${apiPath('steps', community)}`, { signal: AbortSignal.any([signal, silent]), headers })
  return indexers.track(one, send, () => signal.aborted)
}

/** Returns the newest block of all indexers; infinity before the first answer. */
const newestBlock = ({ all }: Indexers): number =>
  Math.max(...all.map(({ block }) => block)) || Number.POSITIVE_INFINITY

/** Reads the cards of addresses from the indexer that sends the lines. */
async function readTeams(
  { source, community, timeout, ending }: ConnectionState,
  addresses: readonly string[],
): Promise<unknown> {
  const response = await fetch(`${source?.origin}${apiPath('batch', community)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ addresses }),
    signal: AbortSignal.any([ending.signal, AbortSignal.timeout(timeout)]),
  })
  return response.json()
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
