import type { ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Config, ResponseOf, Status } from '@lineage/referral-api'
import { createOpenApi } from '@lineage/referral-api/openapi'
import { operations } from '@lineage/referral-api/operations'
import { bodyLimit, isBlockingReason } from '@lineage/referral-api/problems'
import type { AccountId, LookupId, OperationId, ServiceId } from '@lineage/referral-api/routes'
import { readText, type SiweHandler } from '@lineage/wallet-kit/siwe-server'
import type { Context } from 'hono'
import { isAddress } from 'viem'
import { createTurns } from '../accounts/createTurns.ts'
import type { Accounts } from '../accounts/openAccounts.ts'
import type { Alerts } from '../alerts/createAlerts.ts'
import { createDocsPage } from '../docs/docsPage.ts'
import { createNonce, docsPolicy, securityHeaders, transportSecurity } from '../http/securityHeaders.ts'
import { createIndexer } from '../indexer/createIndexer.ts'
import type { Indexers } from '../indexer/createIndexers.ts'
import { apiPath } from '../lib/apiPath.ts'
import { identifyVisitor } from '../lib/identifyVisitor.ts'
import { invalidAddress, notFound, problem, tooLarge } from '../lib/problem.ts'
import { shareFor } from '../lib/shareFor.ts'
import type { Live } from '../live/createLive.ts'
import { alertsText } from '../live/liveText.ts'
import { createCsvDownloads } from '../load/csvDownloads.ts'
import {
  createLimits,
  filterSurcharge,
  type Limits,
  labelsSurcharge,
  limitsOf,
  lookupCost,
  lookupSurcharge,
  rpcSurcharge,
  testCost,
} from '../load/limits.ts'
import type { Overload } from '../load/overload.ts'
import { createMcp } from '../mcp/createMcp.ts'
import type { Metrics } from '../monitoring/metrics.ts'
import { createLinkPreview } from '../preview/createLinkPreview.ts'
import { createByteBudget } from '../rpc/byteBudget.ts'
import { createRpc, rpcBudget } from '../rpc/createRpc.ts'
import { createRedactor } from '../settings/redact.ts'
import type { Settings } from '../settings/settings.ts'
import type { StartupState } from '../settings/startupState.ts'
import { createFile, type File, sendFile } from '../site/file.ts'
import { sendPage } from '../site/page.ts'
import { createAccount } from './account.ts'
import { createAlertHandlers } from './alerts.ts'
import { findFaults, isBlockingFault } from './findFaults.ts'
import { createForAccount } from './forAccount.ts'
import { createLabels, type LabelCosts } from './labels.ts'
import { createNameService } from './nameService.ts'
import { createSignIn } from './signIn.ts'

const chainId = 56

export type ApiParameters = {
  settings: Settings
  startup: StartupState
  accounts: Omit<Accounts, 'close'>
  overload: Overload
  indexers: Indexers
  live: Live
  alerts: Alerts
  limits?: Partial<Limits>
  metrics?: Metrics | undefined
  /** Time limit for an answer of the indexer, each node and the name service, in milliseconds. */
  timeout?: number
}

export type AppEnv = { Bindings: HttpBindings }
type AppContext = Context<AppEnv>
type Handler = (c: AppContext) => Response | Promise<Response>

/**
 * Creates the handlers of the API: one for each operation, by id, and `/mcp`. `findTags` returns the tags of a page's
 * link preview.
 */
export function createApiHandlers(parameters: ApiParameters) {
  const services = createServices(parameters)
  const lookUp = createLookup(services)
  const handlers: { [id in OperationId]: Handler } = {
    ...createServiceHandlers(services),
    ...createAccountHandlers(services),
    ...createLookupHandlers(lookUp, services),
  }
  return {
    operations: handlers,
    mcp: createMcpRoute(lookUp, services),
    findTags: createFindTags(lookUp, services),
  }
}

type Services = ReturnType<typeof createServices>

