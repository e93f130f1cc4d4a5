import * as z from 'zod'
import { addressPattern, prefixPattern } from './address.ts'
import { dayPattern, isDay, isTimeZone } from './days.ts'
import type { problems } from './problems.ts'
import {
  type AccountId,
  accountRoutes,
  type LookupId,
  lookupRoutes,
  type OperationId,
  pageRoutes,
  type Routes,
  type ServiceId,
  serviceRoutes,
  splitRoute,
} from './routes.ts'
import * as schemas from './schemas.ts'

type ProblemCode = keyof typeof problems
type Responses = typeof schemas.responses
/** A JSON body with its schema, or a body of another type. */
export type Content = { schema: z.ZodType } | { type: BodyType }
type BodyType =
  | 'text/csv'
  | 'application/vnd.apache.parquet'
  | 'text/html'
  | 'application/atom+xml'
  | 'text/event-stream'
  | 'application/json'
/** A parameter in the query of an operation. */
export type QueryParameter = {
  schema: z.ZodType
  description: string
  /** Completes "it must be …". Not needed for a list of values. */
  expected?: string
  isRequired?: true
}

/** Days, as 2026-12-01, since which an operation is deprecated, and from which it may be gone, and what to use instead. */
export type Deprecation = { since: string; sunset: string; instead: string }

/** Input and output of an operation. Its route is in `routes.ts`, the schema of its response in `responses`. */
type Details<id extends OperationId> = {
  summary: string
  query?: Record<string, QueryParameter>
  body?: Content
  /** Problems in addition to those of every operation. */
  problems: readonly ProblemCode[]
  deprecated?: Deprecation
} & (id extends keyof Responses ? { type?: never } : { type: BodyType })
type DetailsOf<routes extends Partial<Routes>> = { [id in keyof routes & OperationId]: Details<id> }

export type Operation = (
  | { tag: 'lookups'; id: LookupId }
  | { tag: 'accounts'; id: AccountId }
  | { tag: 'service'; id: ServiceId }
) & {
  /** `get` also answers HEAD. */
  method: 'get' | 'post' | 'put' | 'delete'
  /** Path below `/v1`, with its parameters in braces. */
  path: string
  summary: string
  query?: Record<string, QueryParameter>
  body?: Content
  /** `schemas.nothing` means 204. */
  response: Content
  problems: readonly ProblemCode[]
  /** At least six months before it ends. */
  deprecated?: Deprecation
}

/** Schemas of the path parameters. */
export const pathParameters = {
  community: { schema: z.string(), description: 'Id of a community, as listed by `/communities`.' },
  address: {
    schema: z.string().regex(addressPattern),
    description: 'An address in any case. If it is in mixed case, its checksum must be correct.',
  },
  webhook: { schema: z.string().regex(/^[\w-]{1,40}$/), description: 'Id of a webhook of the account.' },
  token: { schema: z.string().regex(/^[\w-]{22}$/), description: 'The secret of a feed.' },
} as const

/** Largest number of items per page. */
const pageLimit = 200
const limit = {
  schema: z
    .int()
    .min(1)
    .transform((items) => Math.min(items, pageLimit))
    .default(50),
  expected: 'a whole number of at least 1',
  description: 'Maximum number of items per page. Values above 200 are treated as 200.',
}
const cursor = { schema: z.string(), description: 'The `nextCursor` of the previous page of the same query.' }

const queryAddress = { ...pathParameters.address, expected: 'an address: 0x and 40 hex digits' } as const
const pair = { a: { ...queryAddress, isRequired: true }, b: { ...queryAddress, isRequired: true } } as const

