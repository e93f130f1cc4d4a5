import * as z from 'zod'
import type { problems } from './problems.ts'
import * as schemas from './schemas.ts'

type ProblemCode = keyof typeof problems
/** What an answer or a body holds: what a schema says, or a type alone. */
export type Content = { schema: z.ZodType } | { type: 'text/csv' | 'text/html' | 'application/json' }

/** One thing that can be asked of the API. */
export type Operation = {
  /** `get` answers HEAD as well. */
  method: 'get' | 'post' | 'put' | 'delete'
  /** Below `/v1`, its parameters in braces. */
  path: string
  id: string
  tag: 'lookups' | 'accounts' | 'service'
  summary: string
  query?: Record<string, { schema: z.ZodType; description: string; isRequired?: true }>
  body?: Content
  /** `schemas.nothing`: 204. */
  answer: Content
  /** Besides those that every operation may answer with. */
  problems: readonly ProblemCode[]
}

/** What each parameter in a path must be. */
export const pathParameters = {
  community: { schema: z.string(), description: 'The id of a community, as `/communities` lists it.' },
  address: {
    schema: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
    description: 'An address in any case. In mixed case its checksum must be right.',
  },
} as const

const limit = {
  schema: z.int().min(1).default(50),
  description: 'How many items a page has at most; more than 200 count as 200.',
}
const cursor = { schema: z.string(), description: 'The `nextCursor` of the page before, of the same query.' }

const ofCommunity = ['community_not_found', 'indexing'] as const
const ofMember = [...ofCommunity, 'member_not_found', 'invalid_address'] as const
const ofBody = ['invalid_body', 'payload_too_large', 'unsupported_media_type'] as const
const ofLabels = ['unauthenticated', 'cross_site', 'unavailable'] as const
const ofLabelsBody = ['invalid_label', 'too_many_labels', 'payload_too_large', 'unsupported_media_type'] as const
const ofSession = ['cross_site', 'unavailable', 'invalid_session'] as const

const member = '/communities/{community}/members/{address}'