/** Creates the services that handlers share. */
function createServices({
  settings,
  startup,
  accounts,
  overload,
  indexers,
  live,
  alerts,
  limits,
  metrics,
  timeout = 10_000,
}: ApiParameters) {
  const indexer = createIndexer({ indexers, startup, timeout })
  const rateLimits = createLimits({ ...limitsOf(settings), ...limits })
  const signIn = createSignIn({ chainId, settings, store: accounts, timeout, limit: rateLimits.signIn.take })
  const findVisitor = (c: AppContext) =>
    identifyVisitor({
      peer: c.env.incoming.socket.remoteAddress,
      forwardedFor: c.req.header('x-forwarded-for'),
      trustedProxies: settings.trustedProxies,
    })
  const redact = createRedactor(settings)
  return {
    settings,
    startup,
    accounts,
    overload,
    live,
    alerts,
    metrics,
    redact,
    timeout,
    indexer,
    indexers,
    limits: rateLimits,
    signIn,
    findVisitor,
  }
}

/** Returns the handlers of the operations tagged `service`, by id. */
function createServiceHandlers(services: Services) {
  const { settings, startup, timeout, limits, metrics, findVisitor } = services
  const budget = createByteBudget(rpcBudget)
  const onAnswer = metrics?.noteNodeRequest
  const rpc = createRpc({
    urls: settings.rpcUrls,
    origins: settings.origins,
    timeout,
    budget,
    ...(onAnswer && { onAnswer }),
  })
  const resolveName = settings.nameService && createNameService({ ...settings.nameService, timeout })
  const openapi = createOpenApi()
  const openapiFile = toJsonFile(openapi)
  const docsPage = createDocsPage(openapi)
  const getConfigFile = createConfigFile(settings, startup)
  const getServiceStatus = shareFor(500, () => findServiceStatus(services))
  connectMetrics(services, async () => (await getServiceStatus()).shown, budget.inFlight)
  return {
    config: (c) => sendFile(c.req.raw, getConfigFile(), noStore),
    status: async () => sendJson((await getServiceStatus()).text),
    ready: async () => answerReady(await getServiceStatus()),
    health: (c) => c.json({ status: 'ok' }, 200, noStore),
    rpc: (c) => {
      const visitor = findVisitor(c)
      return rpc(c.req.raw, {
        mode: startup.demo === null ? 'live' : 'demo',
        visitor,
        limit: (calls) => limits.refuse('rpc', visitor, calls),
        charge: (answer) => limits.rpc.charge(visitor, rpcSurcharge(answer)),
        onClose: (listener) => onClose(c.env.outgoing, listener),
      })
    },
    name: (c) => {
      if (!resolveName) return notFound()
      return limits.refuse('names', findVisitor(c)) ?? resolveName(c.req.query('address') ?? '')
    },
    openapi: (c) => sendFile(c.req.raw, openapiFile, { 'cache-control': 'public, max-age=300' }),
    docs: (c) => {
      const nonce = createNonce()
      return sendPage(c.req.raw, docsPage, { nonce }, { ...noStore, 'content-security-policy': docsPolicy(nonce) })
    },
    live: createLiveHandler(services),
  } satisfies { [id in ServiceId]: Handler }
}