/** The largest 32-bit number is reserved. */
const largest = 2 ** 32 - 2
const whole = { schema: z.int().min(0).max(largest), expected: `a whole number from 0 to ${largest}` }
const positive = { schema: z.int().min(1).max(largest), expected: `a whole number from 1 to ${largest}` }
const prefix = {
  schema: z.string().regex(prefixPattern).toLowerCase(),
  description: 'Start of an address: 0x and 2 to 40 hex digits.',
  expected: 'the start of an address: 0x and 2 to 40 hex digits',
}
const order = {
  schema: z.enum(['asc', 'desc']),
  description: 'Defaults to `asc` for `joined`, otherwise to `desc`.',
}
/** Zone of the days in a query and in its answer. */
const tz = {
  schema: z.string().refine(isTimeZone).default('UTC'),
  expected: 'the name of a time zone, such as Asia/Shanghai',
  description: 'Time zone of all days, such as Asia/Shanghai.',
}
const time = {
  schema: z.union([whole.schema, z.string().regex(dayPattern).refine(isDay)]),
  expected: `a day as 2026-06-01, or Unix seconds: ${whole.expected}`,
}
/** Filters of a downline. All that are given must match. */
export const filters = {
  joinedFrom: {
    ...time,
    description:
      'Joined on this day or later, or from this time on in Unix seconds. Members without a date are left out.',
  },
  joinedTo: {
    ...time,
    description:
      'Joined on this day or earlier, or up to this time in Unix seconds. Members without a date are left out.',
  },
  grade: {
    schema: z.string().regex(/^(exact|between|observed)(,(exact|between|observed)){0,2}$/),
    description:
      'Grade of the bind: `exact`, `between` or `observed`, or several with commas. Those that are not exact have no date.',
    expected: 'exact, between or observed, or several with commas',
  },
  levelFrom: {
    ...positive,
    description: 'On this level or below it. Not together with `level`.',
  },
  levelTo: {
    ...positive,
    description: 'On this level or above it. Not together with `level`.',
  },
  minTeam: { ...whole, description: 'At least so many members below.' },
  minVolume: {
    schema: z.string().regex(/^\d{1,78}$/),
    description: 'At least this much own plus team volume, in the token’s smallest unit.',
    expected: 'an amount in the smallest unit: 1 to 78 digits',
  },
  activeSince: {
    ...time,
    description: 'The newest volume or reward is of this day or later, or of this time in Unix seconds.',
  },
  prefix,
  bound: {
    schema: z.enum(['true', 'false']),
    description: 'Has a bind of its own. All members below another have one, so `false` returns an empty list.',
  },
} as const

const tx = {
  schema: z.enum(['true', 'false']),
  description: '`true` adds the transaction of each exact bind, which takes longer.',
}

const mapQuery = {
  by: {
    schema: z.enum(['members', 'volume']).default('members'),
    description: 'What makes a leg large: its members, or its own and team volume.',
  },
  tz,
} as const

/** Matches a past moment: a day or the number of a block. */
export const momentPattern = /^(\d{4}-\d{2}-\d{2}|\d{1,10})$/
const moment = {
  schema: z
    .string()
    .regex(momentPattern)
    .refine((text) => isDay(text) || !text.includes('-')),
  description: 'A day as 2026-06-01, meaning its end, or the number of a block.',
  expected: 'a day as 2026-06-01, or the number of a block',
}

/** Returns whether a parameter is a past moment. */
export const isMomentParameter = (parameter: QueryParameter | undefined): boolean => parameter?.schema === moment.schema

const asOf = { ...moment, description: 'As it was at the end of a day as 2026-06-01, or at a block.' }
const pastAmounts = {
  schema: z.enum(['true', 'false']),
  description: '`true` adds amounts, which takes longer. Only with `asOf`.',
}
const ofMoment = [
  'invalid_parameter',
  'moment_in_future',
  'moment_before_start',
  'moment_uncertain',
  'block_not_indexed',
  'too_costly',
] as const

