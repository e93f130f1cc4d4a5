import { type LookupId, lookupRoutes } from '@lineage/referral-api/routes'

/** A page, and the argument behind each parameter of its link. Arguments without a place on the page are not in it. */
type Target = { path: string; query: Record<string, string> }

export const same = (...names: string[]) => Object.fromEntries(names.map((name) => [name, name]))
export const ofRange = { dayFrom: 'from', dayTo: 'to' }
export const ofTimes = same('joinedFrom', 'joinedTo', 'activeSince')
export const ofFilter = {
  ...same('levelFrom', 'levelTo', 'minTeam', 'minVolume', 'prefix', 'bound', 'grade'),
  ...ofTimes,
}
const ofMember = same('community', 'address', 'asOf', 'tz')
const memberPage = { path: '/', query: ofMember }
const communityPage = { path: '/metrics', query: same('community', 'asOf', 'tz') }
const ofPair = {
  path: '/referrers?view=relation',
  query: { community: 'community', address: 'a', to: 'b', asOf: 'asOf', tz: 'tz' },
}

/** Pages of the lookups whose answer is not shown by the page of the member or community in their path alone. */
const pages: { [id in LookupId]?: Target } = {
  communities: { path: '/metrics?view=communities', query: {} },
  addresses: { path: '/search', query: same('address') },
  map: { path: '/metrics', query: same('community', 'by', 'tz') },
  risers: { path: '/metrics', query: { ...same('community', 'tz'), ...ofRange } },
  search: { path: '/search', query: { community: 'community', address: 'q' } },
  relation: ofPair,
  line: ofPair,
  pairBinds: { path: '/referrers?view=dispute', query: { ...ofPair.query, ...ofRange } },
  batch: { path: '/search?view=list', query: same('community') },
  growth: { path: '/', query: { ...ofMember, interval: 'interval' } },
  amounts: { path: '/', query: { ...ofMember, ...ofRange } },
  teamRisers: { path: '/', query: { ...ofMember, ...ofRange } },
  compare: { path: '/', query: { ...ofMember, ...ofRange } },
  teamMap: { path: '/referrals?view=map', query: { ...ofMember, by: 'by' } },
  referrals: { path: '/referrals', query: { ...ofMember, ...ofRange, ...same('level', 'sort', 'order'), ...ofFilter } },
  referrers: { path: '/referrers', query: ofMember },
  memberEvents: { path: '/search', query: { ...ofMember, kind: 'kind' } },
}

/** Returns the page that shows the answer of a lookup: without one of its own, that of the member or community in its path. */
export const pageOf = (id: LookupId): Target =>
  pages[id] ?? (lookupRoutes[id].includes('{address}') ? memberPage : communityPage)
