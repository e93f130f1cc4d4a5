import { type Community, checksumAddress } from '@lineage/communities'
import type {
  BindStatus,
  Forest,
  Grade,
  LineStep,
  Member,
  MemberId,
  MomentRange,
  Referral,
  ReferralsFilter,
  Relation,
  Slices,
} from '@lineage/forest'
import type * as api from '@lineage/referral-api'
import { createCalendar, readTime } from '@lineage/referral-api/days'
import { filters } from '@lineage/referral-api/operations'
import type { Hash } from 'viem'
import type { Position } from '../follow/events.ts'
import type { ProblemError } from '../lib/problem.ts'
import { createCsvFormat, eventColumns } from './columns.ts'
import { collectBinds, listRange } from './eventRange.ts'
import {
  cutPage,
  type MemberEventRow,
  memberEventKinds,
  readEventsCursor,
  readMemberEventsCursor,
  refuseWithoutDatabase,
  toEventsCursor,
  toMemberEventsCursor,
} from './eventTables.ts'
import {
  communityFiles,
  fileHeaders,
  type ReadTxs,
  rowsPerPage,
  streamDownline,
  streamEvents,
  streamPastDownline,
} from './files.ts'
import { findMember, findPair } from './findMember.ts'
import type { LookupOf, Lookups, Result, Sources } from './lookup.ts'
import { pairBinds } from './pairBinds.ts'
import {
  answerPast,
  answerPastPair,
  compare,
  cutDepths,
  cutLevels,
  isFinal,
  pastLevels,
  pastMember,
  pastMetrics,
  pastReferrals,
  pastReferrers,
  readKnownMoment,
} from './pastLookups.ts'
import { activity, amounts, readRange, risers } from './periodLookups.ts'
import {
  daysOf,
  mapLimit,
  serialize,
  toCard,
  toCommunity,
  toEvent,
  toMap,
  toMemberEvent,
  toPastSummary,
  toSummary,
} from './serialize.ts'

/** Returns whether a community is served, and why it is withheld. */
function stateOf({ viewOf, refusal }: Sources, { id }: Community): Pick<api.Community, 'status' | 'withheld'> {
  const refused = refusal(id)
  if (refused) return { status: 'withheld', withheld: refused.reason }
  return { status: viewOf(id) ? 'ready' : 'indexing', withheld: null }
}

