import type { ResponseOf, Watch } from '@lineage/referral-api'
import type { Language } from '@lineage/referral-api/language'
import { readMark, watchRules, webhookContent } from '@lineage/referral-api/schemas'
import { createAtomFeed } from '../alerts/alertTexts.ts'
import { toId } from '../alerts/deriveAlerts.ts'
import { parseWebhookUrl, WebhookTargetError } from '../alerts/sendWebhook.ts'
import { AlertLimitError, alertLimits } from '../alerts/watchStore.ts'
import { summarizeFault } from '../database/database.ts'
import { type AppContext, apiPath } from '../http/handler.ts'
import { ProblemError, requireAddress } from '../lib/problem.ts'
import { hashNetworks } from '../lib/visitor.ts'
import { type AccountRequest, done, type ForAccount, readBody } from './forAccount.ts'
import { createCommunityReader } from './lookups.ts'
import type { Services } from './services.ts'

/** Largest body, in bytes. */
const bodyLimit = 8 * 1024
const [defaultLimit, mostLimit] = [50, 200]
/** Number of alerts in a feed. */
const feedLength = 50

/** Returns the handlers of `/v1/alerts` and of the Atom feed, by operation. */
export function createAlertHandlers({ read, change }: ForAccount, services: Services) {
  type AccountHandler = (accountRequest: AccountRequest) => Promise<Response>
  const withProblems = (handler: AccountHandler) => (accountRequest: AccountRequest) =>
    handler(accountRequest).catch(throwProblem)
  const lists = createLists(services)
  const watches = createWatches(services)
  const webhooks = createWebhooks(services)
  const feeds = createFeeds(services)
  return {
    alerts: read(lists.list),
    readAlerts: change(lists.markRead),
    alertSettings: read(lists.settings),
    saveWatch: change(withProblems(watches.save)),
    removeWatch: change(watches.remove),
    addWebhook: change(withProblems(webhooks.add)),
    removeWebhook: change(webhooks.remove),
    resumeWebhook: change(webhooks.resume),
    testWebhook: change(webhooks.test),
    renewFeed: change(feeds.renew),
    removeFeed: change(feeds.remove),
    alertsFeed: feeds.send,
  }
}

function createLists({ accounts: { alerts: store }, settings }: Services) {
  return {
    async list({ account, c }: AccountRequest): Promise<Response> {
      const { limit: limitText = String(defaultLimit), cursor } = c.req.query()
      if (!/^[1-9]\d{0,8}$/.test(limitText))
        throw new ProblemError('invalid_parameter', '"limit" must be a whole number of at least 1.')
      if (cursor !== undefined && !/^\d{1,15}$/.test(cursor))
        throw new ProblemError('invalid_cursor', 'Invalid cursor: it belongs to another list.')
      const limit = Math.min(Number(limitText), mostLimit)
      const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor)
      const items = await store.listAlerts(account, { before, limit })
      const last = items.at(-1)
      const nextCursor = last && items.length === limit ? String(last.number) : null
      const unread = await store.countUnread(account)
      return c.json({ items, unread, nextCursor } satisfies ResponseOf<'alerts'>)
    },
    async markRead(accountRequest: AccountRequest): Promise<Response> {
      const body = await readBody(accountRequest, { schema: readMark, invalid: 'invalid_body', limit: bodyLimit })
      await store.markRead(accountRequest.account, body.upTo)
      return done()
    },
    async settings({ account, c }: AccountRequest): Promise<Response> {
      const body: ResponseOf<'alertSettings'> = {
        watches: await store.listWatches(account),
        webhooks: await store.listWebhooks(account),
        webhooksOffered: settings.webhooks === 'off' ? 'off' : 'on',
        feed: (await store.hasFeed(account)) ? 'on' : 'off',
        limits: alertLimits,
      }
      return c.json(body)
    },
  }
}

function createWatches({ accounts: { alerts: store }, alerts, index, settings: { sessionSecrets } }: Services) {
  const readTarget = ({ c }: AccountRequest) => {
    const { community = '', address = '' } = c.req.param() as { community?: string; address?: string }
    return { community, address: requireAddress(address) }
  }
  return {
    async save(accountRequest: AccountRequest): Promise<Response> {
      const { account, c } = accountRequest
      const target = readTarget(accountRequest)
      const rules = await readBody(accountRequest, { schema: watchRules, invalid: 'invalid_watch', limit: bodyLimit })
      // Ask for the newest block, so that only later events raise alerts.
      const { asOf } = await index.findWatchedEvents(target.community, { addresses: [], after: null })
      const watch: Watch = { ...target, rules, updatedAt: Math.floor(Date.now() / 1_000) }
      await store.saveWatch(account, watch, asOf, hashNetworks(c.var.visitor, sessionSecrets[0]))
      alerts.noteWatch(target.community)
      return c.json(watch)
    },
    async remove(accountRequest: AccountRequest): Promise<Response> {
      const { community, address } = readTarget(accountRequest)
      if (isId(community)) await store.removeWatch(accountRequest.account, community, address)
      return done()
    },
  }
}

