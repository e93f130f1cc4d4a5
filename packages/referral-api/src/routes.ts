/**
 * Method and path below `/v1` of every operation, by id, with the path's parameters in braces. `GET` also answers
 * `HEAD`.
 *
 * There are no schemas here, and several tables, so that a page's first load stays small. `operations.ts` has the
 * input of each operation, `responses` in `schemas.ts` its output.
 */
export const lookupRoutes = {
  communities: 'GET /communities',
  addresses: 'GET /addresses/{address}',
  metrics: 'GET /communities/{community}/metrics',
  map: 'GET /communities/{community}/map',
  risers: 'GET /communities/{community}/risers',
  activity: 'GET /communities/{community}/activity',
  search: 'GET /communities/{community}/search',
  events: 'GET /communities/{community}/events',
  eventsCsv: 'GET /communities/{community}/events.csv',
  eventsParquet: 'GET /communities/{community}/events.parquet',
  seriesCsv: 'GET /communities/{community}/series.csv',
  seriesParquet: 'GET /communities/{community}/series.parquet',
  roots: 'GET /communities/{community}/roots',
  rootsCsv: 'GET /communities/{community}/roots.csv',
  membersCsv: 'GET /communities/{community}/members.csv',
  membersParquet: 'GET /communities/{community}/members.parquet',
  relation: 'GET /communities/{community}/relation',
  line: 'GET /communities/{community}/relation/line',
  pairBinds: 'GET /communities/{community}/relation/binds',
  // Listed before `member`, because "batch" would otherwise match as an address.
  batch: 'POST /communities/{community}/members/batch',
  member: 'GET /communities/{community}/members/{address}',
  levels: 'GET /communities/{community}/members/{address}/levels',
  growth: 'GET /communities/{community}/members/{address}/growth',
  compare: 'GET /communities/{community}/members/{address}/compare',
  amounts: 'GET /communities/{community}/members/{address}/amounts',
  ranks: 'GET /communities/{community}/members/{address}/ranks',
  teamRisers: 'GET /communities/{community}/members/{address}/risers',
  teamActivity: 'GET /communities/{community}/members/{address}/activity',
  teamMap: 'GET /communities/{community}/members/{address}/map',
  referrals: 'GET /communities/{community}/members/{address}/referrals',
  referralsCsv: 'GET /communities/{community}/members/{address}/referrals.csv',
  referrers: 'GET /communities/{community}/members/{address}/referrers',
  memberEvents: 'GET /communities/{community}/members/{address}/events',
  memberEventsCsv: 'GET /communities/{community}/members/{address}/events.csv',
} as const

/** State and settings that every page needs. */
export const pageRoutes = { status: 'GET /status', config: 'GET /config' } as const

export const accountRoutes = {
  nonce: 'GET /auth/nonce',
  verify: 'POST /auth/verify',
  session: 'GET /auth/session',
  signOut: 'POST /auth/signout',
  labels: 'GET /labels',
  mergeLabels: 'PUT /labels',
  removeLabels: 'DELETE /labels',
  saveLabel: 'PUT /labels/{address}',
  removeLabel: 'DELETE /labels/{address}',
  account: 'GET /account',
  removeAccount: 'DELETE /account',
  alerts: 'GET /alerts',
  readAlerts: 'PUT /alerts/read',
  alertSettings: 'GET /alerts/settings',
  saveWatch: 'PUT /alerts/watches/{community}/{address}',
  removeWatch: 'DELETE /alerts/watches/{community}/{address}',
  addWebhook: 'POST /alerts/webhooks',
  removeWebhook: 'DELETE /alerts/webhooks/{webhook}',
  resumeWebhook: 'POST /alerts/webhooks/{webhook}/resume',
  testWebhook: 'POST /alerts/webhooks/{webhook}/test',
  renewFeed: 'PUT /alerts/feed',
  removeFeed: 'DELETE /alerts/feed',
  alertsFeed: 'GET /feeds/{token}',
} as const

export const serviceRoutes = {
  live: 'GET /communities/{community}/live',
  health: 'GET /health',
  ready: 'GET /ready',
  rpc: 'POST /rpc',
  name: 'GET /resolve-ens',
  openapi: 'GET /openapi.json',
  docs: 'GET /docs',
} as const

export type Routes = typeof lookupRoutes & typeof accountRoutes & typeof pageRoutes & typeof serviceRoutes
export type LookupId = keyof typeof lookupRoutes
export type AccountId = keyof typeof accountRoutes
export type ServiceId = keyof typeof pageRoutes | keyof typeof serviceRoutes
export type OperationId = keyof Routes

/** Values of the parameters in an operation's path, in order. */
export type PathValues<id extends OperationId> = ValuesOf<Routes[id]>

/** Values of the parameters in a route, in order. */
export type ValuesOf<route extends string> = route extends `${string}{community}${string}{address}${string}`
  ? [community: string, address: `0x${string}`]
  : route extends `${string}{community}${string}`
    ? [community: string]
    : route extends `${string}{address}${string}`
      ? [address: `0x${string}`]
      : route extends `${string}{${string}}${string}`
        ? [id: string]
        : []

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Request header with the newest block that the caller has seen of the community, and the name of the index that it was
 * in: `123;1a2b3c4d`. The answer is never older. A block of another index does not count.
 */
export const atLeastHeader = 'lineage-at-least'

/** Header of lookups that names the index of each community: `demo=1a2b3c4d`. A community that is read again gets another. */
export const indexHeader = 'lineage-index'

/**
 * Splits a route into its method and path.
 *
 * @example splitRoute('PUT /labels/{address}') // { method: 'PUT', path: '/labels/{address}' }
 */
export function splitRoute(route: `${Method} ${string}`): { method: Method; path: string } {
  const [method, path] = route.split(' ') as [Method, string]
  return { method, path }
}

/**
 * Fills the parameters of a path in order, percent-encoded.
 *
 * @example fillPath('/labels/{address}', ['0x…']) // '/labels/0x…'
 */
export function fillPath(path: string, values: readonly string[]): string {
  let index = 0
  return path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(values[index++] ?? ''))
}
