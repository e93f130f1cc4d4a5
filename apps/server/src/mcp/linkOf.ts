import { createCalendar, isDay } from '@lineage/referral-api/days'
import type { Arguments, Tool } from './tools.ts'

/** A page, and the argument behind each parameter of its link. Arguments without a place on the page are not in it. */
type Target = { path: string; query: Record<string, string> }

const ofMember = { community: 'community', address: 'address', asOf: 'asOf', tz: 'tz' }
const ofPair = {
  path: '/referrers?view=relation',
  query: { community: 'community', address: 'a', to: 'b', asOf: 'asOf', tz: 'tz' },
}
const same = (...names: string[]) => Object.fromEntries(names.map((name) => [name, name]))
const ofRange = { dayFrom: 'from', dayTo: 'to' }
const ofTimes = same('joinedFrom', 'joinedTo', 'activeSince')
const ofFilter = { ...same('levelFrom', 'levelTo', 'minTeam', 'minVolume', 'prefix', 'bound', 'grade'), ...ofTimes }

/** The page that shows the answer of each tool. */
const targets: Record<Tool['name'], Target> = {
  communities: { path: '/metrics?view=communities', query: {} },
  addresses: { path: '/search', query: same('address') },
  metrics: { path: '/metrics', query: same('community', 'asOf', 'tz') },
  map: { path: '/metrics', query: same('community', 'by', 'tz') },
  risers: { path: '/metrics', query: { ...same('community', 'tz'), ...ofRange } },
  activity: { path: '/metrics', query: same('community', 'tz') },
  roots: { path: '/metrics', query: same('community') },
  events: { path: '/metrics', query: same('community', 'tz') },
  search: { path: '/search', query: { community: 'community', address: 'q' } },
  batch: { path: '/search?view=list', query: same('community') },
  relation: ofPair,
  line: ofPair,
  pairBinds: { path: '/referrers?view=dispute', query: { ...ofPair.query, ...ofRange } },
  member: { path: '/', query: ofMember },
  levels: { path: '/', query: ofMember },
  growth: { path: '/', query: { ...ofMember, interval: 'interval' } },
  amounts: { path: '/', query: { ...ofMember, ...ofRange } },
  ranks: { path: '/', query: ofMember },
  teamRisers: { path: '/', query: { ...ofMember, ...ofRange } },
  teamActivity: { path: '/', query: ofMember },
  compare: { path: '/', query: { ...ofMember, ...ofRange } },
  teamMap: { path: '/referrals?view=map', query: { ...ofMember, by: 'by' } },
  memberEvents: { path: '/search', query: { ...ofMember, kind: 'kind' } },
  referrals: { path: '/referrals', query: { ...ofMember, ...ofRange, ...same('level', 'sort', 'order'), ...ofFilter } },
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
      link.searchParams.set(parameter, argument in ofTimes ? toDay(argument, value, given.tz) : String(value))
  }
  if ('dayTo' in query) keepDays(link.searchParams, name)
  if (name === 'referrals') nameDefaults(link.searchParams)
  // Tools count days in UTC by themselves, pages in the zone of their language.
  if (query.tz && !link.searchParams.has('tz') && [...link.searchParams].some(([name, value]) => isOfDays(name, value)))
    link.searchParams.set('tz', 'UTC')
  return link.href
}

/** Removes a range that is not of days alone, because pages have no other: they show its last block instead. */
function keepDays(parameters: URLSearchParams, name: Tool['name']): void {
  const [from, to] = [parameters.get('dayFrom'), parameters.get('dayTo')]
  if ([from, to].every((moment) => moment === null || isDay(moment))) return
  parameters.delete('dayFrom')
  parameters.delete('dayTo')
  // The range of two members has seconds instead of blocks.
  if (to !== null && name !== 'pairBinds') parameters.set('asOf', to)
}

/** Names what the page of a downline would choose otherwise: it begins with its tree, and with days by their amounts. */
function nameDefaults(parameters: URLSearchParams): void {
  const hasAny = (names: object) => Object.keys(names).some((name) => parameters.has(name))
  if (!hasAny({ ...ofFilter, ...same('level', 'asOf') })) parameters.set('level', '1')
  if (hasAny(ofRange) && !parameters.has('sort')) parameters.set('sort', 'joined')
}

const isOfDays = (name: string, value: string): boolean => name === 'interval' || isDay(value)

/** Returns a time as the day of a zone that it begins or ends, as pages have days; any other time as it is. */
function toDay(name: string, value: unknown, zone: unknown): string {
  if (!isTime(value)) return String(value)
  const { dayOf, firstSecond, lastSecond } = createCalendar(String(zone ?? 'UTC'))
  const day = dayOf(value)
  return value === (name === 'joinedTo' ? lastSecond(day) : firstSecond(day)) ? day : String(value)
}

/** Returns whether a value is Unix seconds. The largest that an argument can be is of the year 2106. */
const isTime = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) < 2 ** 32