export const lookups: Lookups = {
  communities: ({ sources }) => ({
    body: {
      items: sources.communities.map((community) => {
        const members = sources.viewOf(community.id)?.forest.counts.members ?? 0
        return toCommunity(community, { ...stateOf(sources, community), members })
      }),
    },
  }),

  addresses: ({ address, oldest, sources }) => ({
    body: {
      items: sources.communities.map((community) => {
        const { id, name } = community
        const { forest, asOf } = sources.viewOf(id) ?? { forest: undefined, asOf: oldest }
        const found = forest?.find(address)
        const member = forest && found !== undefined ? toCard(forest.member(found)) : null
        return { community: id, name, asOf, status: stateOf(sources, community).status, member }
      }),
    },
  }),

  metrics(lookup) {
    const { view, atLeast, drawings, query } = lookup
    if (query.asOf !== undefined) return pastMetrics(lookup, query.asOf)
    const { moment, output } = drawings(query.tz).metrics[query.series](view, atLeast)
    const depths = cutDepths(output.depths, query)
    if (depths.length === output.depths.length) return { body: output, moment }
    // The JSON of all depths is kept by their moment.
    return { body: { ...output, depths }, moment: { ...moment } }
  },

  map({ view, atLeast, query, drawings }) {
    const { moment, output } = drawings(query.tz).maps[query.by](view, atLeast)
    return { body: output, moment }
  },

  teamMap({ forest, id, view, query: { by, tz } }) {
    const calendar = createCalendar(tz)
    const map = forest.map(id, { by, most: mapLimit, now: view.asOf.timestamp, days: daysOf(calendar) })
    return { body: toMap(map, { by, calendar }) }
  },

  search({ forest, query: { q, limit } }) {
    const found = forest.searchPrefix(q, limit + 1)
    return { body: { items: found.slice(0, limit).map(toSummary), more: found.length > limit } }
  },

  async events(lookup) {
    const { forest, view, query, sources } = lookup
    const { limit, cursor, status, from, to, order } = query
    if (order === 'asc' || from !== undefined || to !== undefined) return listRange(lookup)
    const { tables } = sources
    const before = readEventsCursor(cursor)
    const statuses = status?.split(',') as BindStatus[] | undefined
    if (statuses?.includes('bound')) {
      const { items, last } = await collectBinds(
        (at, most) => tables.readBinds(view, at, most),
        (row) => {
          const found = forest.statusAt(row)
          return statuses.includes(found) ? toEvent(row, found) : undefined
        },
        { at: before, limit, atOnce: limit, most: mostRead, meter: sources.meter },
      )
      return { body: { items, nextCursor: last && toEventsCursor(last) } }
    }
    const reading = statuses
      ? tables.readBindsAt(view, forest.irregularBinds(statuses as Irregular[], before, limit + 1))
      : tables.readBinds(view, before, limit + 1)
    const { page, nextCursor } = cutPage(await reading.catch(refuseWithoutDatabase), limit, toEventsCursor)
    return { body: { items: page.map((row) => toEvent(row, forest.statusAt(row))), nextCursor } }
  },

  async memberEvents(lookup) {
    const { forest, address, notFound, view, query, sources } = lookup
    const { limit, cursor } = query
    const range = { kinds: readKinds(query), before: readMemberEventsCursor(cursor) }
    const of = { ...view, member: address }
    const rows = await sources.tables.readMemberEvents(of, range, limit + 1).catch(refuseWithoutDatabase)
    if (rows.length === 0 && notFound) await requireEvents(lookup, cursor === undefined ? range.kinds : [], notFound)
    const { page, nextCursor } = cutPage(rows, limit, toMemberEventsCursor)
    const items = page.map((row) => toMemberEvent(row, row.amount === null ? forest.statusAt(row) : null))
    return { body: { items, nextCursor } }
  },

  async memberEventsCsv(lookup) {
    const { community, address, notFound, view, query, sources } = lookup
    const kinds = readKinds(query)
    const { tables } = sources
    const first = await tables
      .readMemberEvents({ ...view, member: address }, { kinds, before: undefined }, rowsPerPage)
      .catch(refuseWithoutDatabase)
    if (first.length === 0 && notFound) await requireEvents(lookup, kinds, notFound)
    // Later pages are compared with the last row of the page before instead of with the state of the source.
    const of = { source: view.source, asOf: view.asOf, member: address }
    const readEvents = async (last: MemberEventRow | undefined, limit: number) =>
      last ? tables.readMemberEvents(of, { kinds, before: { ...last, rank: last.rank + 1 } }, limit) : first
    const format = createCsvFormat(eventColumns(community.tokens), query.tz)
    return {
      body: streamEvents(readEvents, () => sources.requireView(community.id).forest, format),
      headers: fileHeaders(`${community.id}-${checksumAddress(address)}-events`, 'csv'),
    }
  },

  roots(lookup) {
    const { sort, order = sort === 'joined' ? 'asc' : 'desc', limit, cursor } = lookup.query
    const { items, ...page } = lookup.forest.roots({ sort, order, limit, cursor })
    return addTxs(lookup, { body: { items: items.map(toSummary), ...page } })
  },

  ...communityFiles,

  relation(lookup) {
    const { forest } = lookup
    const pair = findPair(lookup)
    const { a, b } = pair
    const addressOf = (id: MemberId) => checksumAddress(forest.summary(id).address)
    const toBody = ({ common, ...relation }: Relation) => ({
      ...{ a: addressOf(a), b: addressOf(b) },
      ...relation,
      common: common && checksumAddress(common),
    })
    const past = answerPastPair(lookup, pair, (moment) => toBody(forest.pastRelation(a, b, moment)))
    return past ?? { body: toBody(forest.relation(a, b)) }
  },

  line(lookup) {
    const { forest, query } = lookup
    const pair = findPair(lookup)
    const { a, b } = pair
    const past = answerPastPair(lookup, pair, (moment) => {
      const page = forest.pastLine(a, b, { ...query, moment })
      return { ...page, items: page.items.map((item) => ({ ...toPastSummary(item), ...toStep(item) })) }
    })
    if (past) return addTxs(lookup, past)
    const { items, nextCursor } = forest.line(a, b, query)
    return addTxs(lookup, {
      body: { items: items.map((item) => ({ ...toSummary(item), ...toStep(item) })), nextCursor },
    })
  },

  pairBinds,

  async batch({ community, view, forest, body: { addresses, tx }, sources: { readTransactions } }) {
    const found = addresses.map((input) => {
      const result = findMember(forest, community, input)
      return 'id' in result ? { member: forest.member(result.id), error: null } : { member: null, error: result.error }
    })
    const positions = found.map(({ member }) => member && positionOf(member))
    const txs = tx ? ((await readTransactions(view, positions)) ?? []) : undefined
    return {
      body: {
        items: found.map(({ member, error }, index) => ({
          input: addresses[index] as string,
          card: member && { ...toCard(member), ...(txs && { tx: txs[index] ?? null }) },
          error,
        })),
      },
    }
  },

  async member(lookup) {
    const past = answerPast(lookup, pastMember)
    if (past) return past
    const { view, forest, id, sources } = lookup
    const member = forest.member(id)
    const txs = await sources.readTransactions(view, [positionOf(member)])
    return { body: { ...toCard(member), tx: txs?.[0] ?? null }, state: txs ? 'whole' : 'partial' }
  },

  levels(lookup) {
    const { forest, id, query } = lookup
    return answerPast(lookup, pastLevels) ?? { body: { items: serialize(cutLevels(forest.levels(id), query)) } }
  },

  compare,
  amounts,
  ranks: ({ forest, id }) => ({ body: { address: checksumAddress(forest.summary(id).address), ...forest.ranks(id) } }),
  risers: (lookup) => risers(lookup, null),
  teamRisers: (lookup) => risers(lookup, lookup.id),
  activity: (lookup) => activity(lookup, null),
  teamActivity: (lookup) => activity(lookup, lookup.id),

  growth({ forest, id, view, query: { interval, tz } }) {
    const { periods, dayOf } = createCalendar(tz)
    const growth = forest.growth(id, {
      periods: (from, to) => periods(interval, from, to),
      now: view.asOf.timestamp,
    })
    const items = growth.map((period) => ({ ...period, from: dayOf(period.from) }))
    return { body: { interval, tz, undated: forest.summary(id).team - (items.at(-1)?.total ?? 0), items } }
  },

  async referrals(lookup) {
    const past = answerPast(lookup, (of, moment) => pastReferrals(of, moment, toFilter(of.query)))
    if (past) return addTxs(lookup, past)
    const { forest, id, query, sources } = lookup
    const filter = toFilter(query)
    const { sort, level = filter ? 'all' : 1, order = sort === 'joined' ? 'asc' : 'desc', limit, cursor } = query
    const levels = level === 'all' ? {} : { levelFrom: level, levelTo: level }
    const toItem = (item: Referral) => ({ ...toSummary(item), level: item.level })
    const isOfPeriod = sort === 'periodVolume' || sort === 'periodRewards'
    if (isOfPeriod || query.from !== undefined || query.to !== undefined) {
      const period = readRange(lookup)
      const request = { ...filter, ...levels, period, order, limit, cursor }
      const sorted = isOfPeriod && (await sources.inSlices(forest.periodReferrals(id, { ...request, sort })))
      const { items, ...rest } = sorted || readPresent()
      const { answer: amounts } = await readPeriodAmounts(sources, { forest, period, items })
      const withAmounts = (item: Referral) => {
        const found = amounts.get(item.address)
        return { ...toItem(item), ...(found && { amounts: serialize(found) }) }
      }
      return addTxs(lookup, { body: { items: items.map(withAmounts), ...rest } })
    }
    const { items, ...page } = readPresent()
    return addTxs(lookup, { body: { items: items.map(toItem), ...page } })

    function readPresent() {
      const present = sort === 'team' || sort === 'volume' ? sort : 'joined'
      return filter
        ? forest.filteredReferrals(id, { ...filter, ...levels, sort: present, order, limit, cursor })
        : forest.referrals(id, { level, sort: present, order, limit, cursor })
    }
  },

  referralsCsv(lookup) {
    const { community, forest, id, query, sources } = lookup
    const address = checksumAddress(forest.summary(id).address)
    const forestOf = () => sources.viewOf(community.id)?.forest
    const readTxs: ReadTxs = (positions) => sources.tables.findTxs(sources.requireView(community.id), positions)
    const format = { timeZone: query.tz, tokens: community.tokens, readTxs }
    const order = query.order ?? 'asc'
    const moment = readKnownMoment(lookup)
    if (moment) {
      const amounts = query.amounts === 'true'
      const read = (of: Forest, member: MemberId) =>
        inSlicesWithWork(sources, of.pastDownline(member, { ...toFilter(query), moment, amounts }))
      const state = isFinal(moment, lookup) ? 'final' : 'whole'
      return {
        body: streamPastDownline(
          forestOf,
          { address, order, amounts: amounts ? 'total' : 'none', state, read },
          format,
        ),
        headers: fileHeaders(`${community.id}-${address}-${query.asOf}`, 'csv'),
      }
    }
    const period = query.from === undefined && query.to === undefined ? undefined : readRange(lookup)
    const readAmounts =
      period && ((of: Forest, items: readonly Referral[]) => readPeriodAmounts(sources, { forest: of, period, items }))
    const request = { address, order, filter: toFilter(query), readAmounts }
    return {
      body: streamDownline(forestOf, request, format),
      headers: fileHeaders(`${community.id}-${address}`, 'csv'),
    }
  },

  referrers(lookup) {
    const past = answerPast(lookup, pastReferrers)
    if (past) return addTxs(lookup, past)
    const { forest, id, query } = lookup
    const { items, nextCursor } = forest.referrers(id, query)
    return addTxs(lookup, { body: { items: items.map(toSummary), nextCursor } })
  },
}