/** A range of days or blocks, which may be open at both ends. */
const range = {
  from: {
    ...moment,
    description: 'The first day, as 2026-06-01, or the block after which the range begins. Defaults to the beginning.',
  },
  to: { ...moment, description: 'The last day, as 2026-06-30, or the last block. Defaults to now.' },
  tz,
} as const
const interval = {
  schema: schemas.growthInterval.default('day'),
  description: 'Days, weeks from Monday, or months.',
}
const risersQuery = {
  by: {
    schema: z.enum(['members', 'volume', 'rewards']).default('members'),
    description: 'What came to the team: members who joined in the range, or amounts of the team at its end.',
  },
  ...range,
  limit: { ...limit, schema: limit.schema.unwrap().default(10) },
} as const
const activityQuery = {
  interval,
  from: { ...time, description: 'The first day or time. Defaults to 30 days, 26 weeks or 24 months before `to`.' },
  to: { ...time, description: 'The last day or time, whose members and teams are counted. Defaults to now.' },
  tz,
} as const
const ofActivity = ['invalid_parameter', 'too_costly', 'unavailable'] as const
const statuses = 'bound|self|duplicate|cycle'

const ofEvents = {
  kind: {
    schema: z.enum(['bind', 'referral', 'reward', 'volume']),
    description: 'Only events of this kind. `referral` is a bind of another address that names the member.',
  },
} as const

const ofCommunity = ['community_not_found', 'withheld', 'indexing'] as const
const ofMember = [...ofCommunity, 'member_not_found', 'invalid_address'] as const
const ofBody = ['invalid_body', 'payload_too_large', 'unsupported_media_type'] as const
const ofFilters = ['contradictory_filter', 'too_many_filters'] as const
const ofLabels = ['unauthenticated', 'cross_site', 'unavailable'] as const
const ofLabelsBody = ['invalid_label', 'too_many_labels', 'payload_too_large', 'unsupported_media_type'] as const
const ofJson = ['payload_too_large', 'unsupported_media_type'] as const
const ofSession = ['cross_site', 'unavailable', 'invalid_session'] as const

/** Describes a file of a whole community as CSV. */
const csvFile = <code extends ProblemCode>(content: string, own: readonly code[]) =>
  ({
    summary: `${content}, as CSV`,
    query: {
      tz: { ...tz, description: 'Time zone of days, and of the times that spreadsheets read, such as Asia/Shanghai.' },
    },
    type: 'text/csv',
    problems: [...ofCommunity, 'invalid_parameter', ...own],
  }) as const

/** Describes a file of a whole community as Parquet. */
const parquetFile = <code extends ProblemCode>(content: string, own: readonly code[]) =>
  ({
    summary: `${content}, as Parquet`,
    type: 'application/vnd.apache.parquet',
    problems: [...ofCommunity, 'invalid_parameter', ...own],
  }) as const

