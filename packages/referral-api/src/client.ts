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
  Line,
  Member,
  MemberMetrics,
  Metrics,
  PastLevels,
  PastLine,
  PastMember,
  PastMetrics,
  PastReferrals,
  PastReferrers,
  PastRelation,
  Problem,
  ProblemCode,
  QueryOf,
  Referrals,
  Referrers,
  Relation,
  ResponseOf,
} from './types.ts'

/**
 * Thrown when a request fails: the API returned a problem, could not be reached, or sent a response that breaks the
 * contract.
 */
export class ReferralApiError extends Error {
  override readonly name = 'ReferralApiError'
  /**
   * Code of the problem, which may be one that a later version of the API has added; `unreachable` without a response,
   * `malformed` for one that breaks the contract.
   */
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
  /** Milliseconds before a request is aborted; `Infinity` for no limit. @default 10_000 */
  timeout?: number
  /** Number of times that a request is repeated which the server could not answer yet, or which was too many. @default 1 */
  retries?: number
  /** Longest `Retry-After` in seconds that is waited for before a request is repeated. @default 5 */
  longestWait?: number
}

type Options = { signal?: AbortSignal | undefined }
/** Query parameters of an operation, and `signal`. */
type OptionsOf<id extends OperationId> = Options & QueryOf<id>
export type ReferralsParameters = Omit<OptionsOf<'referrals'>, 'asOf'>
/** Selects the part of a downline to list. */
export type ReferralsFilter = Omit<QueryOf<'referralsCsv'>, 'sort' | 'order' | 'asOf' | 'amounts'>

type Request<id extends JsonId> = Options & { path: PathValues<id>; query?: object; body?: unknown }

const routes = { ...lookupRoutes, ...pageRoutes }
/** Id of an operation that streams a file. */
export type FileId = Exclude<keyof typeof lookupRoutes, JsonId>
type CsvId = Extract<FileId, `${string}Csv`>
type GetId = Exclude<keyof typeof routes, 'batch' | FileId>
type ListId = 'events' | 'line' | 'memberEvents' | 'pairBinds' | 'referrals' | 'referrers' | 'roots'

/** Methods by operation. Each takes the path's values, then options. */
type Methods = {
  [id in GetId]: (...parameters: [...path: PathValues<id>, options?: OptionsOf<id>]) => Promise<ResponseOf<id>>
} & { [id in FileId]: FileMethod<id> }

type FileMethod<id extends FileId> = {
  /**
   * Streams a file. The time limit ends with its first bytes; cancel the stream or abort `signal` to stop it. A stream that fails is
   * incomplete. A file of a whole community is of one block, which its column `asOfBlock` and the metadata of a Parquet file name.
   */
  // biome-ignore lint/style/useShorthandFunctionType: editors show the docblock of a signature at each call
  (...parameters: [...path: PathValues<id>, options?: OptionsOf<id>]): Promise<ReadableStream<Uint8Array>>
}

export type ReferralClient = ReturnType<typeof createReferralClient>

/**
 * Creates a typed client of the lookup API. It validates every response; the schemas are loaded with the first one, so
 * that a page's first load stays small. It never returns an answer about the present that is older than the newest
 * block it has seen of the community. A request that a server cannot answer yet is repeated after the time that it names.
 *
 * @example
 * const client = createReferralClient({ baseUrl: '/v1' })
 * const card = await client.member('demo', '0x…')
 *
 * @throws {ReferralApiError} from every method; when the caller aborts, the signal's reason
 */
