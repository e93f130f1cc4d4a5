import type { ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { parseAddress } from '@lineage/communities'
import type { Config } from '@lineage/referral-api'
import { createOpenApi } from '@lineage/referral-api/openapi'
import type { ServiceId } from '@lineage/referral-api/routes'
import { createDocsPage } from '../docs/docsPage.ts'
import { type AppContext, apiPath, type Handler, noStore, onClose } from '../http/handler.ts'
import { docsPolicy } from '../http/headers.ts'
import { invalidAddress, notFound } from '../lib/problem.ts'
import { costs } from '../load/limits.ts'
import { createRpc } from '../rpc/createRpc.ts'
import { createFile, sendFile } from '../site/file.ts'
import { createPage } from '../site/page.ts'
import { createNameService } from './nameService.ts'
import { createServiceStatus } from './serviceStatus.ts'
import { chainId, type Services } from './services.ts'

/** Returns the handlers of the operations tagged `service`, by id. */
export function createServiceHandlers(services: Services): { [id in ServiceId]: Handler } {
  const { settings, timeout } = services
  const resolveName = settings.nameService && createNameService({ ...settings.nameService, timeout })
  const openapi = createOpenApi()
  const openapiFile = toJsonFile(openapi)
  const configFile = toJsonFile(toConfig(settings))
  const docs = createPage(createDocsPage(openapi))
  const docsFile = createFile(docs.toBody(), 'text/html; charset=utf-8')
  const docsHeaders = { 'cache-control': 'no-cache', 'content-security-policy': docsPolicy(docs.sources) }
  const status = createServiceStatus(services)
  return {
    config: (c) => sendFile(c.req.raw, configFile, noStore),
    status: (c) => sendJson(c, status.read()),
    ready: (c) => c.json(status.requireReady(), 200, noStore),
    health: (c) => c.json({ status: 'ok' }, 200, noStore),
    rpc: createRpcHandler(services, status.read),
    name: (c) => {
      if (!resolveName) throw notFound()
      return resolveName(c.req.query('address') ?? '')
    },
    openapi: (c) => sendFile(c.req.raw, openapiFile, { 'cache-control': 'public, max-age=300' }),
    docs: (c) => sendFile(c.req.raw, docsFile, docsHeaders),
    live: createLiveHandler(services),
  }
}

function createRpcHandler(services: Services, readStatus: () => ReturnType<Services['index']['status']>): Handler {
  const { settings, timeout, limits, metrics, queue, accounts, index, rpcBytes: budget } = services
  const { rpcUrls: urls, origins } = settings
  const onAnswer = metrics?.noteNodeRequest
  const rpc = createRpc({ urls, origins, timeout, budget, ...(onAnswer && { onAnswer }) })
  metrics?.connect({
    readStatus,
    readMembers: () => new Map(index.communities.map((id) => [id, index.stateOf(id)?.members])),
    lookups: queue.counts,
    rpcBytes: budget.inFlight,
    accounts: () => ({ health: accounts.getHealth().status, waiting: accounts.countWaiting() }),
  })
  return (c) => {
    const { visitor } = c.var
    return rpc(c.req.raw, {
      mode: settings.demo === null ? 'live' : 'demo',
      visitor,
      // The first one is in the price of the request.
      limit: (calls) => limits.require('rpc', visitor, calls - 1),
      charge: (answer) => limits.rpc.charge(visitor, costs.rpc(answer)),
      onClose: (listener) => onClose(c, listener),
    })
  }
}

/** Returns the handler of streams. It writes to the connection itself, because there are thousands of streams. */
function createLiveHandler({ live, alerts, signIn }: Services): Handler {
  return async (c) => {
    const { visitor } = c.var
    const address = c.req.query('address')
    if (address !== undefined && parseAddress(address).status !== 'valid') throw invalidAddress()
    if (c.req.method === 'HEAD') return c.body(null, 200, { 'content-type': 'text/event-stream', ...noStore })
    live.open({
      community: c.req.param('community') ?? '',
      team: address?.toLowerCase() ?? null,
      visitor,
      outgoing: c.env.outgoing as ServerResponse,
      subscribe: c.req.header('cookie') === undefined ? undefined : subscribeToAlerts(c.req.raw),
    })
    return RESPONSE_ALREADY_SENT
  }

  /** Calls a listener at new alerts if the request has a session. */
  function subscribeToAlerts(request: Request) {
    const session = signIn.getSession(request).catch(() => undefined)
    return (listener: () => void) => {
      let stop: (() => void) | 'ended' | undefined
      void session.then((found) => {
        if (found && stop !== 'ended') stop = alerts.subscribe(found.address, listener)
      })
      return () => {
        if (stop !== 'ended') stop?.()
        stop = 'ended'
      }
    }
  }
}

const toJsonFile = (value: unknown) => createFile(Buffer.from(JSON.stringify(value)), 'application/json')

/** Answers with JSON and its length, so that short text is not compressed. */
function sendJson(c: AppContext, value: object): Response {
  const text = JSON.stringify(value)
  const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }
  return c.body(text, 200, { ...headers, ...noStore })
}

function toConfig(settings: Services['settings']): Config {
  return {
    chainId,
    rpcUrls: [...settings.publicRpcUrls, apiPath('rpc')],
    relayProjectId: settings.relayProjectId,
    relayUrl: settings.relayUrl,
    // The demo's chain has no .bnb registry.
    names: { service: settings.nameService !== null, bnb: settings.demo === null },
    demo: settings.demo as Config['demo'],
  }
}
