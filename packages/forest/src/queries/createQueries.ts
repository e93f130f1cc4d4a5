import { createAddressWords, readAddress } from '../addresses/address.ts'
import type { ForestData } from '../data/forestData.ts'
import { nodeStatus, none } from '../data/nodes.ts'
import { DownlineChangedError, QueryTooCostlyError, UnknownMemberError } from '../errors.ts'
import type {
  AddressInput,
  BindStatus,
  EventPosition,
  GrowthParameters,
  HeldParameters,
  Hold,
  MapParameters,
  MemberId,
  MetricsParameters,
  Moment,
  MomentRange,
  PastDownlineParameters,
  PastMetricsParameters,
  PastReferralsParameters,
  PeriodReferralsParameters,
  ReferralsParameters,
  RisersParameters,
  RootsParameters,
  Slices,
} from '../types.ts'
import { activityOf } from './activity.ts'
import { compareTeam } from './compareTeam.ts'
import { searchPrefix } from './filter.ts'
import { filteredReferralsOf } from './filteredReferrals.ts'
import { createGrowth } from './growth.ts'
import { heldOf } from './held.ts'
import { createMap } from './map.ts'
import { levelsOf, memberOf, ranksOf, summaryOf } from './member.ts'
import { createMetrics } from './metrics.ts'
import { createNearest, pastDirectsOf, pastLevelsOf, pastMemberOf, pastReferrersOf, pastUplineOf } from './past.ts'
import { createPastDownline } from './pastDownline.ts'
import { createPastMetrics } from './pastMetrics.ts'
import { amountsOf, createPeriodTeams } from './periodAmounts.ts'
import { createPeriodLegs } from './periodLegs.ts'
import { periodReferralsOf } from './periodReferrals.ts'
import { createReferrals } from './referrals.ts'
import { referrersOf } from './referrers.ts'
import { countUndatedOnLines, lineOf, pastLineOf, pastRelationOf, relationOf } from './relation.ts'
import { risersOf } from './risers.ts'
import { rootsOf } from './roots.ts'
import { countAllUndated, countUndated, wasKnown } from './uncertain.ts'

type Place = Pick<EventPosition, 'block' | 'logIndex'>