const lookups = {
  communities: { summary: 'All communities', problems: ['indexing', 'invalid_parameter'] },
  addresses: {
    summary: 'Card of an address in every community, or that it is no member there; without `tx`',
    problems: ['indexing', 'invalid_address', 'invalid_parameter'],
  },
  metrics: {
    summary: 'Totals, daily series, levels, distribution and leaders of a community',
    query: {
      asOf,
      tz,
      series: {
        schema: z.enum(['full', 'members']).default('full'),
        description: '`members`: days with their new members only. The rest of them is most of the answer.',
      },
      depthFrom: { ...whole, description: 'First depth in `depths`.' },
      depthTo: { ...whole, description: 'Last depth in `depths`.' },
    },
    problems: [...ofCommunity, ...ofMoment, 'contradictory_filter', 'unavailable'],
  },
  map: {
    summary: 'Map of a community: its largest legs, and the rest beside them',
    query: mapQuery,
    problems: [...ofCommunity, 'invalid_parameter'],
  },
  risers: {
    summary: 'Members whose teams grew most in a range of days or blocks, with their ranks',
    query: risersQuery,
    problems: [...ofCommunity, ...ofMoment, 'unavailable'],
  },
  activity: {
    summary: 'Number of members who were bound, bought or brought a member, by day, week or month',
    query: activityQuery,
    problems: [...ofCommunity, ...ofActivity],
  },
  search: {
    summary: 'Members whose address starts with a prefix',
    query: {
      q: { ...prefix, isRequired: true },
      limit,
    },
    problems: [...ofCommunity, 'invalid_parameter'],
  },
  events: {
    summary: 'Binds with their status: the newest, those of a range of days, or all from the oldest on',
    query: {
      from: { ...time, description: 'Of this day or later, or of this time in Unix seconds. Not with `status`.' },
      to: { ...time, description: 'Of this day or earlier, or of this time in Unix seconds. Not with `status`.' },
      tz,
      order: {
        schema: z.enum(['asc', 'desc']).default('desc'),
        description:
          '`asc`: from the oldest on, of final blocks only, with `resume` to go on later. For programs that keep a copy. Not with `status`.',
      },
      status: {
        schema: z.string().regex(new RegExp(`^(${statuses})(,(${statuses})){0,3}$`)),
        description:
          'Only binds of this status: `bound`, or the irregular `self`, `duplicate` and `cycle`, or several with commas. A page may have fewer items than `limit`.',
        expected: 'bound, self, duplicate or cycle, or several with commas',
      },
      limit,
      cursor,
    },
    problems: [
      ...ofCommunity,
      'invalid_parameter',
      'invalid_cursor',
      'contradictory_filter',
      'events_replaced',
      'unavailable',
    ],
  },
  eventsCsv: csvFile('All binds, volumes and rewards at one block, the oldest first', ['unavailable']),
  eventsParquet: parquetFile('All binds, volumes and rewards at one block, the oldest first', ['unavailable']),
  seriesCsv: csvFile('New and all members, volume and rewards of each day', []),
  seriesParquet: { ...parquetFile('New and all members, volume and rewards of each day', []), query: { tz } },
  roots: {
    summary: 'Members without a referrer, and placeholders, with their number',
    query: {
      sort: {
        schema: z.enum(['joined', 'team', 'volume']).default('team'),
        description:
          '`volume` is own plus team volume. Equal ones are in the order first seen; by `joined`, placeholders are last.',
      },
      order,
      tx,
      limit,
      cursor,
    },
    problems: [...ofCommunity, 'invalid_parameter', 'invalid_cursor'],
  },
  rootsCsv: csvFile('All roots at one block, in the order first seen', ['unavailable']),
  membersCsv: csvFile('All members at one block, in join order', ['unavailable']),
  membersParquet: parquetFile('All members at one block, in join order', ['unavailable']),
  relation: {
    summary: 'How two members are related, and the nearest address at or above both',
    query: { ...pair, asOf, tz },
    problems: [...ofMember, ...ofMoment],
  },
  line: {
    summary: 'The line between two members: up from `a`, then down to `b`',
    query: { ...pair, asOf, tz, tx, limit, cursor },
    problems: [...ofMember, ...ofMoment, 'invalid_cursor'],
  },
  pairBinds: {
    summary:
      'Binds that concern the teams of two members, the oldest first, with the bind that held instead of each irregular one',
    query: {
      ...pair,
      from: { ...time, description: 'First day or Unix time.' },
      to: { ...time, description: 'Last day or Unix time.' },
      asOf,
      tz,
      limit,
      cursor,
    },
    problems: [...ofMember, ...ofMoment, 'invalid_cursor', 'contradictory_filter', 'unavailable'],
  },
  batch: {
    summary: 'Cards of up to 500 members in the requested order, each with its own error',
    body: { schema: schemas.batchRequest },
    problems: [...ofCommunity, ...ofBody, 'invalid_parameter'],
  },
  member: {
    summary: 'Card of a member; `tx` is also null when the database does not return it in time',
    query: { asOf, amounts: pastAmounts, tz },
    problems: [...ofMember, ...ofMoment],
  },
  levels: {
    summary: 'Number of members and volume on each level below a member',
    query: {
      levelFrom: { ...positive, description: 'First level.' },
      levelTo: { ...positive, description: 'Last level.' },
      asOf,
      amounts: pastAmounts,
      tz,
    },
    problems: [...ofMember, ...ofMoment, 'contradictory_filter'],
  },
  growth: {
    summary: 'Growth of a member’s team over time',
    query: { interval, tz },
    problems: [...ofMember, 'invalid_parameter'],
  },
  compare: {
    summary: 'A team before and after a range of days or blocks: who came, which legs grew, and the amounts in between',
    query: {
      from: {
        ...moment,
        description: 'The first day, as 2026-06-01, or the block after which the range begins.',
        isRequired: true,
      },
      to: { ...moment, description: 'The last day, as 2026-06-30, or the last block.', isRequired: true },
      tz,
    },
    problems: [...ofMember, ...ofMoment],
  },
  amounts: {
    summary: 'Own and team volume and rewards in a range of days or blocks, in all and by day, week or month',
    query: { interval, ...range },
    problems: [...ofMember, ...ofMoment, 'unavailable'],
  },
  ranks: {
    summary:
      'Place by team and by directs, among the directs of its referrer and in the community; equal members alike',
    problems: [...ofMember, 'invalid_parameter'],
  },
  teamRisers: {
    summary: 'Members of a team whose own teams grew most in a range of days or blocks, with their ranks',
    query: risersQuery,
    problems: [...ofMember, ...ofMoment, 'unavailable'],
  },
  teamActivity: {
    summary: 'Number of members of a team who were bound, bought or brought a member, by day, week or month',
    query: activityQuery,
    problems: [...ofMember, ...ofActivity],
  },
  teamMap: {
    summary: 'Map of a team: its largest legs, and the rest beside them',
    query: mapQuery,
    problems: [...ofMember, 'invalid_parameter'],
  },
  referrals: {
    summary: 'Members below a member: one level, or the whole downline, and those who pass a filter',
    query: {
      level: {
        schema: z.union([
          z
            .int()
            .min(1)
            .max(2 ** 32),
          z.literal('all'),
        ]),
        expected: '"all" or a whole number of at least 1',
        description:
          'Level counted from the member: 1 returns the direct referrals, `all` the whole downline. Defaults to 1, with a filter to `all`.',
      },
      sort: {
        schema: z.enum(['joined', 'team', 'volume', 'periodVolume', 'periodRewards']).default('joined'),
        description:
          '`volume` is own plus team volume. Equal members keep their join order. `periodVolume` and `periodRewards` list only members with such amounts, of their own or of their team, from `from` to `to`.',
      },
      from: {
        ...range.from,
        description: `Adds the amounts of a range to each member of the present downline. ${range.from.description}`,
      },
      to: range.to,
      order,
      ...filters,
      asOf,
      amounts: pastAmounts,
      tz,
      tx,
      limit,
      cursor,
    },
    problems: [...ofMember, 'invalid_parameter', 'invalid_cursor', ...ofFilters, ...ofMoment],
  },
  referralsCsv: {
    summary:
      'The whole downline or those who pass a filter, in join order, streamed as CSV in UTF-8 with a header line',
    query: {
      sort: {
        schema: z.enum(['joined', 'team', 'volume']).default('joined'),
        description: 'Only `joined`: another order is refused as `unsupported_order`.',
      },
      order: { ...order, description: 'Defaults to `asc`.' },
      from: { ...range.from, description: `Adds columns with the amounts of a range. ${range.from.description}` },
      to: range.to,
      ...filters,
      asOf,
      amounts: pastAmounts,
      tz,
    },
    type: 'text/csv',
    problems: [...ofMember, ...ofMoment, 'unsupported_order', ...ofFilters, 'unavailable'],
  },
  referrers: {
    summary: 'From a member’s referrer up to the root',
    query: {
      skip: {
        schema: z.int().min(0).default(0),
        expected: 'a whole number of at least 0',
        description: 'Number of nearest referrers to skip, to start further up. Not together with `cursor`.',
      },
      asOf,
      tz,
      tx,
      limit,
      cursor,
    },
    problems: [...ofMember, ...ofMoment, 'invalid_cursor'],
  },
  memberEvents: {
    summary:
      'Events of an address, member or not, newest first: its binds, those that name it as the referrer, volumes and rewards',
    query: { ...ofEvents, limit, cursor },
    problems: [...ofMember, 'invalid_parameter', 'invalid_cursor', 'unavailable'],
  },
  memberEventsCsv: {
    summary: 'All events of an address, newest first, streamed as CSV in UTF-8 with a header line',
    query: { ...ofEvents, tz },
    type: 'text/csv',
    problems: [...ofMember, 'invalid_parameter', 'unavailable'],
  },
} as const satisfies DetailsOf<typeof lookupRoutes>