/** Returns the handlers of the operations tagged `accounts`, by id. */
function createAccountHandlers({ settings, accounts, alerts, indexer, signIn, limits, findVisitor }: Services) {
  const forAccount = createForAccount(signIn)
  const takeTurns = createTurns()
  const labels = createLabels({ forAccount, store: accounts.labels, takeTurns })
  const store = accounts.alerts
  const handlers = createAlertHandlers({ forAccount, store, takeTurns, alerts, indexer, settings })
  const account = createAccount({ forAccount, store: accounts, takeTurns })
  const forAuth = (handler: SiweHandler): Handler => {
    return (c) => handler(c.req.raw, { visitor: findVisitor(c) })
  }
  const forLabels = (handler: (request: Request, costs: LabelCosts, address: string) => Promise<Response>): Handler => {
    return (c) => {
      const visitor = findVisitor(c)
      const costs: LabelCosts = {
        limit: (count) => limits.refuse('labels', visitor, labelsSurcharge(count, 'written')),
        charge: (count) => limits.labels.charge(visitor, labelsSurcharge(count, 'read')),
      }
      return limits.refuse('labels', visitor) ?? handler(c.req.raw, costs, c.req.param('address') ?? '')
    }
  }
  type AlertHandler = ReturnType<typeof createAlertHandlers>['list']
  const forAlerts =
    (handler: AlertHandler, cost = 1): Handler =>
    (c) =>
      limits.refuse('labels', findVisitor(c), cost) ?? handler(c.req.raw, c.req.param())
  return {
    alerts: forAlerts(handlers.list),
    readAlerts: forAlerts(handlers.markRead),
    alertSettings: forAlerts(handlers.settings),
    saveWatch: forAlerts(handlers.saveWatch),
    removeWatch: forAlerts(handlers.removeWatch),
    addWebhook: forAlerts(handlers.addWebhook),
    removeWebhook: forAlerts(handlers.removeWebhook),
    // These requests make the server call a webhook.
    resumeWebhook: forAlerts(handlers.resumeWebhook, testCost),
    testWebhook: forAlerts(handlers.testWebhook, testCost),
    renewFeed: forAlerts(handlers.renewFeed),
    removeFeed: forAlerts(handlers.removeFeed),
    alertsFeed: forAlerts(handlers.sendFeed),
    account: forLabels((request, { charge }) => account.read(request, charge)),
    removeAccount: forLabels(account.remove),
    nonce: forAuth(signIn.nonce),
    verify: forAuth(signIn.verify),
    session: forAuth(signIn.session),
    signOut: forAuth(signIn.signOut),
    labels: forLabels(labels.list),
    labelsCsv: forLabels(labels.exportCsv),
    mergeLabels: forLabels(labels.merge),
    removeLabels: forLabels(labels.removeAll),
    label: forLabels(labels.find),
    saveLabel: forLabels(labels.save),
    removeLabel: forLabels(labels.remove),
  } satisfies { [id in AccountId]: Handler }
}

/** Returns the handler of streams. It bypasses the web framework, because there are thousands of streams. */
function createLiveHandler({ settings, live, limits, alerts, signIn, findVisitor }: Services): Handler {
  const headers = { ...securityHeaders, ...transportSecurity(settings.origins) }
  return async (c) => {
    const visitor = findVisitor(c)
    const address = c.req.query('address')
    if (address !== undefined && !isAddress(address, { strict: /[a-f]/.test(address) && /[A-F]/.test(address) }))
      return invalidAddress()
    const refusal = limits.refuse('lookups', visitor)
    if (refusal) return refusal
    if (c.req.method === 'HEAD') return c.body(null, 200, { 'content-type': 'text/event-stream', ...noStore })
    const refused = await live.open({
      community: c.req.param('community') ?? '',
      team: address?.toLowerCase() ?? null,
      id: c.req.header('last-event-id'),
      visitor,
      outgoing: c.env.outgoing as ServerResponse,
      headers,
      subscribe: c.req.header('cookie') === undefined ? undefined : subscribeAlerts(c.req.raw),
    })
    return refused ?? RESPONSE_ALREADY_SENT
  }

  /** Tells the reader of new alerts if the request has a session. */
  function subscribeAlerts(request: Request) {
    const session = signIn.getSession(request).catch(() => undefined)
    return (send: (text: string) => void) => {
      let stop: (() => void) | 'ended' | undefined
      void session.then((found) => {
        if (found && stop !== 'ended') stop = alerts.subscribe(found.address, () => send(alertsText))
      })
      return () => {
        if (stop !== 'ended') stop?.()
        stop = 'ended'
      }
    }
  }
}

type Lookup = {
  id: LookupId
  request: Request
  /** Path and query as forwarded. */
  target: string
  visitor: string
  /** Amount that the visitor's limit has been charged for this lookup. */
  charged?: number
  /** Returns `undefined` for a body that is too large. */
  readBody: () => Promise<string | null | undefined>
}