function createWebhooks({ accounts: { alerts: store }, alerts, settings: { webhooks: scope } }: Services) {
  const readId = ({ c }: AccountRequest) => {
    const id = c.req.param('webhook') ?? ''
    if (!isId(id)) throw noWebhook()
    return id
  }
  return {
    async add(accountRequest: AccountRequest): Promise<Response> {
      if (scope === 'off') throw new ProblemError('invalid_webhook', 'Webhooks are not offered here.')
      const given = { schema: webhookContent, invalid: 'invalid_webhook', limit: bodyLimit } as const
      const { url } = await readBody(accountRequest, given)
      return Response.json(await store.addWebhook(accountRequest.account, parseWebhookUrl(url, scope).href))
    },
    async remove(accountRequest: AccountRequest): Promise<Response> {
      if (await store.removeWebhook(accountRequest.account, readId(accountRequest))) return done()
      throw noWebhook()
    },
    async resume(accountRequest: AccountRequest): Promise<Response> {
      const id = readId(accountRequest)
      if (!(await store.resumeWebhook(accountRequest.account, id))) throw noWebhook()
      await alerts.deliver(id)
      return done()
    },
    async test(accountRequest: AccountRequest): Promise<Response> {
      const webhook = await store.findWebhook(accountRequest.account, readId(accountRequest))
      if (!webhook || scope === 'off') throw noWebhook()
      return Response.json(await alerts.test(webhook, toId('test', webhook.id, Date.now())))
    },
  }
}

function createFeeds({ accounts: { alerts: store }, index, settings: { origins } }: Services) {
  const readCommunities = createCommunityReader(index)
  return {
    async renew({ account, c }: AccountRequest): Promise<Response> {
      const path = apiPath('alertsFeed', await store.renewFeed(account))
      return c.json({ path } satisfies ResponseOf<'renewFeed'>)
    },
    async remove({ account }: AccountRequest): Promise<Response> {
      await store.removeFeed(account)
      return done()
    },
    /** Answers with the Atom feed that belongs to the secret link: feed readers cannot sign in. */
    async send(c: AppContext): Promise<Response> {
      const language = readLanguage(c.req.query('lang') ?? 'zh-CN')
      const { account, alerts } = await readFeed(c.req.param('token') ?? '').catch((error: unknown) => {
        console.error(`Alerts cannot be reached: ${summarizeFault(error)}.`)
        throw new ProblemError('unavailable', 'Alerts are not available. Try again later.', { retryAfter: 5 })
      })
      if (!account) throw new ProblemError('feed_not_found', 'There is no feed at this link. It may have been renewed.')
      const communities = await readCommunities().catch(() => [])
      const id = toId('feed', account)
      return c.body(createAtomFeed({ alerts, communities, language, origin: origins[0], id }), 200, {
        'content-type': 'application/atom+xml; charset=utf-8',
        'cache-control': 'private, max-age=60',
        'x-robots-tag': 'noindex',
      })
    },
  }

  async function readFeed(token: string) {
    const account = await store.findFeedAccount(token)
    const page = { before: Number.MAX_SAFE_INTEGER, limit: feedLength }
    return { account, alerts: account ? await store.listAlerts(account, page) : [] }
  }
}

function readLanguage(text: string): Language {
  if (text === 'zh-CN' || text === 'zh-TW' || text === 'en') return text
  throw new ProblemError('invalid_parameter', '"lang" must be zh-CN, zh-TW or en.')
}

/**
 * Returns whether a text can be the id of a community or webhook. PostgreSQL rejects some other texts, such as those
 * with a null byte, which would look like a server fault.
 */
const isId = (text: string): boolean => /^[\w.-]{1,100}$/.test(text)

const noWebhook = () => new ProblemError('webhook_not_found', 'You have no such webhook.')

function throwProblem(error: unknown): never {
  if (error instanceof AlertLimitError)
    throw new ProblemError(error.of === 'watches' ? 'too_many_watches' : 'too_many_webhooks', error.message)
  if (error instanceof WebhookTargetError) throw new ProblemError('invalid_webhook', error.message)
  throw error
}
