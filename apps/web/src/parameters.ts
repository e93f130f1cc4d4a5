import { isDay, isTimeZone } from '@lineage/referral-api/days'
import { type Changes, dayNames, filterNames, kept, type LookupName, type Page, pages, readPeriod } from './paths.ts'

/** Values that a parameter can have; others count as absent. */
const valuesOf: Record<string, { test: (value: string) => boolean }> = {
  bound: /^(true|false)$/,
  by: /^(members|volume)$/,
  grade: /^(exact|between|observed)$/,
  interval: /^(day|week|month)$/,
  kind: /^(bind|referral|reward|volume)$/,
  measure: /^(members|(own|team)(Volume|Rewards))$/,
  leg: /^0x[0-9a-f]{40}$/i,
  level: /^([1-9]\d{0,5}|all)$/,
  order: /^(asc|desc)$/,
  sort: /^(joined|team|volume|periodVolume|periodRewards)$/,
  tz: { test: isTimeZone },
}

/** Values that filters have besides days. */
const filterValue = /^(\d+(\.\d+)?|0x[0-9a-f]{2,40}|true|false|exact|between|observed)$/i

/** Returns the parameters that have no effect because of the others in a link. */
function idleParameters(page: LookupName, parameters: URLSearchParams): readonly string[] {
  if (page === 'search') return parameters.get('address') ? ['view'] : []
  if (page === 'referrals') return idleOfDownline(parameters)
  return readPeriod(parameters) ? [] : dayNames
}

/** The same for the downline, which is a table with a level, a filter or days that can be read. At a past moment it is one anyway. */
function idleOfDownline(parameters: URLSearchParams): string[] {
  const [level = '', sort] = ['level', 'sort'].map((name) => parameters.get(name) || undefined)
  const can = (read: (text: string) => boolean, names: readonly string[]) =>
    names.some((name) => read(parameters.get(name)?.trim() ?? ''))
  const [isLevel, isPast, hasDays] = [valuesOf.level?.test(level), parameters.get('asOf'), can(isDay, dayNames)]
  const isFiltered = can((text) => isDay(text) || filterValue.test(text), filterNames)
  if (!isLevel && !isFiltered && !hasDays) return ['sort', 'order', ...(isPast ? ['view'] : [])]
  const sorts = isPast
    ? ['team']
    : hasDays
      ? ['periodVolume', 'periodRewards']
      : isFiltered || level !== 'all'
        ? ['team', 'volume']
        : []
  return [
    'view',
    ...(isLevel && level !== 'all' ? ['levelFrom', 'levelTo'] : []),
    ...(sort && !['joined', ...sorts].includes(sort) ? ['sort'] : []),
    ...(isPast ? ['order'] : []),
  ]
}

/** Parameters that other sites, apps and WeChat add to links, and that ask for nothing. */
const added =
  /^(utm_.*|[a-z]{1,4}clid|clickid|mc_[ce]id|igshid?|_ga|_gl|_hs\w+|spm|scm|ref|source|from|isappinstalled|scene|subscene|sessionid|clicktime|enterid|ascene|chksm|nsukey|pass_ticket|wechat_redirect|sharer?_?\w*|adtag|tdsourcetag|weibo_id|_wv|_wwv|_t|timestamp)$/i

/** Returns the parameters that a page reads with this link: only one view of /referrers has a period. */
function readBy(page: LookupName, parameters: URLSearchParams): readonly string[] {
  const { shows, views, reads }: Page = pages[page]
  const hasDays = shows === 'periods' || (page === 'referrers' && parameters.get('view') === 'dispute')
  return [...kept, ...(hasDays ? dayNames : []), ...(views.length > 0 ? ['view'] : []), ...reads]
}

/**
 * Returns the parameters of a link that have no effect on a page, except those that are added to links on their way.
 *
 * @example unusedParameters('metrics', new URLSearchParams('?minTeam=5&utm_source=a')) // ['minTeam']
 */
export function unusedParameters(page: LookupName, parameters: URLSearchParams): string[] {
  const [read, idle] = [readBy(page, parameters), idleParameters(page, parameters)]
  const { views }: Page = pages[page]
  return [...new Set(parameters.keys())].filter((name) => {
    const value = parameters.get(name) ?? ''
    if (!read.includes(name)) return !added.test(name)
    const isKnown = name === 'view' ? views.includes(value) : valuesOf[name]?.test(value) !== false
    return value !== '' && (idle.includes(name) || !isKnown)
  })
}

/** Returns the parameters of a link that a page reads, to be kept in another link to it. */
export const usedParameters = (page: LookupName, parameters: URLSearchParams): Changes =>
  Object.fromEntries(readBy(page, parameters).map((name) => [name, parameters.get(name)]))
