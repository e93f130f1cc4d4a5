import { parseAmount, type ReferralsFilter, type Token } from '@lineage/referral-api'
import { isDay } from '@lineage/referral-api/days'
import { dayNames, filterNames } from '../../paths.ts'

/** Grades of the bind of a member, as in the API. */
export const grades = ['exact', 'between', 'observed'] as const

/** Filters, and the days whose amounts the table shows. */
export const fieldNames = [...filterNames, ...dayNames] as const
export type FilterName = (typeof fieldNames)[number]
/** First and last day of the amounts that the table shows; either may be open. */
export type AmountDays = { from?: string | undefined; to?: string | undefined }

/** Changes of URL parameters that remove every filter, and the days of the amounts. */
export const noFilter = Object.fromEntries(fieldNames.map((name) => [name, null]))

/** Filters as typed and as in the URL: days as `2026-06-01`, amounts in whole tokens; empty if not set. */
export type FilterTexts = Record<FilterName, string>

export type FilterProblem =
  | 'wrong.day'
  | 'wrong.future'
  | 'wrong.days'
  | 'wrong.order'
  | 'wrong.whole'
  | 'wrong.level'
  | 'wrong.levels'
  | 'wrong.team'
  | 'wrong.amount'
  | 'wrong.prefix'

export const readTexts = (parameters: URLSearchParams): FilterTexts =>
  Object.fromEntries(fieldNames.map((name) => [name, (parameters.get(name) ?? '').trim()])) as FilterTexts

/** Returns whether the URL names a filter or days, valid or not. */
export const hasFilter = (parameters: URLSearchParams): boolean =>
  fieldNames.some((name) => parameters.get(name)?.trim())

const largest = 2 ** 32 - 2

const toDay = (text: string): string | undefined => (isDay(text) ? text : undefined)
const toWhole = (text: string): number | undefined =>
  /^\d{1,10}$/.test(text) && Number(text) <= largest ? Number(text) : undefined

/**
 * Converts texts to the API's filter, ignoring invalid ones. Returns `undefined` if none is set.
 *
 * @example toFilter({ ...none, joinedTo: '2026-06-01' }, null) // { joinedTo: '2026-06-01' }
 */
export function toFilter(texts: FilterTexts, token: Token | null): ReferralsFilter | undefined {
  const level = (text: string) => toWhole(text) || undefined
  const filter: ReferralsFilter = {
    joinedFrom: toDay(texts.joinedFrom),
    joinedTo: toDay(texts.joinedTo),
    levelFrom: level(texts.levelFrom),
    levelTo: level(texts.levelTo),
    minTeam: toWhole(texts.minTeam),
    minVolume: token ? parseAmount(texts.minVolume, token.decimals) : undefined,
    activeSince: toDay(texts.activeSince),
    prefix: /^0x[0-9a-f]{2,40}$/i.test(texts.prefix) ? texts.prefix : undefined,
    bound: texts.bound === 'true' || texts.bound === 'false' ? texts.bound : undefined,
    grade: grades.find((grade) => grade === texts.grade),
  }
  const given = Object.entries(filter).filter(([, value]) => value !== undefined)
  return given.length > 0 ? (Object.fromEntries(given) as ReferralsFilter) : undefined
}

/** Returns the days whose amounts are asked for, ignoring invalid ones; `undefined` for none. */
export function toAmountDays({ dayFrom, dayTo }: FilterTexts): AmountDays | undefined {
  const days = { from: toDay(dayFrom), to: toDay(dayTo) }
  return days.from || days.to ? days : undefined
}

type Known = {
  token: Token | null
  /** Number of members in the filtered team. */
  team: number
  /** Day of the newest block. */
  today: string
}

/** Returns the problems of invalid or contradicting filters, by the filter to change. */
export function findProblems(
  texts: FilterTexts,
  { token, team, today }: Known,
): Partial<Record<FilterName, FilterProblem>> {
  const filter = { ...toFilter(texts, token), dayFrom: toDay(texts.dayFrom), dayTo: toDay(texts.dayTo) }
  const problems: Partial<Record<FilterName, FilterProblem>> = {}
  const unread = {
    joinedFrom: 'wrong.day',
    joinedTo: 'wrong.day',
    activeSince: 'wrong.day',
    dayFrom: 'wrong.day',
    dayTo: 'wrong.day',
    levelFrom: 'wrong.level',
    levelTo: 'wrong.level',
    minTeam: 'wrong.whole',
    minVolume: 'wrong.amount',
    prefix: 'wrong.prefix',
  } as const
  for (const [name, problem] of Object.entries(unread) as [keyof typeof unread, FilterProblem][])
    if (texts[name] !== '' && filter[name] === undefined) problems[name] = problem
  const { joinedFrom, joinedTo, levelFrom, levelTo, dayFrom, dayTo, minTeam } = filter
  for (const name of ['joinedFrom', 'activeSince', 'dayFrom', 'dayTo'] as const)
    if ((filter[name] ?? '') > today) problems[name] = 'wrong.future'
  if (joinedFrom !== undefined && joinedTo !== undefined && joinedFrom > joinedTo) problems.joinedTo = 'wrong.days'
  if (dayFrom !== undefined && dayTo !== undefined && dayFrom > dayTo) problems.dayTo = 'wrong.order'
  if (levelFrom !== undefined && levelTo !== undefined && levelFrom > levelTo) problems.levelTo = 'wrong.levels'
  if (minTeam !== undefined && minTeam >= team) problems.minTeam = 'wrong.team'
  return problems
}