const accounts = {
  nonce: { summary: 'A nonce for signing in, for this browser and ten minutes', problems: ofSession },
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
  },
  session: { summary: 'The signed-in account', problems: ofSession },
  signOut: {
    summary: 'Sign out',
    body: { type: 'application/json' },
    problems: [...ofSession, 'invalid_message', 'payload_too_large', 'unsupported_media_type'],
  },
  labels: { summary: 'Labels and watch list of the signed-in account', problems: ofLabels },
  mergeLabels: {
    summary: 'Add labels; of two for the same address the newer one is kept',
    body: { schema: schemas.labels },
    problems: [...ofLabels, ...ofLabelsBody],
  },
  removeLabels: { summary: 'Delete all labels', problems: ofLabels },
  saveLabel: {
    summary: 'Save the label of one address',
    body: { schema: schemas.labelContent },
    problems: [...ofLabels, ...ofLabelsBody, 'invalid_address'],
  },
  removeLabel: { summary: 'Delete the label of one address', problems: [...ofLabels, 'invalid_address'] },
  account: { summary: 'All that is stored of the signed-in account', problems: ofLabels },
  removeAccount: {
    summary: 'Delete all that is stored of the account, and sign it out everywhere',
    problems: ofLabels,
  },
  alerts: {
    summary: 'Alerts of the signed-in account, newest first',
    query: { limit, cursor },
    problems: [...ofLabels, 'invalid_parameter', 'invalid_cursor'],
  },
  readAlerts: {
    summary: 'Mark alerts up to a number as read',
    body: { schema: schemas.readMark },
    problems: [...ofLabels, ...ofJson, 'invalid_body'],
  },
  alertSettings: { summary: 'Watches, webhooks and feed of the signed-in account', problems: ofLabels },
  saveWatch: {
    summary:
      'Watch an address in a community, from now on and until 180 days after the last visit of the account, or 30 if it never came back',
    body: { schema: schemas.watchRules },
    problems: [...ofLabels, ...ofJson, 'invalid_address', 'community_not_found', 'invalid_watch', 'too_many_watches'],
  },
  removeWatch: { summary: 'Stop watching an address', problems: [...ofLabels, 'invalid_address'] },
  addWebhook: {
    summary: 'Deliver alerts to a URL, signed as Standard Webhooks says; the secret is shown once',
    body: { schema: schemas.webhookContent },
    problems: [...ofLabels, ...ofJson, 'invalid_webhook', 'too_many_webhooks'],
  },
  removeWebhook: { summary: 'Delete a webhook and its deliveries', problems: [...ofLabels, 'webhook_not_found'] },
  resumeWebhook: {
    summary: 'Try a webhook again, with what it has not got yet',
    problems: [...ofLabels, 'webhook_not_found'],
  },
  testWebhook: {
    summary: 'Send a test to a webhook, and return its answer',
    problems: [...ofLabels, 'webhook_not_found'],
  },
  renewFeed: { summary: 'Make a new secret link to the Atom feed; an earlier one ends', problems: ofLabels },
  removeFeed: { summary: 'End the Atom feed', problems: ofLabels },
  alertsFeed: {
    summary: 'Alerts as an Atom feed, for those who know its link',
    query: { lang: { schema: z.enum(['zh-CN', 'zh-TW', 'en']), description: 'Language of the texts.' } },
    type: 'application/atom+xml',
    problems: ['feed_not_found', 'invalid_parameter', 'unavailable'],
  },
} as const satisfies DetailsOf<typeof accountRoutes>

