import type { Community, JsonId, ResponseOf } from '@lineage/referral-api'
import { operations } from '@lineage/referral-api/operations'
import { bodyLimit } from '@lineage/referral-api/problems'
import { atLeastHeader, indexHeader, type LookupId } from '@lineage/referral-api/routes'
import { readJson } from '@lineage/wallet-kit/siwe-server'
import { type AppContext, type Handler, onClose } from '../http/handler.ts'
import { createCache } from '../lib/cache.ts'
import { ProblemError } from '../lib/problem.ts'
import { costs } from '../load/limits.ts'
import { downloadKind } from '../load/loadQueue.ts'
import { createBlockWait } from '../load/waitForBlock.ts'
import { readText } from '../lookups/fileStream.ts'
import { type LookupAnswer, type LookupRequest, LookupStoppedError } from '../lookups/Index.ts'
import { parseLookup, type RequestParts } from '../lookups/parseLookup.ts'
import { type Compressor, createCompressor, isKnown, sendBytes } from '../site/file.ts'
import type { Services } from './services.ts'

/** Answers a lookup for a visitor. It waits for its block, then in the queue, and is charged for its work. @throws {ProblemError} */
export type LookUp = (visitor: string, request: LookupRequest, signal?: AbortSignal) => Promise<LookupAnswer>

export function createLookUp({ index, limits, queue }: Pick<Services, 'index' | 'limits' | 'queue'>): LookUp {
  const waitForBlock = createBlockWait(index)
  return async (visitor, request, signal) => {
    await waitForBlock(visitor, request, signal)
    const end = await queue.enter(visitor)
    try {
      signal?.throwIfAborted()
      limits.lookups.charge(visitor, costs.filter(request))
      const answer = await index.lookUp(request, { visitor, signal })
      limits.lookups.charge(visitor, costs.work(answer.work))
      return answer
    } catch (error) {
      if (!(error instanceof LookupStoppedError)) throw error
      // A visitor who leaves keeps the place until the index has stopped, and pays for what it did.
      limits.lookups.charge(visitor, costs.work(error.work))
      throw signal?.reason
    } finally {
      end()
    }
  }
}

/** Returns a lookup without a query, which the server asks for itself. */
export const lookupOf = <id extends LookupId & JsonId>(id: id, path: RequestParts['path'] = {}, query = '') =>
  parseLookup(id, { path, query: new URLSearchParams(query), body: undefined, atLeast: 0 })

/** Parses the JSON of an answer. */
export const readAnswer = async <id extends LookupId & JsonId>(
  _id: id,
  { body }: LookupAnswer,
): Promise<ResponseOf<id>> => JSON.parse(await readText(body)) as ResponseOf<id>

/** Creates a function that reads the list of communities at most every 30 s. */
export function createCommunityReader(index: Services['index']): () => Promise<Community[]> {
  const cache = createCache<Community[]>({ maxAge: 30_000 })
  const read = async () => (await readAnswer('communities', await index.lookUp(lookupOf('communities')))).items
  return () => cache('communities', read)
}

/** Returns the handlers of the operations tagged `lookups`, by id. */
export function createLookupHandlers(lookUp: LookUp, services: Services): { [id in LookupId]: Handler } {
  const shared = { ...services, compress: createCompressor() }
  const handlers = operations
    .filter((operation) => operation.tag === 'lookups')
    .map((operation) => [operation.id, createHandler(operation, lookUp, shared)])
  return Object.fromEntries(handlers)
}

type LookupOperation = Pick<(typeof operations)[number], 'method' | 'response'> & { id: LookupId }

function createHandler(
  { id, method, response }: LookupOperation,
  lookUp: LookUp,
  { index, limits, queue, compress }: Services & { compress: Compressor },
): Handler {
  const kind = downloadKind(response)
  return async (c) => {
    const startedAt = performance.now()
    const { visitor } = c.var
    if (kind !== 'other')
      onClose(
        c,
        queue.startDownload(kind, visitor, () => c.env.outgoing.destroy()),
      )
    const request = parseLookup(id, {
      path: c.req.param(),
      query: new URL(c.req.url).searchParams,
      body: method === 'post' ? await readBody(c.req.raw) : undefined,
      atLeast: readBlock(c.req.header(atLeastHeader), index.stateOf(c.req.param('community') ?? '')?.name),
    })
    const answer = await lookUp(visitor, request, c.req.raw.signal)
    const { body } = answer
    const charge = (work: number) => limits.lookups.charge(visitor, costs.filePart(work))
    const sent = body instanceof ReadableStream ? queue.inTurns(visitor, body, charge) : body
    c.header(indexHeader, nameIndexes(index, request.path.community))
    return sendAnswer(c, { ...answer, body: sent }, performance.now() - startedAt, compress)
  }
}

/** Returns the block that a client has seen; 0 without one, or if it was in an index of another name. */
function readBlock(header = '', name: string | undefined): number {
  const [, block, index = name] = /^(\d{1,15})(?:;(\w{1,64}))?$/.exec(header) ?? []
  return index === name ? Number(block ?? 0) : 0
}

/** Returns the name of the index of a community, or of each of all. */
const nameIndexes = (index: Services['index'], community: string | undefined): string =>
  (community === undefined ? index.communities : [community])
    .flatMap((id) => {
      const state = index.stateOf(id)
      return state ? `${id}=${state.name}` : []
    })
    .join(', ')

/** Returns the JSON of a body. @throws {ProblemError} */
export async function readBody(request: Request): Promise<unknown> {
  const { code, detail, json } = await readJson(request, bodyLimit)
  if (code !== 'ok') throw new ProblemError(code === 'malformed' ? 'invalid_body' : code, detail)
  return json
}

const cacheControls: Record<LookupAnswer['caching'], string> = {
  final: 'public, max-age=3600, stale-while-revalidate=86400',
  present: 'public, max-age=1, stale-while-revalidate=5',
  none: 'no-store',
}

/** Answers with the body of a lookup, or with 304 if the client has it. */
function sendAnswer(
  c: AppContext,
  answer: LookupAnswer<Uint8Array>,
  milliseconds: number,
  compress: Compressor,
): Response {
  const { body, caching, version, work } = answer
  const etag = `W/"${version}"`
  const headers = {
    'cache-control': cacheControls[caching],
    vary: `${atLeastHeader}, Accept-Encoding`,
    'server-timing': `work;dur=${work.toFixed(2)}, app;dur=${milliseconds.toFixed(2)}`,
    ...(caching !== 'none' && { etag }),
  }
  const isSent = caching !== 'none' && isKnown(c.req.header('if-none-match'), etag)
  if ((isSent || c.req.method === 'HEAD') && body instanceof ReadableStream) void body.cancel()
  if (isSent) return c.body(null, 304, headers)
  if (body instanceof ReadableStream) return c.body(body, 200, { ...headers, ...answer.headers })
  return sendBytes(c, body, { ...headers, ...answer.headers }, compress)
}