/** Creates the methods that read a forest; most are in a file of this folder. */
export function createQueries(data: ForestData) {
  const growthOf = createGrowth(data)
  const referralsOf = createReferrals(data)
  const metrics = createMetrics(data)
  const pastMetricsOf = createPastMetrics(data, metrics.seriesUntil)
  const mapOf = createMap(data)
  const readLegs = createPeriodLegs(data)
  const teamAmountsOf = createPeriodTeams(data, readLegs)
  const downlines = createPastDownline(data)
  const words = createAddressWords()

  function find(address: AddressInput): MemberId | undefined {
    readAddress(address, words)
    const node = data.addresses.find(words)
    return node !== undefined && isFound(data, node) ? node : undefined
  }

  return {
    /** Returns the id of an address; `undefined` if it is neither member nor placeholder. */
    find,
    /** Returns all figures of a member. */
    member: queryMember(data, memberOf),
    /** Returns a member as a row of a list, which is cheaper than `member`. */
    summary: queryMember(data, summaryOf),
    /** Returns count and volume of each level of the downline. */
    levels: queryMember(data, levelsOf),
    /** Returns the growth of today's team, for each period from its first join to `now`. */
    growth: queryMember(data, (_, node, parameters: GrowthParameters) => growthOf(node, parameters)),
    /** Reads a page of the downline. */
    referrals: queryMember(data, (_, node, parameters: ReferralsParameters) => referralsOf(node, parameters)),
    /** Reads a page of the members in the downline that match a filter. @throws {QueryTooCostlyError} */
    filteredReferrals: queryMember(data, filteredReferralsOf),
    /** Reads a page of the upline, from the member's referrer up to the root. */
    referrers: queryMember(data, referrersOf),
    /** Draws the largest legs of a team, or of the whole forest for `null`, and sums up the others. */
    map(id: MemberId | null, parameters: MapParameters) {
      if (id !== null) return queryMember(data, (_, node) => mapOf(node, parameters))(id)
      data.aggregates.ensureCurrent()
      return mapOf(none, parameters)
    },
    /** Returns whether an event had named the member by that moment. */
    wasKnown: queryMember(data, wasKnown),
    /**
     * Returns the number of addresses around a member whose place at a past moment is not known, because a bind without a date counts as
     * later, but may be of before it: the member, its upline and downline, and those who were moved away. `null`: all.
     */
    undated: queryAny(data, (_, id, moment: Moment) =>
      id === null ? countAllUndated(data, moment) : countUndated(data, id, moment),
    ),
    /** Returns the network-wide figures of a past moment. Every member of then is read, and every amount up to then. */
    pastMetrics: (parameters: PastMetricsParameters) => queryForest(data, () => pastMetricsOf(parameters)),
    /** Returns a member at a past moment; `undefined` before the first valid bind that named it. */
    pastMember: queryInSlices(data, pastMemberOf),
    /** Returns the number of members on each level of the downline at a past moment. */
    pastLevels: queryInSlices(data, pastLevelsOf),
    /**
     * Returns the amounts of a member in a period, and of those who are in its downline at the end of the period; in all, and by day, week
     * or month from the first one with an amount to the last one.
     */
    amounts: queryInSlices(data, amountsOf),
    /**
     * Returns the amounts in a period of members by their addresses, and of those who are in their downlines at its end, in the same
     * order; `undefined` for addresses that are not found.
     */
    periodAmounts: (addresses: readonly AddressInput[], period: MomentRange) =>
      queryForest(data, function* () {
        // A rollback may give the ids to others. The query then begins again.
        const ids = addresses.map(find)
        const found = yield* teamAmountsOf(
          ids.filter((id) => id !== undefined),
          period,
        )
        return ids.map((id) => (id === undefined ? undefined : found.shift()))
      }),
    /** Reads a page of the members below a member who have own or team amounts in a period, by these. */
    periodReferrals: queryInSlices(data, (_, node, parameters: PeriodReferralsParameters) =>
      periodReferralsOf(data, node, parameters, { readLegs, amountsOf: teamAmountsOf }),
    ),
    /** Returns the places of a member, with equal ones numbered alike. */
    ranks: queryMember(data, ranksOf),
    /**
     * Counts the active members of each period, and all who have no date, in the downline of a member at the end or in the whole forest
     * for `null`.
     */
    activity: queryAny(data, activityOf),
    /** Returns the members whose teams grew most in a period, below a member at its end or in the whole forest for `null`. */
    risers: queryAny(data, (_, id, parameters: RisersParameters) => risersOf(data, id, parameters, readLegs)),
    /** Reads a page of the upline at a past moment. */
    pastReferrers: queryMember(data, pastReferrersOf),
    /** Lists the addresses above a member after a block, the nearest first, in one step for each and each later move. */
    pastUpline: queryMember(data, pastUplineOf),
    /** Returns a function that finds the nearest of two members at or above an address, until the forest changes. */
    nearest: queryPair(data, (_, a, b, block: number) => createNearest(data, [a, b], block)),
    /** Reads a page of the direct referrals at a past moment. */
    pastDirects: queryInSlices(data, pastDirectsOf),
    /** Reads a page of the downline at a past moment, or of those in it who match a filter. The whole downline of then is read. */
    pastReferrals: queryInSlices(data, (_, node, parameters: PastReferralsParameters) =>
      downlines.readPage(node, parameters),
    ),
    /** Finds the members of the downline at a past moment, or those who match a filter, to read all of them. */
    pastDownline: queryInSlices(data, (_, node, parameters: PastDownlineParameters) =>
      downlines.select(node, parameters),
    ),
    /** Compares a team at two moments. */
    compare: queryInSlices(data, compareTeam),
    /** Returns how two members are related. */
    relation: queryPair(data, relationOf),
    /** Reads a page of the line between two members: up from the first, then down to the second. */
    line: queryPair(data, lineOf),
    /** Returns how two members were related at a past moment. */
    pastRelation: queryPair(data, pastRelationOf),
    /** Reads a page of the line between two members at a past moment. */
    pastLine: queryPair(data, pastLineOf),
    /** Returns the number of addresses on the lines above two members, then and today, whose place at a past moment is not known. */
    undatedOnLines: queryPair(data, countUndatedOnLines),
    /** Returns the status of the bind at a position. */
    statusAt: ({ block, logIndex }: Place): BindStatus => data.irregularBinds.find(block, logIndex) ?? 'bound',
    /** Lists the irregular binds of some statuses before a position, the newest first. */
    irregularBinds: (
      statuses: readonly Exclude<BindStatus, 'bound'>[],
      before: Place | undefined,
      limit: number,
    ): Place[] => data.irregularBinds.list(statuses, before, limit),
    /** Returns members and placeholders by prefix, in address order. The prefix is `0x` and at least two hex digits. */
    searchPrefix(prefix: string, limit: number) {
      data.aggregates.ensureCurrent()
      return searchPrefix(data, prefix, limit)
    },
    /** Reads a page of the members without a referrer and the placeholders, and counts them. Equal ones are in the order first seen. */
    roots(parameters: RootsParameters) {
      data.aggregates.ensureCurrent()
      return rootsOf(data, parameters)
    },
    /** Reads a page of a held state. Throws `HoldEndedError` if it has ended. */
    held(hold: Hold, parameters: HeldParameters) {
      data.aggregates.ensureCurrent()
      return heldOf(data, hold, parameters)
    },
    /** Returns the network-wide figures. `now` is in Unix seconds, as for `growth`. */
    metrics(parameters: MetricsParameters) {
      data.aggregates.ensureCurrent()
      return metrics.answer(parameters)
    },
  }
}