type WithItems = { items: (Pick<api.MemberSummary, 'block' | 'logIndex'> & { tx?: Hash | null })[] }

/** Adds the transactions of a page's binds to an answer, if the query asks for them. */
async function addTxs<answer extends { body: object; state?: Result<'referrals'>['state'] }>(
  { query, view, sources }: Pick<LookupOf<'referrals' | 'referrers' | 'line' | 'roots'>, 'query' | 'view' | 'sources'>,
  answering: answer | Promise<answer>,
): Promise<answer> {
  const answer = await answering
  if (query.tx !== 'true') return answer
  const { items } = answer.body as WithItems
  const txs = await sources.readTransactions(view, items.map(positionOf))
  const body = { ...answer.body, items: items.map((item, index) => ({ ...item, tx: txs?.[index] ?? null })) }
  return { ...answer, body, ...(!txs && { state: 'partial' }) }
}

type PeriodItems = { forest: Forest; period: MomentRange; items: readonly Pick<Referral, 'address'>[] }

/** Reads the amounts of a period of each member of a page by its address. `work`: the milliseconds that it took. */
async function readPeriodAmounts(sources: Sources, { forest, period, items }: PeriodItems) {
  const addresses = items.map(({ address }) => address)
  const { answer, work } = await inSlicesWithWork(sources, forest.periodAmounts(addresses, period))
  return { answer: new Map(addresses.map((address, index) => [address, answer[index]])), work }
}