export function createReferralClient({
  baseUrl: url,
  fetch = globalThis.fetch,
  timeout = 10_000,
  retries = 1,
  longestWait = 5,
}: ReferralClientParameters) {
  const baseUrl = `${url}`.replace(/\/+$/, '')
  const connection = { baseUrl, fetch, timeout, retries, longestWait, blocks: createNewestBlocks() }
  const request = createRequest(connection)

  /** Creates the method of an operation without a body. It takes the path's values, then options. */
  const get =
    <id extends GetId>(id: id) =>
    (...parameters: [...path: PathValues<id>, options?: OptionsOf<id>]) => {
      const path = parameters.filter((value) => typeof value === 'string') as PathValues<id>
      const { signal, ...query } = (parameters[path.length] ?? {}) as OptionsOf<id>
      return request(id, routes[id] as Routes[id], { path, query, signal })
    }
  /** Creates the method of an operation that streams a file. It takes the path's values, then options. */
  const file =
    <id extends FileId>(id: id) =>
    (...parameters: [...path: PathValues<id>, options?: OptionsOf<id>]) => {
      const path = parameters.filter((value) => typeof value === 'string') as string[]
      const { signal, ...query } = (parameters[path.length] ?? {}) as OptionsOf<id>
      const target = toFilePath(id, path, query)
      const headers = withBlock(json, connection.blocks.required({ id, community: path[0], target }))
      const attempt = () => send(connection, { target, init: { headers }, signal }, readStream)
      return repeat(connection, attempt, signal)
    }
  /** Creates the method that reads the rows of a CSV as objects. */
  const rows = <id extends CsvId>(id: id) =>
    async function* (...parameters: [...path: PathValues<id>, options?: OptionsOf<id>]) {
      const { readCsv } = await import('./csv.ts')
      const stream = await file(id)(...parameters)
      try {
        yield* readCsv(stream)
      } catch (cause) {
        const { signal } = parameters.find((value) => typeof value === 'object') ?? ({} as Options)
        if (signal?.aborted) throw cause
        throw new ReferralApiError(`The CSV ${id} is incomplete.`, { code: 'unreachable', status: 0, cause })
      }
    }
  /** Creates the method that lists the items of all pages. It takes the path's values, then options. */
  const all = <id extends ListId>(id: id) =>
    async function* (...parameters: [...path: PathValues<id>, options?: OptionsOf<id>]): AsyncGenerator<ItemOf<id>> {
      const path = parameters.filter((value) => typeof value === 'string') as PathValues<id>
      let options = { limit: 200, ...(parameters[path.length] as object | undefined) }
      for (;;) {
        const page = (await get(id)(...([...path, options] as unknown as typeof parameters))) as ResponseOf<id>
        yield* page.items as ItemOf<id>[]
        if (page.nextCursor === null) return
        // Only the first page skips referrers.
        const { skip: _, ...rest } = options as typeof options & { skip?: number }
        options = { ...rest, cursor: page.nextCursor } as typeof options
      }
    }
  const methods = Object.fromEntries(
    (Object.keys(routes) as (GetId | FileId)[]).map((id) => [id, isFile(id) ? file(id) : get(id)]),
  ) as Methods
  const search = get('search')
  const compare = get('compare')

  return {
    ...methods,
    /** For operations whose clients load separately. */
    request,
    /** Notes a block of a community that the caller has seen elsewhere, such as in its stream. */
    noteBlock: connection.blocks.note,
    /** Returns the present, or with `asOf` the figures at a moment. With `series: 'members'`, days only have their new members. */
    metrics: get('metrics') as MomentMethod<
      [community: string],
      Omit<OptionsOf<'metrics'>, 'series'>,
      Promise<Metrics>,
      Promise<PastMetrics>
    > &
      ((
        community: string,
        options: Omit<OptionsOf<'metrics'>, 'asOf' | 'series'> & { series: 'members' },
      ) => Promise<MemberMetrics>),
    /** These return the present, or with `asOf` the state at a moment: the end of a day such as 2026-06-01, or a block. */
    member: timed<'member', Member, PastMember>(get('member')),
    levels: timed<'levels', Levels, PastLevels>(get('levels')),
    referrals: timed<'referrals', Referrals, PastReferrals>(get('referrals')),
    referrers: timed<'referrers', Referrers, PastReferrers>(get('referrers')),
    /**
     * List the items of all pages, which are requested as they are needed: leave the loop to stop.
     *
     * @example for await (const { address } of client.all.referrals('demo', '0x…', { level: 'all' })) console.log(address)
     */
    all: {
      events: all('events'),
      line: ofPair<'line', Items<Line>, Items<PastLine>>(all('line')),
      memberEvents: all('memberEvents'),
      pairBinds: all('pairBinds'),
      referrals: all('referrals') as Timed<'referrals', Items<Referrals>, Items<PastReferrals>>,
      roots: all('roots'),
      referrers: all('referrers') as Timed<'referrers', Items<Referrers>, Items<PastReferrers>>,
    },
    /**
     * Read the rows of a CSV as objects by its header, as they arrive. Each cell is a text, empty for `null`.
     *
     * @example for await (const { address, level } of client.rows.referrals('demo', '0x…')) console.log(level, address)
     */
    rows: {
      referrals: rows('referralsCsv'),
      memberEvents: rows('memberEventsCsv'),
      members: rows('membersCsv'),
      events: rows('eventsCsv'),
      series: rows('seriesCsv'),
      roots: rows('rootsCsv'),
    },
    compare: (
      community: string,
      address: Address,
      from: string,
      to: string,
      options?: Omit<OptionsOf<'compare'>, 'from' | 'to'>,
    ) => compare(community, address, { ...options, from, to }),
    search: (community: string, q: string, options?: Omit<OptionsOf<'search'>, 'q'>) =>
      search(community, { ...options, q }),
    /** These two also take `asOf`. */
    relation: ofPair<'relation', Promise<Relation>, Promise<PastRelation>>(get('relation')),
    line: ofPair<'line', Promise<Line>, Promise<PastLine>>(get('line')),
    /** Returns the URL of a CSV with the whole downline, or with the members that match a filter. */
    referralsCsvUrl: (community: string, address: Address, query?: QueryOf<'referralsCsv'>) =>
      `${baseUrl}${toFilePath('referralsCsv', [community, address], query)}`,
    // `signal` is named because TypeScript lets any query pass where a file has no parameters, and the type no names.
    /** Returns the URL of a file of a whole community. */
    fileUrl: <id extends CommunityFileId>(id: id, community: string, query?: QueryOf<id> & { signal?: never }) =>
      `${baseUrl}${toFilePath(id, [community], query)}`,
    /** Returns up to 500 cards in the order of `addresses`, each with its own error. */
    batch: (
      community: string,
      addresses: readonly string[],
      { tx, signal }: Options & Omit<BatchRequest, 'addresses'> = {},
    ) => request('batch', routes.batch, { path: [community], body: { addresses, tx }, signal }),
  }
}

