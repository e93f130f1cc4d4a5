import { createAddressWords, readAddress } from '../addresses/address.ts'
import type { ForestData } from '../data/forestData.ts'
import { none } from '../data/nodes.ts'
import type { AddressInput, Forest, MemberId } from '../types.ts'
import { activityOf } from './activity.ts'
import { compareTeam } from './compareTeam.ts'
import { filteredReferralsOf } from './filteredReferrals.ts'
import { GrowthQuery } from './growth.ts'
import { heldOf } from './held.ts'
import { levelsOf } from './levels.ts'
import { MapQuery } from './map.ts'
import { memberOf } from './member.ts'
import { MetricsQuery } from './metrics.ts'
import { createNearest, pastDirectsOf, pastLevelsOf, pastMemberOf, pastReferrersOf, pastUplineOf } from './past.ts'
import { PastDownlineQuery } from './pastDownline.ts'
import { PastMetricsQuery } from './pastMetrics.ts'
import { countUndatedOnLines, pastLineOf, pastRelationOf } from './pastRelation.ts'
import { amountsOf } from './periodAmounts.ts'
import { PeriodLegsQuery } from './periodLegs.ts'
import { periodReferralsOf } from './periodReferrals.ts'
import { PeriodTeamsQuery } from './periodTeams.ts'
import { isFound, queryForest, queryInSlices, queryMember, queryPair } from './queryMember.ts'
import { ranksOf } from './rank.ts'
import { ReferralsQuery } from './referrals.ts'
import { referrersOf } from './referrers.ts'
import { lineOf, relationOf } from './relation.ts'
import { risersOf } from './risers.ts'
import { rootsOf } from './roots.ts'
import { searchPrefix } from './searchPrefix.ts'
import { summaryOf } from './summary.ts'
import { countAllUndated, countUndated, wasKnown } from './uncertain.ts'

/** Creates the methods that read a forest; most are in a file of this folder. */
export function createQueries(data: ForestData) {
  const growth = new GrowthQuery(data)
  const referrals = new ReferralsQuery(data)
  const metrics = new MetricsQuery(data)
  const pastMetrics = new PastMetricsQuery(data, metrics)
  const map = new MapQuery(data)
  const legs = new PeriodLegsQuery(data)
  const teams = new PeriodTeamsQuery(data, legs)
  const downlines = new PastDownlineQuery(data)
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
    growth: queryMember(data, (_, node, parameters) => growth.answer(node, parameters)),
    referrals: queryMember(data, (_, node, parameters) => referrals.answer(node, parameters)),
    filteredReferrals: queryMember(data, filteredReferralsOf),
    referrers: queryMember(data, referrersOf),
    map(id, parameters) {
      if (id !== null) return queryMember(data, (_, node) => map.answer(node, parameters))(id)
      data.aggregates.ensureCurrent()
      return map.answer(none, parameters)
    },
    wasKnown: queryMember(data, wasKnown),
    undated: (id, moment) =>
      id === null
        ? queryForest(data, () => countAllUndated(data, moment))
        : queryInSlices(data, countUndated)(id, moment),
    pastMetrics: (parameters) => queryForest(data, () => pastMetrics.answer(parameters)),
    pastMember: queryInSlices(data, pastMemberOf),
    pastLevels: queryInSlices(data, pastLevelsOf),
    amounts: queryInSlices(data, amountsOf),
    periodAmounts: (addresses, period) =>
      queryForest(data, function* () {
        // A rollback may give the ids to others. The query then begins again.
        const ids = addresses.map(find)
        const found = yield* teams.amountsOf(
          ids.filter((id) => id !== undefined),
          period,
        )
        return ids.map((id) => (id === undefined ? undefined : found.shift()))
      }),
    periodReferrals: queryInSlices(data, (_, node, parameters) =>
      periodReferralsOf(data, node, parameters, { legs, teams }),
    ),
    ranks: queryMember(data, ranksOf),
    activity: (id, parameters) =>
      id === null
        ? queryForest(data, () => activityOf(data, null, parameters))
        : queryInSlices(data, (_, node) => activityOf(data, node, parameters))(id),
    risers: (id, parameters) =>
      id === null
        ? queryForest(data, () => risersOf(data, null, parameters, legs))
        : queryInSlices(data, (_, node) => risersOf(data, node, parameters, legs))(id),
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