/** Creates a function that sends a visitor's lookup to the indexer, within the visitor's limit and the queue. */
function createLookup({ indexer, overload, limits }: Services) {
  return async ({ id, request, target, visitor, charged = 0, readBody }: Lookup): Promise<Response> => {
    const refusal = limits.refuse('lookups', visitor, lookupCost(id) - charged)
    if (refusal) return refusal
    // Read the body first, so that a slow visitor does not occupy a place in the queue.
    const body = await readBody()
    if (body === undefined) return tooLarge('64 kB')
    const endLookup = await overload.startLookup(visitor)
    if (!endLookup) return problem('unavailable', { detail: 'The server is busy. Try again in 1 s.', retryAfter: 1 })
    limits.lookups.charge(visitor, filterSurcharge(id, target))
    const response = await indexer.forward(request, { id, target, body, visitor }).finally(endLookup)
    limits.lookups.charge(visitor, lookupSurcharge(response.headers.get('server-timing')))
    return response
  }
}

/** Returns a function that finds the tags of a page's link preview. It costs the visitor as much as its lookup. */
function createFindTags(lookUp: ReturnType<typeof createLookup>, { indexer, settings, findVisitor }: Services) {
  const lookUpMember = (visitor: string, target: string) => {
    // Not the page's own request: its visitor may leave while other pages wait for the same answer.
    const request = new Request(`${settings.origins[0]}/v1`, { headers: { accept: 'application/json' } })
    return lookUp({ id: 'member', request, target, visitor, readBody: async () => null })
  }
  const preview = createLinkPreview({ indexer, lookUpMember })
  return (c: AppContext): Promise<string> => preview(c.req.raw, findVisitor(c))
}

/** Returns the handlers of the operations tagged `lookups`, by id. The indexer answers them. */
function createLookupHandlers(
  lookUp: ReturnType<typeof createLookup>,
  { findVisitor }: Services,
): { [id in LookupId]: Handler } {
  const downloads = createCsvDownloads()
  const answer = (id: LookupId, body: 'json' | 'csv', c: AppContext) => {
    const visitor = findVisitor(c)
    if (body === 'csv') {
      const endDownload = downloads.start(visitor)
      if (!endDownload) return tooManyDownloads()
      onClose(c.env.outgoing, endDownload)
    }
    return lookUp({
      id,
      request: c.req.raw,
      target: c.env.incoming.url ?? '',
      visitor,
      readBody: async () => (c.req.method === 'POST' ? readText(c.req.raw, bodyLimit) : null),
    })
  }
  const handlers = operations
    .filter((operation) => operation.tag === 'lookups')
    .map(({ id, response }) => [id, (c: AppContext) => answer(id, 'schema' in response ? 'json' : 'csv', c)])
  return Object.fromEntries(handlers)
}

const tooManyDownloads = () =>
  problem('rate_limited', {
    detail: 'Too many CSV files are being downloaded. Wait until one of them has ended.',
    retryAfter: 5,
  })

/** Returns the handler of `/mcp`. A message costs as much as a lookup, which includes the lookup of its call. */
function createMcpRoute(lookUp: ReturnType<typeof createLookup>, { settings, limits, findVisitor }: Services): Handler {
  if (settings.mcp === 'off') return notFound
  const mcp = createMcp(settings)
  return (c) => {
    const visitor = findVisitor(c)
    return (
      limits.refuse('lookups', visitor) ??
      mcp(c.req.raw, {
        lookUp: ({ id, method, target, body }, signal) => {
          const request = new Request(`${settings.origins[0]}/v1`, { method, headers: mcpHeaders, signal })
          return lookUp({ id, request, target: `/v1${target}`, visitor, charged: 1, readBody: async () => body })
        },
      })
    )
  }
}

const mcpHeaders = { accept: 'application/json', 'content-type': 'application/json' }

/** Calls a function once the response is sent or its connection is closed. */
function onClose(outgoing: AppContext['env']['outgoing'], listener: () => void): void {
  if (outgoing.closed) listener()
  else outgoing.once('close', listener)
}