const isFile = (id: GetId | FileId): id is FileId => /(Csv|Parquet)$/.test(id)

/** Id of an operation that streams a file of a whole community. */
export type CommunityFileId = Exclude<FileId, 'referralsCsv' | 'memberEventsCsv'>

type PastId = 'member' | 'levels' | 'referrals' | 'referrers'
/** A method whose answer depends on whether a moment is given. */
type Timed<id extends PastId, present, past> = MomentMethod<
  [community: string, address: Address],
  OptionsOf<id>,
  present,
  past
>
/** The same about two members. */
type TimedPair<id extends 'relation' | 'line', present, past> = MomentMethod<
  [community: string, a: Address, b: Address],
  Omit<OptionsOf<id>, 'a' | 'b'>,
  present,
  past
>
type MomentMethod<path extends unknown[], options, present, past> = {
  (...parameters: [...path, options: options & { asOf: string }]): past
  (...parameters: [...path, options?: Omit<options, 'asOf'> & { asOf?: undefined }]): present
}
/** The items of all pages of a list. */
type Items<answer extends { items: unknown[] }> = AsyncGenerator<answer['items'][number]>
type ItemOf<id extends ListId> = ResponseOf<id>['items'][number]

/** Narrows the answers of an operation to those of the present, or with a moment to those of the past. */
const timed = <id extends PastId, present, past>(ask: unknown) => ask as Timed<id, Promise<present>, Promise<past>>

/** Makes a method about two members from one that has them in its options. */
const ofPair = <id extends 'relation' | 'line', present, past>(
  ask: (community: string, options: OptionsOf<id>) => unknown,
) =>
  ((community: string, a: Address, b: Address, options?: object) =>
    ask(community, { ...options, a, b } as unknown as OptionsOf<id>)) as TimedPair<id, present, past>

const json = { accept: 'application/json' }
const jsonBody = { ...json, 'content-type': 'application/json' }

