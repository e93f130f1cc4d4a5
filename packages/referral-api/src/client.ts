import { type Asked, createNewestBlocks, type NewestBlocks, type SeenBlock } from './newestBlocks.ts'
import {
  atLeastHeader,
  fillPath,
  indexHeader,
  lookupRoutes,
  type OperationId,
  type PathValues,
  pageRoutes,
  type Routes,
  splitRoute,
} from './routes.ts'
import type {
  Address,
  BatchRequest,
  JsonId,
  Levels,
  Member,
  PastLevels,
  PastMember,
  PastReferrals,
  PastReferrers,
  Problem,
  ProblemCode,
  QueryOf,
  Referrals,
  Referrers,
  ResponseOf,
} from './types.ts'

/**
 * Thrown when a request fails: the API returned a problem, could not be reached, or sent a response that breaks the
 * contract.
 */
export class ReferralApiError extends Error {
  override readonly name = 'ReferralApiError'
  /** Code of the problem; `unreachable` without a response, `malformed` for one that breaks the contract. */
  readonly code: ProblemCode | 'unreachable' | 'malformed'
  /** HTTP status; 0 without a response. */
  readonly status: number
  readonly problem: Problem | undefined
  /** Seconds to wait before the next attempt, if the API returned them. */
  readonly retryAfter: number | undefined

  constructor(
    message: string,
    details: {
      code: ReferralApiError['code']
      status: number
      problem?: Problem
      retryAfter?: number
      cause?: unknown
    },
  ) {
    super(message, { cause: details.cause })
    this.code = details.code
    this.status = details.status
    this.problem = details.problem
    this.retryAfter = details.retryAfter
  }
}

export type ReferralClientParameters = {
  /** URL of the API with its version: `/v1` or `https://example.org/v1`. */
  baseUrl: string
  fetch?: typeof globalThis.fetch
  /** Milliseconds before a request is aborted. @default 10_000 */
  timeout?: number
}

type Options = { signal?: AbortSignal | undefined }
/** Query parameters of an operation, and `signal`. */
type OptionsOf<id extends OperationId> = Options & QueryOf<id>
export type ReferralsParameters = Omit<OptionsOf<'referrals'>, 'asOf'>
/** Selects the part of a downline to list. */
export type ReferralsFilter = Omit<QueryOf<'referralsCsv'>, 'sort' | 'order'>

type Request<id extends JsonId> = Options & { path: PathValues<id>; query?: object; body?: unknown }

const routes = { ...lookupRoutes, ...pageRoutes }
type ClientId = keyof typeof routes
type CsvId = 'referralsCsv' | 'memberEventsCsv'
type GetId = Exclude<ClientId, 'batch' | CsvId>

export type ReferralClient = ReturnType<typeof createReferralClient>

/**
 * Creates a typed client of the lookup API. It validates every response; the schemas are loaded with the first one, so
 * that a page's first load stays small. It never returns an answer about the present that is older than the newest
 * block it has seen of the community. A request that a server cannot answer yet is repeated once.
 *
 * @example
 * const client = createReferralClient({ baseUrl: '/v1' })
 * const card = await client.member('demo', '0x…')
 *
 * @throws {ReferralApiError} from every method; when the caller aborts, the signal's reason
 */