/** Number of attempts to compute an answer in slices while downlines change. */
const mostTries = 3

/** Makes a query about one member: it checks the id and updates the data before each answer. */
function queryMember<parameters extends unknown[], answer>(
  data: ForestData,
  answer: (data: ForestData, node: number, ...parameters: parameters) => answer,
) {
  return (id: MemberId, ...parameters: parameters): answer => {
    if (!isFound(data, id)) throw new UnknownMemberError(id)
    data.aggregates.ensureCurrent()
    return answer(data, id, ...parameters)
  }
}

/** Makes a query about one member whose answer is computed in slices. It starts again if downlines changed meanwhile. */
function queryInSlices<parameters extends unknown[], answer>(
  data: ForestData,
  answer: (data: ForestData, node: number, ...parameters: parameters) => Slices<answer>,
) {
  return queryMember(data, (_, node, ...parameters: parameters) => {
    const address = data.addresses.address(node)
    return tryAgain(
      data,
      () => answer(data, node, ...parameters),
      // A rollback may give the id to another member.
      () => isFound(data, node) && data.addresses.address(node) === address,
    )
  })
}

/** Makes a query about the whole forest whose answer is computed in slices. */
function queryForest<answer>(data: ForestData, answer: () => Slices<answer>): Slices<answer> {
  data.aggregates.ensureCurrent()
  return tryAgain(data, answer, () => true)
}

/** Makes a query about one member, or about the whole forest for `null`, whose answer is computed in slices. */
function queryAny<parameters extends unknown[], answer>(
  data: ForestData,
  answer: (data: ForestData, node: number | null, ...parameters: parameters) => Slices<answer>,
) {
  return (id: MemberId | null, ...parameters: parameters): Slices<answer> =>
    id === null
      ? queryForest(data, () => answer(data, null, ...parameters))
      : queryInSlices(data, answer)(id, ...parameters)
}

/** Computes an answer of one chain: begins again after a rollback, and when an answer finds that what it reads has changed. */
function* tryAgain<answer>(
  { aggregates, amounts }: ForestData,
  answer: () => Slices<answer>,
  isValid: () => boolean,
): Slices<answer> {
  for (let tries = 0; tries < mostTries && isValid(); tries++)
    try {
      aggregates.ensureCurrent()
      const requireSameChain = amounts.guard()
      const slices = answer()
      for (;;) {
        const { done, value } = slices.next()
        if (done) return value
        yield
        requireSameChain()
        aggregates.ensureCurrent()
      }
    } catch (error) {
      if (!(error instanceof DownlineChangedError)) throw error
    }
  throw new QueryTooCostlyError('changes')
}

/** Makes a query about two members: it checks both ids and updates the data before each answer. */
function queryPair<parameters extends unknown[], answer>(
  data: ForestData,
  answer: (data: ForestData, a: number, b: number, ...parameters: parameters) => answer,
) {
  return (a: MemberId, b: MemberId, ...parameters: parameters): answer => {
    if (!isFound(data, b)) throw new UnknownMemberError(b)
    return queryMember(data, (_, found) => answer(data, found, b, ...parameters))(a)
  }
}

/** Returns whether an id is that of a member or placeholder. */
function isFound({ nodes }: ForestData, id: MemberId): boolean {
  return Number.isInteger(id) && id >= 0 && id < nodes.length && nodes.status[id] !== nodeStatus.unknown
}
