import type { Alert, ResponseOf, Watch } from '@lineage/referral-api'
import { readMark, watchRules, webhookContent } from '@lineage/referral-api/schemas'
import { getAddress, isAddress } from 'viem'
import type { TakeTurns } from '../accounts/createTurns.ts'
import type { Alerts } from '../alerts/createAlerts.ts'
import { createAtomFeed } from '../alerts/createAtomFeed.ts'
import { WatchedEventsError } from '../alerts/createDeriver.ts'
import { toId } from '../alerts/deriveAlerts.ts'
import { AlertLimitError, alertLimits } from '../alerts/store/alertLimits.ts'
import type { AlertStore } from '../alerts/store/createAlertStore.ts'
import { parseWebhookUrl, WebhookTargetError } from '../alerts/webhookTarget.ts'
import type { Indexer } from '../indexer/createIndexer.ts'
import { apiPath } from '../lib/apiPath.ts'
import { summarizeError } from '../lib/log.ts'
import { invalidAddress, problem, tooManyWrites } from '../lib/problem.ts'
import { shareFor } from '../lib/shareFor.ts'
import type { Language } from '../preview/previewTexts.ts'
import type { Settings } from '../settings/settings.ts'
import type { AccountRequest, ForAccount } from './forAccount.ts'
import { readBody } from './readBody.ts'

/** Largest body, in bytes. */
const bodyLimit = 8 * 1024
const [defaultLimit, mostLimit] = [50, 200]
/** Number of alerts in a feed. */
const feedLength = 50

export type AlertHandlersParameters = {
  forAccount: ForAccount
  store: AlertStore
  takeTurns: TakeTurns
  alerts: Alerts
  indexer: Pick<Indexer, 'read'>
  settings: Pick<Settings, 'origins' | 'webhooks'>
}

type Parameters = { community?: string; address?: string; webhook?: string; token?: string }

/** Creates the handlers of `/v1/alerts`, and of the Atom feed. */
export function createAlertHandlers(parameters: AlertHandlersParameters) {
  const { forAccount, takeTurns } = parameters
  type Handler = (accountRequest: AccountRequest, given: Parameters) => Promise<Response>
  const answer = (handler: Handler) => (request: Request, given: Parameters) =>
    forAccount(request, async (accountRequest) => {
      if (given.webhook !== undefined && !isId(given.webhook)) return noWebhook()
      return handler(accountRequest, given).catch((error: unknown) => answerError(error))
    })
  /** Runs the changes of an account one after the other. */
  const change = (handler: Handler) =>
    answer(
      async (accountRequest, given) =>
        (await takeTurns(accountRequest.account, () => handler(accountRequest, given))) ?? tooManyWrites(),
    )
  const lists = createLists(parameters)
  const watches = createWatches(parameters)
  const webhooks = createWebhooks(parameters)
  const feeds = createFeeds(parameters)
  return {
    list: answer(lists.list),
    markRead: change(lists.markRead),
    settings: answer(lists.settings),
    saveWatch: change(watches.save),
    removeWatch: change(watches.remove),
    addWebhook: change(webhooks.add),
    removeWebhook: change(webhooks.remove),
    resumeWebhook: change(webhooks.resume),
    testWebhook: change(webhooks.test),
    renewFeed: change(feeds.renew),
    removeFeed: change(feeds.remove),
    sendFeed: feeds.send,
  }
}

const done = () => new Response(null, { status: 204 })

function createLists({ store, settings: { webhooks } }: AlertHandlersParameters) {
  return {
    async list({ account, request }: AccountRequest): Promise<Response> {
      const query = new URL(request.url).searchParams
      const [limitText, cursor] = [query.get('limit') ?? String(defaultLimit), query.get('cursor')]
      if (!/^[1-9]\d{0,8}$/.test(limitText))
        return problem('invalid_parameter', { detail: '"limit" must be a whole number of at least 1.' })
      if (cursor !== null && !/^\d{1,15}$/.test(cursor))
        return problem('invalid_cursor', { detail: 'Invalid cursor: it belongs to another list.' })
      const limit = Math.min(Number(limitText), mostLimit)
      const before = cursor === null ? Number.MAX_SAFE_INTEGER : Number(cursor)
      const items = await store.listAlerts(account, { before, limit })
      const last = items.at(-1)
      const nextCursor = last && items.length === limit ? String(last.number) : null
      const unread = await store.countUnread(account)
      return Response.json({ items, unread, nextCursor } satisfies ResponseOf<'alerts'>)
    },
    async markRead(accountRequest: AccountRequest): Promise<Response> {
      const body = await readBody(accountRequest, { schema: readMark, invalid: 'invalid_body', limit: bodyLimit })
      if (body instanceof Response) return body
      await store.markRead(accountRequest.account, body.upTo)
      return done()
    },
    async settings({ account }: AccountRequest): Promise<Response> {
      const body: ResponseOf<'alertSettings'> = {
        watches: await store.listWatches(account),
        webhooks: await store.listWebhooks(account),
        webhooksOffered: webhooks === 'off' ? 'off' : 'on',
        feed: (await store.hasFeed(account)) ? 'on' : 'off',
        limits: alertLimits,
      }
      return Response.json(body)
    },
  }
}

