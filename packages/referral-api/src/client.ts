import type {
  Address,
  Batch,
  Communities,
  Config,
  Events,
  Growth,
  GrowthInterval,
  Levels,
  Member,
  Metrics,
  Problem,
  ProblemCode,
  Referrals,
  Referrers,
  Search,
  Status,
} from './types.ts'

/** Why a request gave no answer: a problem the API named, or that it could not be reached or understood. */
export class ReferralApiError extends Error {
  override readonly name = 'ReferralApiError'
  /** A problem's code; `unreachable` without any answer, `malformed` for one that breaks the contract. */
  readonly code: ProblemCode | 'unreachable' | 'malformed'
  /** HTTP status; 0 without an answer. */
  readonly status: number
  readonly problem: Problem | undefined
  /** Seconds to wait before the next try, when the API said so. */
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
  /** Where the API is, with its version: `/v1` or `https://example.org/v1`. */
  baseUrl: string
  fetch?: typeof globalThis.fetch
  /** Milliseconds until a request is given up. @default 10_000 */
  timeout?: number
}

type Schemas = typeof import('./schemas.ts')
type Options = { signal?: AbortSignal | undefined }
type Request = Options & Omit<RequestInit, 'signal'>
type Page = Options & { limit?: number; cursor?: string | undefined }

export type ReferralsParameters = Page & {
  /** A level counted from the member (1 = direct referrals), or the whole downline in join order. @default 1 */
  level?: number | 'all'
  /** @default 'joined' */
  sort?: 'joined' | 'team' | 'volume'
  /** @default 'asc' for `joined`, else 'desc' */
  order?: 'asc' | 'desc'
}

/** What an answer must be. */
type Schema =
  | 'batch'
  | 'communities'
  | 'config'
  | 'events'
  | 'growth'
  | 'label'
  | 'labels'
  | 'levels'
  | 'member'
  | 'metrics'
  | 'nothing'
  | 'referrals'
  | 'referrers'
  | 'search'
  | 'status'

export type ReferralClient = ReturnType<typeof createReferralClient>

/**
 * A typed client of the lookup API. Every answer is checked against its schema; the schemas are loaded with the first
 * answer, so that a page's first load does not carry them.
 *
 * @example
 * const client = createReferralClient({ baseUrl: '/v1' })
 * const card = await client.member('demo', '0x…')
 *
 * @throws {ReferralApiError} from every method; when aborted by its caller, the signal's reason
 */
export function createReferralClient({
  baseUrl,
  fetch = globalThis.fetch,
  timeout = 10_000,
}: ReferralClientParameters) {
  /** Asks and reads the answer within the time limit. A stream is read after that, so that it listens to `signal` on. */
  async function send<answer>(
    path: string,
    { signal, ...request }: Request,
    read: (response: Response) => Promise<answer>,
    kind: 'whole' | 'stream' = 'whole',
  ): Promise<answer> {
    const limit = new AbortController()
    const abort = () => limit.abort(signal?.reason)
    const timer = setTimeout(abort, timeout)
    signal?.addEventListener('abort', abort)
    if (signal?.aborted) abort()
    try {
      const response = await fetch(`${baseUrl}${path}`, {
        headers: { accept: 'application/json' },
        ...request,
        signal: limit.signal,
      })
      return await read(response)
    } catch (cause) {
      if (signal?.aborted || cause instanceof ReferralApiError) throw cause
      throw new ReferralApiError(`No answer from ${path}.`, { code: 'unreachable', status: 0, cause })
    } finally {
      clearTimeout(timer)
      if (kind === 'whole') signal?.removeEventListener('abort', abort)
    }
  }

  async function ask<answer>(schema: Schema, path: string, options: Request = {}): Promise<answer> {
    const loading = loadSchemas()
    return send(path, options, async (response) => {
      const body = await readJson(response)
      const schemas = await loading
      if (!response.ok) throw toError(response, body, schemas)
      const parsed = schemas[schema].safeParse(body)
      if (parsed.success) return parsed.data as answer
      throw new ReferralApiError(`The answer from ${path} is not what the contract says.`, {
        code: 'malformed',
        status: response.status,
        cause: parsed.error,
      })
    })
  }

  const get = <answer>(schema: Schema, path: string, { signal, ...query }: Options & Record<string, unknown> = {}) => {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
    return ask<answer>(schema, `${path}${search.size > 0 ? `?${search}` : ''}`, { signal })
  }

  const of = (id: string) => `/communities/${encodeURIComponent(id)}`
  return {
    /** For what is loaded apart from the lookups. */
    ask,
    communities: (options?: Options) => get<Communities>('communities', '/communities', options),
    config: (options?: Options) => get<Config>('config', '/config', options),
    status: (options?: Options) => get<Status>('status', '/status', options),
    metrics: (id: string, options?: Options) => get<Metrics>('metrics', `${of(id)}/metrics`, options),
    member: (id: string, address: Address, options?: Options) =>
      get<Member>('member', `${of(id)}/members/${address}`, options),
    levels: (id: string, address: Address, options?: Options) =>
      get<Levels>('levels', `${of(id)}/members/${address}/levels`, options),
    growth: (id: string, address: Address, options?: Options & { interval?: GrowthInterval }) =>
      get<Growth>('growth', `${of(id)}/members/${address}/growth`, options),
    referrals: (id: string, address: Address, options?: ReferralsParameters) =>
      get<Referrals>('referrals', `${of(id)}/members/${address}/referrals`, options),
    /** `skip`: how many of the nearest to leave out. */
    referrers: (id: string, address: Address, options?: Page & { skip?: number }) =>
      get<Referrers>('referrers', `${of(id)}/members/${address}/referrers`, options),
    /** Where the whole downline is as CSV, for a link. */
    referralsCsvUrl: (id: string, address: Address) => `${baseUrl}${of(id)}/members/${address}/referrals.csv`,
    /**
     * The whole downline as CSV, in UTF-8. Its time limit is that of its beginning: read it as fast as you can use it,
     * cancel it or abort `signal` to end it. A stream that fails has not brought everything.
     */
    referralsCsv: (id: string, address: Address, options: Options = {}) =>
      send(
        `${of(id)}/members/${address}/referrals.csv`,
        options,
        async (response): Promise<ReadableStream<Uint8Array>> => {
          if (response.ok && response.body) return response.body
          throw toError(response, await readJson(response), await loadSchemas())
        },
        'stream',
      ),
    /** Up to 500 cards, in the order of the addresses, each with its own error; with `tx` where it is asked for. */
    batch: (id: string, addresses: readonly string[], { tx, ...options }: Options & { tx?: boolean } = {}) =>
      ask<Batch>('batch', `${of(id)}/members/batch`, {
        ...options,
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify({ addresses, tx }),
      }),
    events: (id: string, options?: Page) => get<Events>('events', `${of(id)}/events`, options),
    search: (id: string, q: string, options?: Options & { limit?: number }) =>
      get<Search>('search', `${of(id)}/search`, { ...options, q }),
  }
}

function loadSchemas() {
  const loading = import('./schemas.ts')
  // Awaited after the answer: without this, a failure before that would count as unhandled.
  loading.catch(() => undefined)
  return loading
}

/** `undefined` for what is no JSON. */
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
  return new ReferralApiError(problem?.detail ?? `The server answered ${status}.`, {
    code: problem?.code ?? (status === 429 ? 'rate_limited' : status >= 500 ? 'unavailable' : 'malformed'),
    status,
    ...(problem && { problem }),
    ...(/^\d{1,9}$/.test(seconds) && { retryAfter: Number(seconds) }),
  })
}
