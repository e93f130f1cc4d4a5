import { methodsOf, operations } from '@lineage/referral-api/operations'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { compress } from 'hono/compress'
import { type ApiParameters, type AppEnv, createApiHandlers } from './api/apiHandlers.ts'
import { createLlmsText } from './docs/llmsText.ts'
import { createNonce, pagePolicy, securityHeaders, transportSecurity } from './http/securityHeaders.ts'
import { internalError, notAllowed, notFound } from './lib/problem.ts'
import type { Settings } from './settings/settings.ts'
import type { Site } from './site/readSite.ts'

/** `site: null` serves `/v1` only. */
export type AppParameters = ApiParameters & { site: Site | null }

/** Creates the HTTP app: the API below `/v1`, its tools at `/mcp`, and the pages of the web app. */
export function createApp(parameters: AppParameters) {
  const { settings, site } = parameters
  const api = createApiHandlers(parameters)
  const llmsText = createLlmsText({ origin: settings.origins[0], mcp: settings.mcp })
  const app = new Hono<AppEnv>()
  app.use(setSecurityHeaders({ ...securityHeaders, ...transportSecurity(settings.origins) }))
  app.use('/v1/*', compress(), checkMethod)
  for (const { id, method, path } of operations)
    app.on(method.toUpperCase(), `/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, api.operations[id])
  app.all('/v1/*', () => notFound())
  app.all('/mcp', api.mcp)
  app.get('/llms.txt', (c) => c.text(llmsText, 200, { 'cache-control': 'public, max-age=300' }))
  app.get('*', (c) => (site ? sendPage(c, site, settings, () => api.findTags(c)) : notFound()))
  app.all('*', () => notAllowed('GET, HEAD'))
  app.onError((error, c) => {
    // A visitor who leaves during a request is not an error.
    if (!c.env.incoming.errored) console.error(error)
    return internalError()
  })
  return app
}

function setSecurityHeaders(headers: Record<string, string>): MiddlewareHandler {
  return async (c, next) => {
    await next()
    const policy = c.res.headers.get('content-security-policy')
    for (const [name, value] of Object.entries(headers)) c.header(name, value)
    if (policy !== null) c.header('content-security-policy', policy)
  }
}

const checkMethod: MiddlewareHandler = async (c, next) => {
  const allow = methodsOf(c.req.path.slice('/v1'.length))
  if (allow && !allow.split(', ').includes(c.req.method)) return notAllowed(allow)
  await next()
  c.header('cross-origin-resource-policy', 'same-origin')
}

async function sendPage(
  c: Context,
  site: Site,
  settings: Settings,
  findTags: () => Promise<string>,
): Promise<Response> {
  const nonce = createNonce()
  const response = await site.respond(c.req.raw, { nonce, findTags })
  if (response.headers.get('content-type')?.startsWith('text/html'))
    response.headers.set('content-security-policy', pagePolicy(nonce, settings))
  return response
}
