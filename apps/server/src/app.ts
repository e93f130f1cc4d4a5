import type { HttpBindings } from '@hono/node-server'
import type { Config } from '@lineage/referral-api'
import { createOpenApi } from '@lineage/referral-api/openapi'
import { methodsOf } from '@lineage/referral-api/operations'
import { type Context, Hono } from 'hono'
import { compress } from 'hono/compress'
import type { Accounts } from './accounts/openAccounts.ts'
import { createAuth } from './auth.ts'
import { createDocs } from './docs.ts'
import { createIndexer } from './indexer.ts'
import { createLabels } from './labels.ts'
import { createNames } from './names.ts'
import { closedHeaders, createNonce, docsPolicy, pagePolicy } from './policy.ts'
import { problem } from './problem.ts'
import { createRpc } from './rpc.ts'
import type { Settings } from './settings.ts'
import type { Site } from './site.ts'
import type { StartNews } from './startNews.ts'
import { createTokenBuckets, type TokenBucketsParameters } from './tokenBucket.ts'
import { visitorOf } from './visitor.ts'

const chainId = 56

export type AppParameters = {
  settings: Settings
  /** `null` serves `/v1` alone. */
  site: Site | null
  news: StartNews
  accounts: Omit<Accounts, 'close'>
  /** Of `/v1/rpc` in calls a visitor, and as many requests of `/v1/labels` and of `/v1/resolve-ens`. */
  rateLimit?: TokenBucketsParameters
  /** Of the lookups, by `costOf` a visitor. */
  lookupLimit?: TokenBucketsParameters
  /** Milliseconds the indexer, each node and the name service have. */
  patience?: number
}

type AppContext = Context<{ Bindings: HttpBindings }>