const toFilePath = (id: FileId, values: readonly string[], query?: object) =>
  `${fillPath(splitRoute(routes[id]).path, values)}${toSearch(query)}`

function toSearch(query: object = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  // Not by its `size`, which Chrome 112 and Safari 16 lack.
  const text = String(search)
  return text && `?${text}`
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
    return method === 'GET' || id === 'batch' ? repeat(connection, attempt, signal) : attempt()
  }

async function readAnswer<id extends JsonId>(id: id, target: string, response: Response, schemas: Schemas) {
  const received = await readJson(response)
  if (!response.ok) throw toError(response, received, schemas)
  const parsed = schemas.parseResponse(schemas.responses[id], received)
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

/** Makes attempts until one succeeds, waiting as long as the server has asked for. The last failure is thrown. */
async function repeat<result>(
  { retries, longestWait }: Connection,
  attempt: () => Promise<result>,
  signal: AbortSignal | undefined,
): Promise<result> {
  for (let left = retries; ; left--) {
    try {
      return await attempt()
    } catch (error) {
      const { code, retryAfter } = error as ReferralApiError
      const isPassing = code === 'unavailable' || code === 'rate_limited'
      if (left <= 0 || !isPassing || retryAfter === undefined || retryAfter > longestWait) throw error
      await wait(Math.min(retryAfter * 1_000, longestDelay), signal)
    }
  }
}

/** Longest delay of a timer in milliseconds. A longer one would end at once. */
const longestDelay = 2 ** 31 - 1

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
type Sent = Options & { target: string; init: RequestInit }

/** Lets the caller's signal abort a response until a promise is fulfilled. */
type Keep = (until: Promise<void>) => void

/**
 * Sends a request and reads its response within the time limit. `signal` can abort it until then, or as long as `read`
 * keeps it.
 */
async function send<result>(
  { baseUrl, fetch, timeout }: Connection,
  { target, init, signal }: Sent,
  read: (response: Response, keep: Keep) => Promise<result>,
): Promise<result> {
  const limit = new AbortController()
  const abort = () => limit.abort(signal?.reason)
  const timer = setTimeout(abort, Math.min(timeout, longestDelay))
  signal?.addEventListener('abort', abort)
  if (signal?.aborted) abort()
  let end = Promise.resolve()
  try {
    const response = await fetch(`${baseUrl}${target}`, { ...init, signal: limit.signal })
    return await read(response, (until) => {
      end = until
    })
  } catch (cause) {
    if (signal?.aborted || cause instanceof ReferralApiError) throw cause
    throw new ReferralApiError(`No response from ${target}.`, { code: 'unreachable', status: 0, cause })
  } finally {
    clearTimeout(timer)
    void end.finally(() => signal?.removeEventListener('abort', abort))
  }
}

type Schemas = typeof import('./schemas.ts')

function loadSchemas(): Promise<Schemas> {
  const loading = import('./schemas.ts')
  // Awaited after the response. Without this, an earlier failure would be an unhandled rejection.
  loading.catch(() => undefined)
  return loading
}

/** Bytes of a file. Without a name, the published types have a generic `Uint8Array`, which TypeScript before 5.7 refuses. */
type Bytes = ReadableStream<Uint8Array>

async function readStream(response: Response, keep: Keep): Promise<Bytes> {
  if (response.ok && response.body) {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    // If one side fails, so does the other one, except where a body refuses to be read at all.
    keep(response.body.pipeTo(writable).catch((cause: unknown) => writable.abort(cause).catch(() => undefined)))
    return readable
  }
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
  const problem = schemas.parseResponse(schemas.problem, body).data as Problem | undefined
  const { status, headers } = response
  // A later version of the API may have other codes.
  const known = schemas.problemCode.safeParse(problem?.code).data
  const seconds = headers.get('retry-after') ?? ''
  return new ReferralApiError(problem?.detail ?? `The server returned ${status}.`, {
    code: known ?? (status === 429 ? 'rate_limited' : status >= 500 ? 'unavailable' : (problem?.code ?? 'malformed')),
    status,
    ...(problem && { problem }),
    ...(/^\d{1,9}$/.test(seconds) && { retryAfter: Number(seconds) }),
  })
}
