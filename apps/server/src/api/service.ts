import type { ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { parseAddress } from '@lineage/communities'
import { databaseFaults } from '@lineage/database'
import type { Config, ResponseOf, Status } from '@lineage/referral-api'
import { createOpenApi } from '@lineage/referral-api/openapi'
import { isBlockingReason } from '@lineage/referral-api/problems'
import type { ServiceId } from '@lineage/referral-api/routes'
import { createDocsPage } from '../docs/docsPage.ts'
import { type AppContext, apiPath, type Handler, noStore, onClose } from '../http/handler.ts'
import { docsPolicy } from '../http/headers.ts'
import { invalidAddress, notFound, ProblemError } from '../lib/problem.ts'
import { costs } from '../load/limits.ts'
import { createRpc } from '../rpc/createRpc.ts'
import { createSettingsRedactor } from '../settings/settings.ts'
import { createFile, sendFile } from '../site/file.ts'
import { createPage } from '../site/page.ts'
import { createNameService } from './nameService.ts'
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

type StatusServices = Pick<Services, 'index' | 'accounts' | 'settings'>

/** Creates the status of the server: that of its index, and the faults that the server itself finds. */
function createServiceStatus({ index, accounts, settings }: StatusServices) {
  const redact = createSettingsRedactor(settings)
  const read = () => redactStatus(index.status(), redact)
  return {
    read(): Status {
      const status = read()
      return { ...status, warnings: [...status.warnings, ...findFaults(accounts.getHealth(), Date.now())] }
    },
    /**
     * Returns the answer of `/v1/ready` while lookups should go to this server, with the faults that do not prevent
     * them. Lookups work without the accounts' database, and other servers probably share it: a load balancer must not
     * remove all of them.
     *
     * @throws {ProblemError} with the reasons why lookups should go to another server
     */
    requireReady(): ResponseOf<'ready'> {
      const { state, progress, note, reasons = [] } = read()
      if (state === 'ready' && !reasons.some(isBlockingReason)) {
        const warnings = findFaults(accounts.getHealth(), Date.now())
        return { status: 'ready', reasons, ...(warnings.length > 0 && { warnings }) }
      }
      const fallback = note ?? (progress ? 'The chain is being indexed.' : 'The index does not answer yet.')
      throw new ProblemError(
        progress ? 'indexing' : 'unavailable',
        reasons.map(({ message }) => message).join(' ') || fallback,
        { reasons, retryAfter: 2, ...(progress && { progress }) },
      )
    },
  }
}

/** Returns a status with secrets removed from all texts. */
function redactStatus(status: Status, redact: (text: string) => string): Status {
  const warnings = status.warnings.map((one) => ({
    ...one,
    node: one.node && redact(one.node),
    message: redact(one.message),
  }))
  const reasons = status.reasons?.map((one) => ({ ...one, message: redact(one.message) }))
  return { ...status, note: status.note && redact(status.note), warnings, ...(reasons && { reasons }) }
}

/** Returns the faults that the server itself finds, each with its age. `now` is in Unix milliseconds. */
export function findFaults(accounts: ReturnType<Services['accounts']['getHealth']>, now: number): Status['warnings'] {
  if (accounts.status !== 'failing') return []
  const why = accounts.fault ? databaseFaults[accounts.fault].text : "the accounts' database fails"
  const message = `Signing in has not worked for ${toAge(now - accounts.since)}: ${why}. See the server's log.`
  return [{ kind: 'accounts_unavailable', message, node: null, community: null }]
}

/**
 * Returns an age as text, in seconds or, from ten minutes on, in minutes.
 *
 * @example toAge(90_000) // '90 s'
 */
function toAge(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000))
  return seconds < 600 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}
