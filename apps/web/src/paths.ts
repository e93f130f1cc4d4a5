import { isDay } from '@lineage/referral-api/days'
import { matchPath } from 'react-router-dom'

/** Filters of a downline in the order of the form, named as in the API and the URL. */
export const filterNames = [
  'joinedFrom',
  'joinedTo',
  'levelFrom',
  'levelTo',
  'minTeam',
  'minVolume',
  'activeSince',
  'prefix',
  'bound',
  'grade',
] as const

export type Page = {
  path: string
  /** Links to a page that shows periods keep the days. */
  shows: 'moments' | 'periods'
  /** Values of its `view` besides none. */
  views: readonly string[]
  /** Other parameters that it reads, beside those that every page keeps. */
  reads: readonly string[]
}

/** The pages in the order of the top bar. The file of each in `routes` is named after it. */
export const pages = {
  community: { path: '/', shows: 'periods', views: [], reads: ['interval', 'measure'] },
  metrics: { path: '/metrics', shows: 'periods', views: ['communities'], reads: ['by', 'leg'] },
  search: { path: '/search', shows: 'moments', views: ['list'], reads: ['kind'] },
  referrals: {
    path: '/referrals',
    shows: 'periods',
    views: ['map'],
    reads: ['level', 'sort', 'order', 'by', 'leg', ...filterNames],
  },
  referrers: { path: '/referrers', shows: 'moments', views: ['relation', 'dispute'], reads: ['to'] },
} satisfies Record<string, Page>

export type LookupName = keyof typeof pages
export const lookupNames = Object.keys(pages) as LookupName[]

/** Returns the lookup of a path, with or without a slash at its end. */
export const lookupOf = (pathname: string): LookupName | undefined =>
  lookupNames.find((name) => matchPath(pages[name].path, pathname))

/** Parameters that every lookup keeps; a link to another lookup drops all others. */
export const kept: readonly string[] = ['address', 'community', 'lang', 'asOf', 'tz']

/** Parameters of a period's first and last day. */
export const dayNames = ['dayFrom', 'dayTo'] as const

/** First and last day of a period, both included, in the page's time zone. */
export type Days = { from: string; to: string }

/** Returns the period in a URL; `undefined` if it names none, or one that ends before it begins. */
export function readPeriod(parameters: URLSearchParams): Days | undefined {
  const [from = '', to = ''] = dayNames.map((name) => parameters.get(name) ?? '')
  return isDay(from) && isDay(to) && from <= to ? { from, to } : undefined
}

/** Parameters that a page keeps when it shows another answer: also its view, and the second address of a relation. */
export const keptOnPage: readonly string[] = [...kept, ...dayNames, 'view', 'to']

/** Views that show only the present. */
const viewsOfNow = ['list', 'communities']

/**
 * Returns a link to a lookup that keeps the current address. It drops the moment if the view shows only the present.
 *
 * @example
 * lookupPath('referrals', new URLSearchParams('?address=0x…&level=2')) // '/referrals?address=0x…'
 */
export function lookupPath(name: LookupName, current: URLSearchParams, changes: Changes = {}) {
  const next = new URLSearchParams()
  const { path, shows } = pages[name]
  for (const key of shows === 'periods' ? [...kept, ...dayNames] : kept) {
    const value = current.get(key)
    if (value !== null) next.set(key, value)
  }
  const changed = withChanges(next, changes)
  if (viewsOfNow.includes(changed.get('view') ?? '')) changed.delete('asOf')
  const search = String(changed)
  return search === '' ? path : `${path}?${search}`
}

/** Changes to the parameters of a URL; `null` removes one. */
export type Changes = Readonly<Record<string, string | null>>

/** Returns a copy of the parameters of a URL with changes. */
export function withChanges(current: URLSearchParams, changes: Changes): URLSearchParams {
  const next = new URLSearchParams(current)
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) next.delete(key)
    else next.set(key, value)
  }
  return next
}