const service = {
  live: {
    summary: 'Tells of each change of a community, and of new alerts, as Server-Sent Events',
    query: {
      address: {
        ...queryAddress,
        description: 'Only changes that concern the team of this address.',
      },
    },
    type: 'text/event-stream',
    problems: [...ofCommunity, 'invalid_address'],
  },
  status: { summary: 'Progress of the index, and faults that the operator should fix', problems: [] },
  config: { summary: 'Settings that the web app loads first', problems: [] },
  health: { summary: 'Whether the process is running', problems: [] },
  ready: { summary: 'Whether lookups are ready and current', problems: ['indexing', 'unavailable'] },
  rpc: {
    summary: 'Read-only JSON-RPC calls, forwarded to a node',
    body: { schema: schemas.rpcRequest },
    problems: ['cross_site', 'payload_too_large', 'unsupported_media_type'],
  },
  name: {
    summary: 'Name of an account, if a name service is configured',
    query: { address: { ...queryAddress, isRequired: true } },
    problems: ['invalid_address', 'not_found'],
  },
  openapi: { summary: 'This document', type: 'application/json', problems: [] },
  docs: { summary: 'A page to try the API', type: 'text/html', problems: [] },
} as const satisfies DetailsOf<typeof pageRoutes & typeof serviceRoutes>