export function createReferralClient({
  baseUrl,
  fetch = globalThis.fetch,
  timeout = 10_000,
}: ReferralClientParameters) {
  const connection = { baseUrl, fetch, timeout, blocks: createNewestBlocks() }
  const request = createRequest(connection)

  /** Creates the method of an operation without a body. It takes the path's values, then options. */
  const get =
    <id extends GetId>(id: id) =>
    (...parameters: [...path: PathValues<id>, options?: OptionsOf<id>]) => {
      const path = parameters.filter((value) => typeof value === 'string') as PathValues<id>
      const { signal, ...query } = (parameters[path.length] ?? {}) as OptionsOf<id>
      return request(id, routes[id] as Routes[id], { path, query, signal })
    }
  /** Creates the method of an operation that streams CSV. */
  const csv =
    <id extends CsvId>(id: id) =>
    (community: string, address: Address, options?: OptionsOf<id>) => {
      const { signal, ...query } = (options ?? {}) as OptionsOf<id>
      const target = toCsvPath(id, community, address, query)
      const headers = withBlock(json, connection.blocks.required({ id, community, target }))
      const attempt = () => send(connection, { target, init: { headers }, signal, body: 'stream' }, readStream)
      return attempt().catch(retryOnce(attempt, signal))
    }
  const search = get('search')
  const relation = get('relation')
  const line = get('line')
  const compare = get('compare')

  return {
    /** For operations whose clients load separately. */
    request,
    /** Notes a block of a community that the caller has seen elsewhere, such as in its stream. */
    noteBlock: connection.blocks.note,
    communities: get('communities'),
    addresses: get('addresses'),
    map: get('map'),
    teamMap: get('teamMap'),
    config: get('config'),
    status: get('status'),
    metrics: get('metrics'),
    events: get('events'),
    member: now<'member', Member>(get('member')),
    levels: now<'levels', Levels>(get('levels')),
    growth: get('growth'),
    memberEvents: get('memberEvents'),
    referrals: now<'referrals', Referrals>(get('referrals')),
    referrers: now<'referrers', Referrers>(get('referrers')),
    /** These return the state at a moment: the end of a day, such as 2026-06-01, or a block. */
    pastMember: past<'member', PastMember>(get('member')),
    pastLevels: past<'levels', PastLevels>(get('levels')),
    pastReferrals: past<'referrals', PastReferrals>(get('referrals')),
    pastReferrers: past<'referrers', PastReferrers>(get('referrers')),
    compare: (
      community: string,
      address: Address,
      from: string,
      to: string,
      options?: Omit<OptionsOf<'compare'>, 'from' | 'to'>,
    ) => compare(community, address, { ...options, from, to }),
    search: (community: string, q: string, options?: Omit<OptionsOf<'search'>, 'q'>) =>
      search(community, { ...options, q }),
    relation: (community: string, a: Address, b: Address, options?: Options) =>
      relation(community, { ...options, a, b }),
    line: (community: string, a: Address, b: Address, options?: Omit<OptionsOf<'line'>, 'a' | 'b'>) =>
      line(community, { ...options, a, b }),
    /** Returns the URL of a CSV with the whole downline, or with the members that match a filter. */
    referralsCsvUrl: (community: string, address: Address, query?: QueryOf<'referralsCsv'>) =>
      `${baseUrl}${toCsvPath('referralsCsv', community, address, query)}`,
    /**
     * Streams the whole downline as CSV in UTF-8. The time limit ends with its first bytes; cancel the stream or
     * abort `signal` to stop it. A stream that fails is incomplete.
     */
    referralsCsv: csv('referralsCsv'),
    /** Streams all events of a member as CSV, newest first, like `referralsCsv`. */
    memberEventsCsv: csv('memberEventsCsv'),
    /** Returns up to 500 cards in the order of `addresses`, each with its own error. */
    batch: (
      community: string,
      addresses: readonly string[],
      { tx, signal }: Options & Omit<BatchRequest, 'addresses'> = {},
    ) => request('batch', routes.batch, { path: [community], body: { addresses, tx }, signal }),
  } satisfies Record<ClientId | PastMethod | 'request' | 'noteBlock' | 'referralsCsvUrl', unknown>
}

type Ask<id extends PastId> = (community: string, address: Address, options?: OptionsOf<id>) => Promise<ResponseOf<id>>
type PastMethod = `past${Capitalize<PastId>}`
type PastId = 'member' | 'levels' | 'referrals' | 'referrers'

/** Narrows the answers of an operation to those of the current state. */
const now = <id extends PastId, answer>(ask: Ask<id>) =>
  ask as unknown as (community: string, address: Address, options?: Omit<OptionsOf<id>, 'asOf'>) => Promise<answer>

/** Creates the method that requests an operation at a past moment. */
const past =
  <id extends PastId, answer>(ask: Ask<id>) =>
  (community: string, address: Address, asOf: string, options?: Omit<OptionsOf<id>, 'asOf'>) =>
    ask(community, address, { ...options, asOf } as OptionsOf<id>) as unknown as Promise<answer>

const json = { accept: 'application/json' }
const jsonBody = { ...json, 'content-type': 'application/json' }

const toCsvPath = (id: CsvId, community: string, address: Address, query?: object) =>
  `${fillPath(splitRoute(routes[id]).path, [community, address])}${toSearch(query)}`

function toSearch(query: object = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return search.size > 0 ? `?${search}` : ''
}