/** The whole API: what the OpenAPI document says, and what the server lets through. */
export const operations: readonly Operation[] = [
  {
    method: 'get',
    path: '/communities',
    id: 'communities',
    tag: 'lookups',
    summary: 'All communities',
    answer: { schema: schemas.communities },
    problems: ['indexing'],
  },
  {
    method: 'get',
    path: '/communities/{community}/metrics',
    id: 'metrics',
    tag: 'lookups',
    summary: 'Totals of a community, their course by day, levels, distribution and leaders',
    answer: { schema: schemas.metrics },
    problems: ofCommunity,
  },
  {
    method: 'get',
    path: '/communities/{community}/search',
    id: 'search',
    tag: 'lookups',
    summary: 'Members by the beginning of their address',
    query: {
      q: {
        schema: z.string().regex(/^0x[0-9a-fA-F]{2,40}$/),
        description: 'The beginning of an address: 0x and 2 to 40 hex digits.',
        isRequired: true,
      },
      limit,
    },
    answer: { schema: schemas.search },
    problems: [...ofCommunity, 'invalid_parameter'],
  },
  {
    method: 'get',
    path: '/communities/{community}/events',
    id: 'events',
    tag: 'lookups',
    summary: 'The latest binds, with what became of each',
    query: { limit, cursor },
    answer: { schema: schemas.events },
    problems: [...ofCommunity, 'invalid_parameter', 'invalid_cursor'],
  },
  {
    method: 'post',
    path: '/communities/{community}/members/batch',
    id: 'batch',
    tag: 'lookups',
    summary: 'The cards of up to 500 members at once, in the order asked for, each with its own error',
    body: { schema: schemas.batchRequest },
    answer: { schema: schemas.batch },
    problems: [...ofCommunity, ...ofBody],
  },
  {
    method: 'get',
    path: member,
    id: 'member',
    tag: 'lookups',
    summary: 'The card of a member; `tx` is null also where the database does not tell it in time',
    answer: { schema: schemas.member },
    problems: ofMember,
  },
  {
    method: 'get',
    path: `${member}/levels`,
    id: 'levels',
    tag: 'lookups',
    summary: 'How many there are on each level below a member, and their volume',
    answer: { schema: schemas.levels },
    problems: ofMember,
  },
  {
    method: 'get',
    path: `${member}/growth`,
    id: 'growth',
    tag: 'lookups',
    summary: 'How the team of a member has grown',
    query: {
      interval: {
        schema: schemas.growthInterval.default('day'),
        description: 'UTC days, weeks from Monday, or months.',
      },
    },
    answer: { schema: schemas.growth },
    problems: [...ofMember, 'invalid_parameter'],
  },
  {
    method: 'get',
    path: `${member}/referrals`,
    id: 'referrals',
    tag: 'lookups',
    summary: 'Who is below a member: one level, or all',
    query: {
      level: {
        schema: z.union([z.int().min(1), z.literal('all')]).default(1),
        description: '1 are the direct referrals; `all` is the whole downline.',
      },
      sort: {
        schema: z.enum(['joined', 'team', 'volume']).default('joined'),
        description: '`volume` is own and team volume together. Equals stand in join order.',
      },
      order: {
        schema: z.enum(['asc', 'desc']),
        description: 'Without it: `asc` by `joined`, `desc` by the others.',
      },
      limit,
      cursor,
    },
    answer: { schema: schemas.referrals },
    problems: [...ofMember, 'invalid_parameter', 'invalid_cursor'],
  },
  {
    method: 'get',
    path: `${member}/referrals.csv`,
    id: 'referralsCsv',
    tag: 'lookups',
    summary: 'The whole downline in join order, as a table in UTF-8 with a head; streamed',
    answer: { type: 'text/csv' },
    problems: ofMember,
  },
  {
    method: 'get',
    path: `${member}/referrers`,
    id: 'referrers',
    tag: 'lookups',
    summary: 'From a member’s referrer up to the root',
    query: {
      skip: {
        schema: z.int().min(0).default(0),
        description:
          'How many of the nearest referrers to leave out, to begin anywhere in a long line. Not with `cursor`.',
      },
      limit,
      cursor,
    },
    answer: { schema: schemas.referrers },
    problems: [...ofMember, 'invalid_parameter', 'invalid_cursor'],
  },
  {
    method: 'get',
    path: '/auth/nonce',
    id: 'nonce',
    tag: 'accounts',
    summary: 'A nonce to sign in with, for this browser and ten minutes',
    answer: { schema: schemas.nonce },
    problems: ofSession,
  },
  {
    method: 'post',
    path: '/auth/verify',
    id: 'verify',
    tag: 'accounts',
    summary: 'Signs in with a message of EIP-4361',
    body: { schema: schemas.signedMessage },
    answer: { schema: schemas.session },
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
  {
    method: 'get',
    path: '/auth/session',
    id: 'session',
    tag: 'accounts',
    summary: 'Who is signed in',
    answer: { schema: schemas.session },
    problems: ofSession,
  },
  {
    method: 'post',
    path: '/auth/signout',
    id: 'signOut',
    tag: 'accounts',
    summary: 'Signs out',
    body: { type: 'application/json' },
    answer: { schema: schemas.nothing },
    problems: [...ofSession, 'invalid_message', 'payload_too_large', 'unsupported_media_type'],
  },
  {
    method: 'get',
    path: '/labels',
    id: 'labels',
    tag: 'accounts',
    summary: 'The signed-in account’s labels and watch list',
    answer: { schema: schemas.labels },
    problems: ofLabels,
  },
  {
    method: 'put',
    path: '/labels',
    id: 'mergeLabels',
    tag: 'accounts',
    summary: 'Adds labels; of two for one address the newer one stays',
    body: { schema: schemas.labels },
    answer: { schema: schemas.labels },
    problems: [...ofLabels, ...ofLabelsBody],
  },
  {
    method: 'delete',
    path: '/labels',
    id: 'removeLabels',
    tag: 'accounts',
    summary: 'Deletes all labels',
    answer: { schema: schemas.nothing },
    problems: ofLabels,
  },
  {
    method: 'get',
    path: '/labels/{address}',
    id: 'label',
    tag: 'accounts',
    summary: 'The label of one address',
    answer: { schema: schemas.label },
    problems: [...ofLabels, 'invalid_address', 'label_not_found'],
  },
  {
    method: 'put',
    path: '/labels/{address}',
    id: 'saveLabel',
    tag: 'accounts',
    summary: 'Writes the label of one address',
    body: { schema: schemas.labelContent },
    answer: { schema: schemas.label },
    problems: [...ofLabels, ...ofLabelsBody, 'invalid_address'],
  },
  {
    method: 'delete',
    path: '/labels/{address}',
    id: 'removeLabel',
    tag: 'accounts',
    summary: 'Deletes the label of one address',
    answer: { schema: schemas.nothing },
    problems: [...ofLabels, 'invalid_address'],
  },
  {
    method: 'get',
    path: '/labels.csv',
    id: 'labelsCsv',
    tag: 'accounts',
    summary: 'All labels as a table',
    answer: { type: 'text/csv' },
    problems: ofLabels,
  },
  {
    method: 'get',
    path: '/status',
    id: 'status',
    tag: 'service',
    summary: 'How far the index has come, and what a person should see to',
    answer: { schema: schemas.status },
    problems: [],
  },
  {
    method: 'get',
    path: '/health',
    id: 'health',
    tag: 'service',
    summary: 'Whether the process is there',
    answer: { schema: schemas.health },
    problems: [],
  },
  {
    method: 'get',
    path: '/ready',
    id: 'ready',
    tag: 'service',
    summary: 'Whether lookups are answered',
    answer: { schema: schemas.ready },
    problems: ['indexing'],
  },
  {
    method: 'get',
    path: '/config',
    id: 'config',
    tag: 'service',
    summary: 'What the web app needs to know before anything else',
    answer: { schema: schemas.config },
    problems: [],
  },
  {
    method: 'post',
    path: '/rpc',
    id: 'rpc',
    tag: 'service',
    summary: 'Read-only JSON-RPC calls, passed on to a node',
    body: { schema: schemas.rpcRequest },
    answer: { schema: schemas.rpcAnswer },
    problems: ['payload_too_large'],
  },
  {
    method: 'get',
    path: '/resolve-ens',
    id: 'name',
    tag: 'service',
    summary: 'What an account is called, if there is a name service',
    query: {
      address: { ...pathParameters.address, isRequired: true },
    },
    answer: { schema: schemas.accountName },
    problems: ['invalid_address', 'not_found'],
  },
  {
    method: 'get',
    path: '/openapi.json',
    id: 'openapi',
    tag: 'service',
    summary: 'This document',
    answer: { type: 'application/json' },
    problems: [],
  },
  {
    method: 'get',
    path: '/docs',
    id: 'docs',
    tag: 'service',
    summary: 'A page to try the API',
    answer: { type: 'text/html' },
    problems: [],
  },
]

/** Of each path its pattern and what it takes, those without parameters first. */
const known = [...new Set(operations.map(({ path }) => path))]
  .sort((left, right) => Number(left.includes('{')) - Number(right.includes('{')))
  .map((path) => ({
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    allow: operations
      .filter((operation) => operation.path === path)
      .map(({ method }) => (method === 'get' ? 'GET, HEAD' : method.toUpperCase()))
      .join(', '),
  }))
  // "batch" stands where an address stands.
  .sort((left, right) => Number(right.allow === 'POST') - Number(left.allow === 'POST'))

/**
 * The methods of a path below `/v1`, as the `Allow` header lists them; `undefined` for no path of the API.
 *
 * @example methodsOf('/communities/demo/members/batch') // 'POST'
 */
export function methodsOf(path: string): string | undefined {
  return known.find(({ pattern }) => pattern.test(path))?.allow
}