export type DetailsById = typeof lookups & typeof accounts & typeof service

/** Lists every operation of the API. The OpenAPI document and the server's allow-list are made from this list. */
export const operations: readonly Operation[] = [
  ...toOperations('lookups', lookupRoutes, lookups),
  ...toOperations('accounts', accountRoutes, accounts),
  ...toOperations('service', { ...pageRoutes, ...serviceRoutes }, service),
]

function toOperations(
  tag: Operation['tag'],
  routes: Partial<Routes>,
  details: { [id in OperationId]?: Details<id> },
): Operation[] {
  return (Object.keys(routes) as OperationId[]).map((id) => {
    const { method, path } = splitRoute(routes[id] as Routes[OperationId])
    const { type, ...rest } = details[id] as Details<OperationId>
    const response: Content = type ? { type } : { schema: schemas.responses[id as keyof Responses] }
    return { id, tag, method: method.toLowerCase(), path, response, ...rest } as Operation
  })
}

const toPattern = (path: string) => new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)

const patterns = operations.map((operation) => ({ operation, pattern: toPattern(operation.path) }))

/**
 * Returns the operation of a request; `undefined` if there is none. `path` is below `/v1`, without a query.
 *
 * @example findOperation('HEAD', '/communities/demo/metrics')?.id // 'metrics'
 */
export function findOperation(method: string, path: string): Operation | undefined {
  const asked = method === 'HEAD' ? 'get' : method.toLowerCase()
  return patterns.find(({ operation, pattern }) => operation.method === asked && pattern.test(path))?.operation
}

/** Pattern and methods of each path. */
const known = [...new Set(operations.map(({ path }) => path))].map((path) => ({
  pattern: toPattern(path),
  allow: operations
    .filter((operation) => operation.path === path)
    .map(({ method }) => (method === 'get' ? 'GET, HEAD' : method.toUpperCase()))
    .join(', '),
}))

/**
 * Lists the methods of a path below `/v1`, in the format of the `Allow` header. Returns `undefined` for a path
 * outside of the API.
 *
 * @example methodsOf('/communities/demo/members/batch') // 'POST'
 */
export function methodsOf(path: string): string | undefined {
  return known.find(({ pattern }) => pattern.test(path))?.allow
}