/** Computes an answer for a part of a file, which is charged by itself. `work`: its milliseconds. */
async function inSlicesWithWork<answer>({ inSlices, meter }: Sources, slices: Slices<answer>) {
  const before = meter.work()
  const answer = await inSlices(slices)
  return { answer, work: meter.work() - before }
}

type Irregular = Exclude<BindStatus, 'bound'>

/** Most binds that are read for a page of those with a status. */
const mostRead = 2_000

/** Returns the kinds of events that a query asks for: all without the parameter. */
const readKinds = ({ kind }: Pick<api.ParsedQueryOf<'memberEventsCsv'>, 'kind'>) =>
  kind === undefined ? memberEventKinds : [kind]

const toStep = ({ step, side }: Pick<LineStep, 'step' | 'side'>) => ({ step, side })

/** Returns the filter of a query; `undefined` if there is none. */
function toFilter(query: Omit<api.ParsedQueryOf<'referralsCsv'>, 'sort'>): ReferralsFilter | undefined {
  if (!Object.keys(query).some((name) => Object.hasOwn(filters, name))) return undefined
  const { levelFrom, levelTo, minTeam, minVolume, prefix, bound, grade, tz } = query
  const timeOf = (name: 'joinedFrom' | 'joinedTo' | 'activeSince', edge: 'first' | 'last') =>
    query[name] === undefined ? undefined : readTime(query[name], edge, tz)
  return {
    levelFrom,
    levelTo,
    minTeam,
    prefix,
    joinedFrom: timeOf('joinedFrom', 'first'),
    joinedTo: timeOf('joinedTo', 'last'),
    activeSince: timeOf('activeSince', 'first'),
    minVolume: minVolume === undefined ? undefined : BigInt(minVolume),
    bound: bound === undefined ? undefined : bound === 'true',
    grades: grade?.split(',') as Grade[] | undefined,
  }
}

/** Throws the problem of an address that no event up to the block names, of any kind. `empty`: the kinds without any. */
async function requireEvents(
  { view, address, sources: { tables } }: LookupOf<'memberEvents' | 'memberEventsCsv'>,
  empty: readonly string[],
  notFound: ProblemError,
): Promise<void> {
  if (empty.length === memberEventKinds.length) throw notFound
  const range = { kinds: memberEventKinds, before: undefined }
  const [event] = await tables.readMemberEvents({ ...view, member: address }, range, 1).catch(refuseWithoutDatabase)
  if (!event) throw notFound
}

/** Returns the position of a member's own bind; `null` for a placeholder. */
function positionOf({ block, logIndex }: Pick<Member, 'block' | 'logIndex'>): Position | null {
  return block === null || logIndex === null ? null : { block, logIndex }
}