const noStore = { 'cache-control': 'no-store' }

/** Returns the status of the indexer with the faults of the server, and the same as JSON text. */
async function findServiceStatus({ indexer, indexers, accounts, startup, redact }: Services) {
  const status = redactStatus(await indexer.getStatus(), redact)
  const faults = findFaults({
    // While the start script prepares the index, the indexer is not expected to answer.
    indexers: startup.progress === null ? indexers.all : [],
    accounts: accounts.getHealth(),
    now: Date.now(),
  })
  const shown: Status = { ...status, warnings: [...status.warnings, ...faults] }
  return { status, faults, shown, text: JSON.stringify(shown) }
}

function connectMetrics(
  { metrics, overload, accounts, indexer, indexers }: Services,
  readStatus: () => Promise<Status>,
  rpcBytes: () => number,
): void {
  metrics?.connect({
    readStatus,
    readMembers: shareFor(10_000, indexer.countMembers),
    overload: () => ({ level: overload.level(), ...overload.counts() }),
    rpcBytes,
    indexers: () => indexers.all,
    accounts: () => ({ health: accounts.getHealth().status, waiting: accounts.countWaiting() }),
  })
}

/** Answers `/v1/ready`: 503 while lookups should go to another server, else 200 with the faults that do not prevent lookups. */
function answerReady({ status, faults }: Awaited<ReturnType<typeof findServiceStatus>>): Response {
  const { state, progress, note, reasons = [] } = status
  // A ready index means that one indexer answers: others that are silent do not block.
  const blockingFaults = state === 'ready' ? [] : faults.filter(isBlockingFault)
  const blocking = [...reasons.filter(isBlockingReason), ...blockingFaults]
  if (blocking.length === 0 && state === 'ready') {
    const { indexers } = status
    const more = { ...(faults.length > 0 && { warnings: faults }), ...(indexers && { indexers }) }
    return Response.json({ status: 'ready', reasons, ...more } satisfies ResponseOf<'ready'>, { headers: noStore })
  }
  const texts = blocking.map(({ message }) => message)
  const isBeingMade = progress !== null && blockingFaults.length === 0
  const fallback = note ?? (progress ? 'The chain is being indexed.' : 'The index does not answer yet.')
  return problem(isBeingMade ? 'indexing' : 'unavailable', {
    detail: texts.join(' ') || fallback,
    reasons,
    retryAfter: 2,
    ...(isBeingMade && { progress }),
  })
}

/** Returns a status with secrets removed from all texts of the indexer and the start script. */
function redactStatus(status: Status, redact: (text: string) => string): Status {
  const warnings = status.warnings.map((one) => ({
    ...one,
    node: one.node && redact(one.node),
    message: redact(one.message),
  }))
  const reasons = status.reasons?.map((one) => ({ ...one, message: redact(one.message) }))
  return { ...status, note: status.note && redact(status.note), warnings, ...(reasons && { reasons }) }
}

const toJsonFile = (value: unknown) => createFile(Buffer.from(JSON.stringify(value)), 'application/json')

/** Answers with JSON text. Sets its length, so that short text is not compressed. */
const sendJson = (text: string): Response =>
  new Response(text, {
    headers: { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)), ...noStore },
  })

/** Returns a function that returns the file `/v1/config`, rebuilt when the demo changes. */
function createConfigFile(settings: Settings, startup: StartupState): () => File {
  let made: { demo: unknown; file: File } | undefined
  return () => {
    if (made?.demo !== startup.demo || !made)
      made = { demo: startup.demo, file: toJsonFile(toConfig(settings, startup)) }
    return made.file
  }
}

function toConfig(settings: Settings, { demo }: StartupState): Config {
  return {
    chainId,
    rpcUrls: [...settings.publicRpcUrls, apiPath('rpc')],
    relayProjectId: settings.relayProjectId,
    relayUrl: settings.relayUrl,
    // The demo's chain has no .bnb registry.
    names: { service: settings.nameService !== null, bnb: demo === null },
    demo: demo as Config['demo'],
  }
}
