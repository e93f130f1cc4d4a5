import * as z from 'zod'
import { community, member, referrer, toExample, txHash } from '../examples.ts'
import type { accountRoutes } from '../routes.ts'
import * as schemas from '../schemas.ts'
import type { DetailsOf } from './details.ts'
import { cursor, limit } from './parameters.ts'

const session = { address: member, chainId: 56, expiresAt: 1_764_288_000_000 }
const label = { address: member, text: 'Treasury', watched: true, updatedAt: 1_763_683_200 }
const { address: _, updatedAt, ...labelContent } = label
const rules = { directs: true, team: 'day', milestones: true, referrer: true, irregular: false, volumeFrom: null }
const watch = { community: community.id, address: referrer, rules, updatedAt }
const alert = {
  id: 'Zc8nU0s4hG6wq1Yt5bK2Lw',
  number: 42,
  kind: 'direct',
  community: community.id,
  address: referrer,
  time: 1_763_683_200,
  block: 68_123_456,
  hash: txHash,
  logIndex: 87,
  member,
  referrer,
  from: null,
  status: 'bound',
  amount: null,
  members: null,
  isUndated: false,
  webhook: null,
  retracts: null,
  isRetracted: false,
  isRead: false,
}
const delivery = { alert: alert.id, at: 1_763_683_201, status: 200, milliseconds: 31, answer: 'ok' }
const webhook = {
  id: '5Yd0Jm2kQw8',
  url: 'https://hooks.example/lineage',
  state: 'active',
  failingSince: null,
  deliveries: [delivery],
}
const message = `lineage.example wants you to sign in with your Ethereum account:
${member}

URI: https://lineage.example
Version: 1
Chain ID: 56
Nonce: 8f2hs01kq7x3m9z4
Issued At: 2025-11-21T00:00:00.000Z`

const ofLabels = ['unauthenticated', 'cross_site', 'unavailable'] as const
const ofLabelsBody = ['invalid_label', 'too_many_labels', 'payload_too_large', 'unsupported_media_type'] as const
const ofJson = ['payload_too_large', 'unsupported_media_type'] as const
const ofSession = ['cross_site', 'unavailable', 'invalid_session'] as const

export const accounts = {
  nonce: {
    summary: 'A nonce for signing in, for this browser and ten minutes',
    problems: ofSession,
    example: toExample({ nonce: '8f2hs01kq7x3m9z4' }),
  },
  verify: {
    summary: 'Sign in with an EIP-4361 message',
    body: { schema: schemas.signedMessage },
    problems: [
      ...ofSession,
      'payload_too_large',
      'unsupported_media_type',
      'invalid_message',
      'wrong_domain',
      'wrong_uri',
      'wrong_chain',
      'message_expired',
      'message_not_yet_valid',
      'invalid_nonce',
      'nonce_expired',
      'nonce_used',
      'invalid_signature',
    ],
    example: toExample(session, { message, signature: `0x${'1b'.repeat(65)}` }),
  },
  session: { summary: 'The signed-in account', problems: ofSession, example: toExample(session) },
  signOut: {
    summary: 'Sign out',
    body: { type: 'application/json' },
    problems: [...ofSession, 'invalid_message', 'payload_too_large', 'unsupported_media_type'],
    example: toExample(undefined, {}),
  },
  labels: {
    summary: 'Labels and watch list of the signed-in account',
    problems: ofLabels,
    example: toExample({ items: [label] }),
  },
  mergeLabels: {
    summary: 'Add labels; of two for the same address the newer one is kept',
    body: { schema: schemas.labels },
    problems: [...ofLabels, ...ofLabelsBody],
    example: toExample({ items: [label] }, { items: [label] }),
  },
  removeLabels: { summary: 'Delete all labels', problems: ofLabels },
  saveLabel: {
    summary: 'Save the label of one address',
    body: { schema: schemas.labelContent },
    problems: [...ofLabels, ...ofLabelsBody, 'invalid_address'],
    example: toExample(label, labelContent),
  },
  removeLabel: { summary: 'Delete the label of one address', problems: [...ofLabels, 'invalid_address'] },
  account: {
    summary: 'All that is stored of the signed-in account',
    problems: ofLabels,
    example: toExample({
      address: member,
      labels: [label],
      watches: [watch],
      alerts: [alert],
      webhooks: [webhook],
      sessions: [{ chainId: 56, expiresAt: session.expiresAt }],
    }),
  },
  removeAccount: {
    summary: 'Delete all that is stored of the account, and sign it out everywhere',
    problems: ofLabels,
  },
  alerts: {
    summary: 'Alerts of the signed-in account, newest first',
    query: { limit, cursor },
    problems: [...ofLabels, 'invalid_parameter', 'invalid_cursor'],
    example: toExample({ items: [alert], unread: 1, nextCursor: null }),
  },
  readAlerts: {
    summary: 'Mark alerts up to a number as read',
    body: { schema: schemas.readMark },
    problems: [...ofLabels, ...ofJson, 'invalid_body'],
    example: toExample(undefined, { upTo: 42 }),
  },
  alertSettings: {
    summary: 'Watches, webhooks and feed of the signed-in account',
    problems: ofLabels,
    example: toExample({
      watches: [watch],
      webhooks: [webhook],
      webhooksOffered: 'on',
      feed: 'on',
      limits: { watches: 50, webhooks: 5 },
    }),
  },
  saveWatch: {
    summary:
      'Watch an address in a community, from now on and until 180 days after the last visit of the account, or 30 if it never came back',
    body: { schema: schemas.watchRules },
    problems: [...ofLabels, ...ofJson, 'invalid_address', 'community_not_found', 'invalid_watch', 'too_many_watches'],
    example: toExample(watch, rules),
  },
  removeWatch: { summary: 'Stop watching an address', problems: [...ofLabels, 'invalid_address'] },
  addWebhook: {
    summary: 'Deliver alerts to a URL, signed as Standard Webhooks says; the secret is shown once',
    body: { schema: schemas.webhookContent },
    problems: [...ofLabels, ...ofJson, 'invalid_webhook', 'too_many_webhooks'],
    example: toExample(
      { ...webhook, deliveries: [], secret: 'whsec_bGluZWFnZSBsaW5lYWdlIGxpbmVhZ2U=' },
      { url: webhook.url },
    ),
  },
  removeWebhook: { summary: 'Delete a webhook and its deliveries', problems: [...ofLabels, 'webhook_not_found'] },
  resumeWebhook: {
    summary: 'Try a webhook again, with what it has not got yet',
    problems: [...ofLabels, 'webhook_not_found'],
  },
  testWebhook: {
    summary: 'Send a test to a webhook, and return its answer',
    problems: [...ofLabels, 'webhook_not_found'],
    example: toExample({ ...delivery, alert: null }),
  },
  renewFeed: {
    summary: 'Make a new secret link to the Atom feed; an earlier one ends',
    problems: ofLabels,
    example: toExample({ path: '/v1/feeds/q1Yt5bK2LwZc8nU0s4hG6w' }),
  },
  removeFeed: { summary: 'End the Atom feed', problems: ofLabels },
  alertsFeed: {
    summary: 'Alerts as an Atom feed, for those who know its link',
    query: { lang: { schema: z.enum(['zh-CN', 'zh-TW', 'en']), description: 'Language of the texts.' } },
    type: 'application/atom+xml',
    problems: ['feed_not_found', 'invalid_parameter', 'unavailable'],
    example: toExample('<feed xmlns="http://www.w3.org/2005/Atom"><title>Lineage</title></feed>'),
  },
} satisfies DetailsOf<typeof accountRoutes>