/** Creates the function that requests an operation and validates its response. */
const createRequest =
  (connection: Connection) =>
  async <id extends JsonId>(id: id, route: Routes[id], options: Request<id>): Promise<ResponseOf<id>> => {
    const loading = loadSchemas()
    const { query, body, signal } = options
    const { method, path } = splitRoute(route)
    const target = `${fillPath(path, options.path)}${toSearch(query)}`
    const community = id in lookupRoutes && path.includes('{community}') ? options.path[0] : undefined
    const asked: Asked = { id, community, target, query }

    function attempt(): Promise<ResponseOf<id>> {
      const required = connection.blocks.required(asked)
      const headers = withBlock(body === undefined ? json : jsonBody, required)
      const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
      return send(connection, { target, init, signal }, async (response) => {
        const answer = await readAnswer(id, target, response, await loading)
        if (connection.blocks.take(asked, required, answer ?? {}, response.headers.get(indexHeader)) === 'current')
          return answer
        const message = `The answer from ${target} is older than what was seen before.`
        throw new ReferralApiError(message, { code: 'unavailable', status: response.status, retryAfter: 1 })
      })
    }
    return method === 'GET' || id === 'batch' ? attempt().catch(retryOnce(attempt, signal)) : attempt()
  }

async function readAnswer<id extends JsonId>(id: id, target: string, response: Response, schemas: Schemas) {
  const received = await readJson(response)
  if (!response.ok) throw toError(response, received, schemas)
  const parsed = schemas.responses[id].safeParse(received)
  if (parsed.success) return parsed.data as ResponseOf<id>
  throw new ReferralApiError(`The response from ${target} breaks the contract.`, {
    code: 'malformed',
    status: response.status,
    cause: parsed.error,
  })
}

/** Adds the block that an answer must have reached. */
const withBlock = (headers: Record<string, string>, { block, index }: SeenBlock) =>
  block > 0 ? { ...headers, [atLeastHeader]: index ? `${block};${index}` : String(block) } : headers

/** Longest time in seconds that a request is held back before it is repeated. */
const longestWait = 5

/** Returns a handler of failures that repeats a request once, after the time that an unavailable server has named. */
const retryOnce =
  <result>(attempt: () => Promise<result>, signal: AbortSignal | undefined) =>
  async (error: unknown): Promise<result> => {
    const { code, retryAfter = Number.POSITIVE_INFINITY } = error as ReferralApiError
    if (code !== 'unavailable' || retryAfter > longestWait) throw error
    await wait(retryAfter * 1_000, signal)
    return attempt()
  }

function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', abort)
  })
}

type Connection = Required<ReferralClientParameters> & { blocks: NewestBlocks }
type Sent = Options & { target: string; init: RequestInit; body?: 'whole' | 'stream' }

/** Sends a request and reads its response within the time limit. After that, `signal` can still abort a stream. */
async function send<result>(
  { baseUrl, fetch, timeout }: Connection,
  { target, init, signal, body = 'whole' }: Sent,
  read: (response: Response) => Promise<result>,
): Promise<result> {
  const limit = new AbortController()
  const abort = () => limit.abort(signal?.reason)
  const timer = setTimeout(abort, timeout)
  signal?.addEventListener('abort', abort)
  if (signal?.aborted) abort()
  try {
    return await read(await fetch(`${baseUrl}${target}`, { ...init, signal: limit.signal }))
  } catch (cause) {
    if (signal?.aborted || cause instanceof ReferralApiError) throw cause
    throw new ReferralApiError(`No response from ${target}.`, { code: 'unreachable', status: 0, cause })
  } finally {
    clearTimeout(timer)
    if (body === 'whole') signal?.removeEventListener('abort', abort)
  }
}

type Schemas = typeof import('./schemas.ts')

function loadSchemas(): Promise<Schemas> {
  const loading = import('./schemas.ts')
  // Awaited after the response. Without this, an earlier failure would be an unhandled rejection.
  loading.catch(() => undefined)
  return loading
}

async function readStream(response: Response): Promise<ReadableStream<Uint8Array>> {
  if (response.ok && response.body) return response.body
  throw toError(response, await readJson(response), await loadSchemas())
}

/** Parses a JSON body. Returns `undefined` if it is not JSON. */
function readJson(response: Response): Promise<unknown> {
  return response.json().catch((cause: unknown) => {
    if (!(cause instanceof SyntaxError)) throw cause
    return undefined
  })
}

function toError(response: Response, body: unknown, schemas: Schemas): ReferralApiError {
  const problem = schemas.problem.safeParse(body).data as Problem | undefined
  const { status, headers } = response
  const seconds = headers.get('retry-after') ?? ''
  return new ReferralApiError(problem?.detail ?? `The server returned ${status}.`, {
    code: problem?.code ?? (status === 429 ? 'rate_limited' : status >= 500 ? 'unavailable' : 'malformed'),
    status,
    ...(problem && { problem }),
    ...(/^\d{1,9}$/.test(seconds) && { retryAfter: Number(seconds) }),
  })
}