/** Everything people reach: the built app, what the browser must know, and the way to nodes and index. */
export function createApp({
  settings,
  site,
  news,
  accounts,
  rateLimit = { burst: 200, perSecond: 20 },
  lookupLimit = { burst: 600, perSecond: 60 },
  patience = 10_000,
}: AppParameters) {
  const app = new Hono<{ Bindings: HttpBindings }>()
  const indexer = createIndexer({ port: settings.apiPort, news, patience })
  const rpc = createRpc({ urls: settings.rpcUrls, patience })
  const names = settings.names && createNames({ ...settings.names, patience })
  const auth = createAuth({ chainId, settings, store: accounts, patience })
  const labels = createLabels({ auth, store: accounts.labels })
  const buckets = createTokenBuckets(rateLimit)
  const labelBuckets = createTokenBuckets(rateLimit)
  const nameBuckets = createTokenBuckets(rateLimit)
  const lookupBuckets = createTokenBuckets(lookupLimit)
  const openapi = createOpenApi()
  const docs = createDocs(openapi)

  const findVisitor = (c: AppContext) =>
    visitorOf({
      peer: c.env.incoming.socket.remoteAddress,
      forwardedFor: c.req.header('x-forwarded-for'),
      trustedProxies: settings.trustedProxies,
    })

  app.use(async (c, next) => {
    await next()
    const policy = c.res.headers.get('content-security-policy')
    for (const [name, value] of Object.entries(closedHeaders)) c.header(name, value)
    if (policy !== null) c.header('content-security-policy', policy)
  })

  app.use('/v1/*', compress(), async (c, next) => {
    const allow = methodsOf(c.req.path.slice('/v1'.length))
    if (allow && !allow.split(', ').includes(c.req.method)) return notAllowed(allow)
    await next()
    c.header('cross-origin-resource-policy', 'same-origin')
  })

  app.get('/v1/config', (c) => {
    const config: Config = {
      chainId,
      rpcUrls: [...settings.publicRpcUrls, '/v1/rpc'],
      relayProjectId: settings.relayProjectId,
      relayUrl: settings.relayUrl,
      // The demo's chain has no registry of names.
      names: { service: names !== null, bnb: news.demo === null },
      demo: news.demo as Config['demo'],
    }
    return c.json(config, 200, { 'cache-control': 'no-store' })
  })
  app.get('/v1/status', async (c) => c.json(await indexer.status(), 200, { 'cache-control': 'no-store' }))
  app.get('/v1/health', (c) => c.json({ status: 'ok' }, 200, { 'cache-control': 'no-store' }))
  app.post('/v1/rpc', (c) => {
    const visitor = findVisitor(c)
    const mode = news.demo === null ? 'live' : 'demo'
    return rpc.answer(c.req.raw, { take: (cost) => buckets.take(visitor, cost), mode })
  })
  app.get('/v1/resolve-ens', (c) => {
    if (!names) return problem('not_found', { detail: 'There is no name service here.' })
    const wait = nameBuckets.take(findVisitor(c), 1)
    if (wait > 0) return problem('rate_limited', { detail: `Too many requests. Wait ${wait} s.`, retryAfter: wait })
    return names.answer(c.req.query('address') ?? '')
  })
  app.all('/v1/auth/:name', (c) => auth.answer(c.req.param('name'), c.req.raw, findVisitor(c)))
  const answerLabels = (c: AppContext) => {
    const wait = labelBuckets.take(findVisitor(c), 1)
    if (wait > 0) return problem('rate_limited', { detail: `Wait ${wait} s.`, retryAfter: wait })
    return labels.answer(c.req.path.slice('/v1/labels'.length), c.req.raw)
  }
  for (const path of ['/v1/labels', '/v1/labels.csv', '/v1/labels/:address']) app.all(path, answerLabels)
  app.get('/v1/openapi.json', (c) => c.json(openapi, 200, { 'cache-control': 'public, max-age=300' }))
  app.get('/v1/docs', (c) => {
    const nonce = createNonce()
    const headers = { 'content-security-policy': docsPolicy(nonce), 'cache-control': 'no-store' }
    return c.html(docs.render(nonce), 200, headers)
  })
  app.all('/v1/*', async (c) => {
    if (!methodsOf(c.req.path.slice('/v1'.length))) return problem('not_found', { detail: 'There is no such path.' })
    const visitor = findVisitor(c)
    const wait = lookupBuckets.take(visitor, costOf(c.req.path))
    if (wait > 0) return problem('rate_limited', { detail: `Too many requests. Wait ${wait} s.`, retryAfter: wait })
    const response = await indexer.forward(c.req.raw, c.env.incoming.url ?? '')
    lookupBuckets.charge(visitor, surchargeOf(response.headers.get('server-timing')))
    return response
  })

  app.get('*', (c) => (site ? sendPage(c, site) : problem('not_found', { detail: 'Only /v1 is served here.' })))
  app.all('*', () => notAllowed('GET, HEAD'))
  app.onError((error, c) => {
    // A visitor who left in the middle of a request is nothing to note.
    if (!c.env.incoming.errored) console.error(error)
    return problem('internal', { detail: 'Something went wrong here. It has been noted.' })
  })

  async function sendPage(c: Context, site: Site): Promise<Response> {
    const nonce = createNonce()
    const response = await site.respond(c.req.raw, { nonce })
    if (response.headers.get('content-type')?.startsWith('text/html'))
      response.headers.set('content-security-policy', pagePolicy(nonce, settings))
    return response
  }

  return app
}

/** What takes longer to answer counts for more. */
const costOf = (path: string): number => (path.endsWith('/members/batch') || path.endsWith('.csv') ? 20 : 1)

/**
 * A token for each millisecond beyond the first twenty that the index has worked on an answer: a page in the middle of
 * millions costs more than others, and anybody can make up a cursor to one.
 */
const surchargeOf = (timing: string | null): number =>
  Math.max(0, Math.floor(Number(/\bwork;dur=([\d.]+)/.exec(timing ?? '')?.[1] ?? 0) - 20))

const notAllowed = (allow: string) => problem('method_not_allowed', { detail: `Only ${allow} here.`, allow })
