import { createAddressWords, readAddress } from '../addresses/address.ts'
import type { ForestData } from '../data/forestData.ts'
import { nodeStatus, none } from '../data/nodes.ts'
import { DownlineChangedError, QueryTooCostlyError, UnknownMemberError } from '../errors.ts'
import type { AddressInput, Forest, MemberId, Slices } from '../types.ts'
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
    find,
    member: queryMember(data, memberOf),
    summary: queryMember(data, summaryOf),
    levels: queryMember(data, levelsOf),
    growth: queryMember(data, (_, node, parameters) => growthOf(node, parameters)),
    referrals: queryMember(data, (_, node, parameters) => referralsOf(node, parameters)),
    filteredReferrals: queryMember(data, filteredReferralsOf),
    referrers: queryMember(data, referrersOf),
    map(id, parameters) {
      if (id !== null) return queryMember(data, (_, node) => mapOf(node, parameters))(id)
      data.aggregates.ensureCurrent()
      return mapOf(none, parameters)
    },
    wasKnown: queryMember(data, wasKnown),
    undated: queryAny(data, (_, id, moment) =>
      id === null ? countAllUndated(data, moment) : countUndated(data, id, moment),
    ),
    pastMetrics: (parameters) => queryForest(data, () => pastMetricsOf(parameters)),
    pastMember: queryInSlices(data, pastMemberOf),
    pastLevels: queryInSlices(data, pastLevelsOf),
    amounts: queryInSlices(data, amountsOf),
    periodAmounts: (addresses, period) =>
      queryForest(data, function* () {
        // A rollback may give the ids to others. The query then begins again.
        const ids = addresses.map(find)
        const found = yield* teamAmountsOf(
          ids.filter((id) => id !== undefined),
          period,
        )
        return ids.map((id) => (id === undefined ? undefined : found.shift()))
      }),
    periodReferrals: queryInSlices(data, (_, node, parameters) =>
      periodReferralsOf(data, node, parameters, { readLegs, amountsOf: teamAmountsOf }),
    ),
    ranks: queryMember(data, ranksOf),
    activity: queryAny(data, activityOf),
    risers: queryAny(data, (_, id, parameters) => risersOf(data, id, parameters, readLegs)),
    pastReferrers: queryMember(data, pastReferrersOf),
    pastUpline: queryMember(data, pastUplineOf),
    nearest: queryPair(data, (_, a, b, block) => createNearest(data, [a, b], block)),
    pastDirects: queryInSlices(data, pastDirectsOf),
    pastReferrals: queryInSlices(data, (_, node, parameters) => downlines.readPage(node, parameters)),
    pastDownline: queryInSlices(data, (_, node, parameters) => downlines.select(node, parameters)),
    compare: queryInSlices(data, compareTeam),
    relation: queryPair(data, relationOf),
    line: queryPair(data, lineOf),
    pastRelation: queryPair(data, pastRelationOf),
    pastLine: queryPair(data, pastLineOf),
    undatedOnLines: queryPair(data, countUndatedOnLines),
    statusAt: ({ block, logIndex }) => data.irregularBinds.find(block, logIndex) ?? 'bound',
    irregularBinds: (statuses, before, limit) => data.irregularBinds.list(statuses, before, limit),
    searchPrefix(prefix, limit) {
      data.aggregates.ensureCurrent()
      return searchPrefix(data, prefix, limit)
    },
    roots(parameters) {
      data.aggregates.ensureCurrent()
      return rootsOf(data, parameters)
    },
    held(hold, parameters) {
      data.aggregates.ensureCurrent()
      return heldOf(data, hold, parameters)
    },
    metrics(parameters) {
      data.aggregates.ensureCurrent()
      return metrics.answer(parameters)
    },
  } satisfies Partial<Forest>
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
