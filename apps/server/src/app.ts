import { findLanguage, languageCookie } from '@lineage/referral-api/language'
import { methodsOf, type Operation, operations } from '@lineage/referral-api/operations'
import { findNameProblem } from '@lineage/referral-api/parse-query'
import { Hono, type MiddlewareHandler } from 'hono'
import { compress } from 'hono/compress'
import { getCookie } from 'hono/cookie'
import { createAccountHandlers } from './api/account.ts'
import { createLookUp, createLookupHandlers } from './api/lookups.ts'
import { createServiceHandlers } from './api/service.ts'
import { type ApiParameters, createServices, type Services } from './api/services.ts'
import { createLlmsText } from './docs/guide.ts'
import type { AppContext, AppEnv, Handler } from './http/handler.ts'
import { createPagePolicy } from './http/headers.ts'
import { internalError, notAllowed, notFound, ProblemError, queryProblem } from './lib/problem.ts'
import { identifyVisitor } from './lib/visitor.ts'
import { createGate, type GateParameters } from './load/gate.ts'
import { priceOf } from './load/limits.ts'
import { createMcp } from './mcp/createMcp.ts'
import { createLinkPreview } from './preview/createLinkPreview.ts'
import { createPages } from './site/createPages.ts'
import { sendFile } from './site/file.ts'
import { sendPage } from './site/page.ts'
import { fileHeaders, findPagePath, isFilePath, type Site } from './site/site.ts'

export type AppParameters = ApiParameters & {
  /** `null` serves `/v1` only. */
  site: Site | null
  note?: GateParameters['note']
}

/** Creates the HTTP app: the API below `/v1`, its tools at `/mcp`, and the pages of the web app. */
export function createApp({ site, note, ...parameters }: AppParameters) {
  const { settings } = parameters
  const services = createServices(parameters)
  const lookUp = createLookUp(services)
  const handlers: Record<(typeof operations)[number]['id'], Handler> = {
    ...createServiceHandlers(services),
    ...createAccountHandlers(services),
    ...createLookupHandlers(lookUp, services),
  }
  const llmsText = createLlmsText({ origin: settings.origins[0], mcp: settings.mcp })
  const app = new Hono<AppEnv>()
  app.use(nameVisitor(settings.trustedProxies))
  app.use('/v1/*', compress(), checkMethod)
  for (const operation of operations) {
    const { id, method, path } = operation
    const route = `/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
    app.on(method.toUpperCase(), route, guard(operation, handlers[id], services))
  }
  app.all('/v1/*', refuse)
  app.all('/mcp', settings.mcp === 'off' ? refuse : createMcp(lookUp, services))
  app.get('/llms.txt', (c) => c.text(llmsText, 200, { 'cache-control': 'public, max-age=300' }))
  if (site) addPages(app, site, { findTags: createLinkPreview(lookUp, services), ...services })
  app.get('*', refuse)
  app.all('*', () => {
    throw notAllowed('GET, HEAD')
  })
  app.onError((error, c) => {
    if (error instanceof ProblemError) return error.toResponse()
    // A visitor who leaves during a request is not an error.
    if (!c.req.raw.signal.aborted && !c.env.incoming.errored) console.error(error)
    return internalError().toResponse()
  })
  return { fetch: app.fetch, admit: createGate({ ...services, note }) }
}

/**
 * Returns a handler that first takes the price of a request, and refuses parameters that its operation does not have. The
 * link to a page may have any: other sites add their own.
 */
function guard(operation: Operation, handler: Handler, { limits }: Pick<Services, 'limits'>): Handler {
  const { id, tag, response } = operation
  const price = priceOf(operation)
  // Lookups parse their query themselves.
  const isOpen = tag === 'lookups' || ('type' in response && response.type === 'text/html')
  return (c) => {
    if (price) limits.require(price.limit, c.var.visitor, price.cost)
    const query = isOpen ? '' : new URL(c.req.url).search
    const problem = query === '' ? undefined : findNameProblem(id, new URLSearchParams(query))
    if (problem) throw queryProblem(problem)
    return handler(c)
  }
}

const refuse: Handler = () => {
  throw notFound()
}

/** Names the visitor of each request, whom limits count. */
const nameVisitor =
  (trustedProxies: number): MiddlewareHandler<AppEnv> =>
  (c, next) => {
    const peer = c.env.incoming.socket.remoteAddress
    c.set('visitor', identifyVisitor({ peer, forwardedFor: c.req.header('x-forwarded-for'), trustedProxies }))
    return next()
  }

const checkMethod: MiddlewareHandler<AppEnv> = async (c, next) => {
  const allow = methodsOf(c.req.path.slice('/v1'.length))
  if (allow && !allow.split(', ').includes(c.req.method)) throw notAllowed(allow)
  const policy = 'cross-origin-resource-policy'
  if (!c.env.outgoing.hasHeader(policy)) c.env.outgoing.setHeader(policy, 'same-origin')
  await next()
}

type PageParameters = Pick<Services, 'settings' | 'index' | 'limits' | 'queue'> & {
  findTags: ReturnType<typeof createLinkPreview>
}

/** Adds the files of the web app, and its pages. A page has tags for a preview of its link. */
function addPages(app: Hono<AppEnv>, site: Site, { findTags, ...services }: PageParameters): void {
  const { files, shell, renderer, paths } = site
  const findPage = renderer && createPages({ ...services, renderer })
  app.get('*', async (c, next) => {
    const path = decodePath(c.req.path)
    const file = files.get(path)
    if (file) return sendFile(c.req.raw, file, fileHeaders(path))
    if (isFilePath(path)) throw notFound()
    return next()
  })
  const policy = createPagePolicy(services.settings)
  app.get('*', async (c) => {
    const url = new URL(c.req.url)
    const pagePath = findPagePath(decodePath(c.req.path), paths)
    if (pagePath !== undefined && pagePath !== url.pathname) return c.redirect(pagePath + url.search, 301)
    const language = findLanguage(url.searchParams.get('lang'), getCookie(c, languageCookie))
    const { visitor } = c.var
    const answer = (path: string) => askItself(app, path, c)
    const [tags, page = shell] = await Promise.all([
      findTags(pagePath === undefined ? new URL('/', url) : url, language, visitor),
      pagePath === undefined ? undefined : findPage?.({ url, language, visitor, answer }),
    ])
    return sendPage(c, { page, policy, tags, status: pagePath === undefined ? 404 : 200 })
  })
}

/** Answers a lookup of a page for its visitor, but without the account: the page is the same for everybody. */
async function askItself(app: Hono<AppEnv>, path: string, { env: { incoming }, req }: AppContext): Promise<Response> {
  const headers = {
    accept: 'application/json',
    ...(req.header('x-forwarded-for') && { 'x-forwarded-for': req.header('x-forwarded-for') }),
  }
  const outgoing = { hasHeader: () => true }
  return app.fetch(new Request(new URL(path, req.url), { headers }), {
    incoming,
    outgoing,
  } as unknown as AppEnv['Bindings'])
}

/** Decodes a path. @throws {ProblemError} if it is malformed */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    throw notFound()
  }
}