function createWatches({ store, alerts }: AlertHandlersParameters) {
  return {
    async save(accountRequest: AccountRequest, { community = '', address = '' }: Parameters): Promise<Response> {
      if (!isAddress(address, { strict: false })) return invalidAddress()
      const rules = await readBody(accountRequest, { schema: watchRules, invalid: 'invalid_watch', limit: bodyLimit })
      if (rules instanceof Response) return rules
      const { account } = accountRequest
      // Ask for the newest block, so that only later events raise alerts.
      const { asOf } = await alerts.readEvents(community, { addresses: [], after: null })
      const updatedAt = Math.floor(Date.now() / 1_000)
      const watch: Watch = { community, address: getAddress(address), rules, updatedAt }
      await store.saveWatch(account, watch, asOf)
      alerts.noteWatch(community)
      return Response.json(watch)
    },
    async remove({ account }: AccountRequest, { community = '', address = '' }: Parameters): Promise<Response> {
      if (!isAddress(address, { strict: false })) return invalidAddress()
      if (isId(community)) await store.removeWatch(account, community, getAddress(address))
      return done()
    },
  }
}

function createWebhooks({ store, alerts: { deliveries }, settings: { webhooks: scope } }: AlertHandlersParameters) {
  return {
    async add(accountRequest: AccountRequest): Promise<Response> {
      if (scope === 'off') return problem('invalid_webhook', { detail: 'Webhooks are not offered here.' })
      const content = await readBody(accountRequest, {
        schema: webhookContent,
        invalid: 'invalid_webhook',
        limit: bodyLimit,
      })
      if (content instanceof Response) return content
      const url = parseWebhookUrl(content.url, scope)
      return Response.json(await store.addWebhook(accountRequest.account, url.href))
    },
    async remove({ account }: AccountRequest, { webhook = '' }: Parameters): Promise<Response> {
      return (await store.removeWebhook(account, webhook)) ? done() : noWebhook()
    },
    async resume({ account }: AccountRequest, { webhook = '' }: Parameters): Promise<Response> {
      if (!(await store.resumeWebhook(account, webhook))) return noWebhook()
      deliveries?.request()
      return done()
    },
    async test({ account }: AccountRequest, { webhook = '' }: Parameters): Promise<Response> {
      const found = await store.findWebhook(account, webhook)
      if (!found || !deliveries) return noWebhook()
      return Response.json(await deliveries.test(found, toId('test', found.id, Date.now())))
    },
  }
}

function createFeeds({ store, indexer, settings: { origins } }: AlertHandlersParameters) {
  const readCommunities = shareFor(30_000, async () => (await indexer.read('communities')).items)
  return {
    async renew({ account }: AccountRequest): Promise<Response> {
      return Response.json({
        path: apiPath('alertsFeed', await store.renewFeed(account)),
      } satisfies ResponseOf<'renewFeed'>)
    },
    async remove({ account }: AccountRequest): Promise<Response> {
      await store.removeFeed(account)
      return done()
    },
    /** Answers with the Atom feed that belongs to the secret link: feed readers cannot sign in. */
    async send(request: Request, { token = '' }: Parameters): Promise<Response> {
      const language = new URL(request.url).searchParams.get('lang') ?? 'zh-CN'
      if (!['zh-CN', 'zh-TW', 'en'].includes(language))
        return problem('invalid_parameter', { detail: '"lang" must be zh-CN, zh-TW or en.' })
      try {
        const account = await store.findFeedAccount(token)
        if (!account)
          return problem('feed_not_found', { detail: 'There is no feed at this link. It may have been renewed.' })
        const alerts: Alert[] = await store.listAlerts(account, { before: Number.MAX_SAFE_INTEGER, limit: feedLength })
        const communities = await readCommunities().catch(() => [])
        const id = toId('feed', account)
        const text = createAtomFeed({ alerts, communities, language: language as Language, origin: origins[0], id })
        const headers = {
          'content-type': 'application/atom+xml; charset=utf-8',
          'cache-control': 'private, max-age=60',
        }
        return new Response(text, { headers: { ...headers, 'x-robots-tag': 'noindex' } })
      } catch (error) {
        console.error(`Alerts cannot be reached: ${summarizeError(error)}.`)
        return problem('unavailable', { detail: 'Alerts are not available. Try again later.', retryAfter: 5 })
      }
    },
  }
}

/**
 * Returns whether a text can be the id of a community or webhook. PostgreSQL rejects some other texts, such as those
 * with a null byte, which would look like a server fault.
 */
const isId = (text: string): boolean => /^[\w.-]{1,100}$/.test(text)

const noWebhook = () => problem('webhook_not_found', { detail: 'You have no such webhook.' })

function answerError(error: unknown): Response {
  if (error instanceof AlertLimitError)
    return problem(error.of === 'watches' ? 'too_many_watches' : 'too_many_webhooks', { detail: error.message })
  if (error instanceof WebhookTargetError) return problem('invalid_webhook', { detail: error.message })
  if (error instanceof WatchedEventsError)
    return error.status === 404
      ? problem('community_not_found', { detail: 'There is no community with this id.' })
      : problem('unavailable', { detail: 'The index does not answer. Try again later.', retryAfter: 5 })
  throw error
}
