import type { Arguments, Tool } from './tools.ts'

/** A page, and the argument behind each parameter of its link. Arguments without a place on the page are not in it. */
type Target = { path: string; query: Record<string, string> }

const ofMember = { community: 'community', address: 'address', asOf: 'asOf', tz: 'tz' }
const ofPair = {
  path: '/referrers?view=relation',
  query: { community: 'community', address: 'a', to: 'b', asOf: 'asOf', tz: 'tz' },
}
const same = (...names: string[]) => Object.fromEntries(names.map((name) => [name, name]))
const ofDownline = same(
  'level',
  'sort',
  'order',
  'levelFrom',
  'levelTo',
  'minTeam',
  'minVolume',
  'prefix',
  'bound',
  'grade',
)
const ofDays = same('joinedFrom', 'joinedTo', 'activeSince')

/** The page that shows the answer of each tool. */
const targets: Record<Tool['name'], Target> = {
  communities: { path: '/metrics?view=communities', query: {} },
  addresses: { path: '/search', query: same('address') },
  metrics: { path: '/metrics', query: same('community', 'asOf', 'tz') },
  map: { path: '/metrics', query: same('community', 'by') },
  risers: { path: '/metrics', query: same('community') },
  activity: { path: '/metrics', query: same('community') },
  roots: { path: '/metrics', query: same('community') },
  events: { path: '/metrics', query: same('community') },
  search: { path: '/search', query: { community: 'community', address: 'q' } },
  batch: { path: '/search?view=list', query: same('community') },
  relation: ofPair,
  line: ofPair,
  pairBinds: { path: '/referrers?view=dispute', query: { ...ofPair.query, dayFrom: 'from', dayTo: 'to' } },
  member: { path: '/', query: ofMember },
  levels: { path: '/', query: ofMember },
  growth: { path: '/', query: { ...ofMember, interval: 'interval' } },
  amounts: { path: '/', query: { ...ofMember, dayFrom: 'from', dayTo: 'to' } },
  ranks: { path: '/', query: ofMember },
  teamRisers: { path: '/', query: ofMember },
  teamActivity: { path: '/', query: ofMember },
  compare: { path: '/', query: { ...ofMember, dayFrom: 'from', dayTo: 'to' } },
  teamMap: { path: '/referrals?view=map', query: { ...ofMember, by: 'by' } },
  memberEvents: { path: '/search', query: { ...ofMember, kind: 'kind' } },
  referrals: { path: '/referrals', query: { ...ofMember, ...ofDownline, ...ofDays } },
  referrers: { path: '/referrers', query: ofMember },
}

/**
 * Returns the link to the page that shows a person the answer of a tool.
 *
 * @example linkOf('member', { community: 'demo', address: '0x…' }, 'https://lineage.example')
 */
export function linkOf(name: Tool['name'], given: Arguments, origin: string): string {
  const { path, query } = targets[name]
  const link = new URL(path, origin)
  for (const [parameter, argument] of Object.entries(query)) {
    const value = given[argument]
    if (value !== undefined)
      link.searchParams.set(parameter, argument in ofDays ? toDay(argument, value) : String(value))
  }
  // The page compares days only.
  if (
    query.dayTo &&
    given.to !== undefined &&
    ![given.from, given.to].every((moment) => String(moment).includes('-'))
  ) {
    link.searchParams.delete('dayFrom')
    link.searchParams.delete('dayTo')
    // The range of two members has seconds instead of blocks.
    if (name !== 'pairBinds') link.searchParams.set('asOf', String(given.to))
  }
  // The page of a downline begins with its tree, the answer with the directs.
  if (
    name === 'referrals' &&
    ![...Object.keys({ ...ofDownline, ...ofDays }), 'asOf'].some((one) => given[one] !== undefined)
  )
    link.searchParams.set('level', '1')
  // Tools count days in UTC by themselves, pages in the zone of their language.
  if (query.tz && !link.searchParams.has('tz') && [...link.searchParams].some(([name, value]) => isOfDays(name, value)))
    link.searchParams.set('tz', 'UTC')
  return link.href
}

const isOfDays = (name: string, value: string): boolean => name === 'interval' || /^\d{4}-\d\d-\d\d$/.test(value)

/** Returns a time as the day that it begins or ends, as pages have days; any other time as it is. */
function toDay(name: string, value: unknown): string {
  const seconds = Number(value) + Number(name === 'joinedTo')
  if (!Number.isSafeInteger(seconds) || seconds % 86_400 !== 0 || seconds > 8e12) return String(value)
  return new Date(Number(value) * 1_000).toISOString().slice(0, 10)
}
