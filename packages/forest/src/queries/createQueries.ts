import { createAddressWords, readAddress } from '../address.ts'
import { DownlineChangedError, QueryTooCostlyError, UnknownMemberError } from '../errors.ts'
import type { ForestData } from '../forestData.ts'
import { nodeStatus, none } from '../nodes.ts'
import { Past } from '../past.ts'
import type { Forest, MemberId, Slices } from '../types.ts'
import { compareTeam } from './compareTeam.ts'
import { filteredReferralsOf } from './filteredReferrals.ts'
import { GrowthQuery } from './growth.ts'
import { levelsOf } from './levels.ts'
import { MapQuery } from './map.ts'
import { memberOf } from './member.ts'
import { MetricsQuery } from './metrics.ts'
import { pastDirectsOf, pastLevelsOf, pastMemberOf, pastReferrersOf, pastUplineOf } from './past.ts'
import { ReferralsQuery } from './referrals.ts'
import { referrersOf } from './referrers.ts'
import { lineOf, relationOf } from './relation.ts'
import { searchPrefix } from './searchPrefix.ts'
import { summaryOf } from './summary.ts'

/** Number of attempts to compute an answer in slices while downlines change. */
const mostTries = 3

/** Creates the methods that read a forest, one for each file of this folder. */
export function createQueries(data: ForestData) {
  const growth = new GrowthQuery(data)
  const referrals = new ReferralsQuery(data)
  const metrics = new MetricsQuery(data)
  const map = new MapQuery(data)
  const words = createAddressWords()

  /** Checks the id and updates the data before a query about one member. */
  function queryMember<parameters extends unknown[], answer>(
    answer: (data: ForestData, node: number, ...parameters: parameters) => answer,
  ) {
    return (id: MemberId, ...parameters: parameters): answer => {
      if (!isFound(data, id)) throw new UnknownMemberError(id)
      data.aggregates.ensureCurrent()
      return answer(data, id, ...parameters)
    }
  }

  /** Does the same for an answer in slices, which starts again if downlines have changed meanwhile. */
  function queryInSlices<parameters extends unknown[], answer>(
    answer: (data: ForestData, node: number, ...parameters: parameters) => Slices<answer>,
  ) {
    return queryMember(function* (_, node, ...parameters: parameters): Slices<answer> {
      for (let tries = 0; tries < mostTries && isFound(data, node); tries++)
        try {
          return yield* answer(data, node, ...parameters)
        } catch (error) {
          if (!(error instanceof DownlineChangedError)) throw error
        }
      throw new QueryTooCostlyError('changes')
    })
  }

  /** Does the same for a query about two members. */
  function queryPair<parameters extends unknown[], answer>(
    answer: (data: ForestData, a: number, b: number, ...parameters: parameters) => answer,
  ) {
    return (a: MemberId, b: MemberId, ...parameters: parameters): answer => {
      if (!isFound(data, b)) throw new UnknownMemberError(b)
      return queryMember((_, found) => answer(data, found, b, ...parameters))(a)
    }
  }

  return {
    find(address) {
      readAddress(address, words)
      const node = data.addresses.find(words)
      return node !== undefined && isFound(data, node) ? node : undefined
    },
    member: queryMember(memberOf),
    summary: queryMember(summaryOf),
    levels: queryMember(levelsOf),
    growth: queryMember((_, node, parameters) => growth.answer(node, parameters)),
    referrals: queryMember((_, node, parameters) => referrals.answer(node, parameters)),
    filteredReferrals: queryMember(filteredReferralsOf),
    referrers: queryMember(referrersOf),
    map(id, parameters) {
      if (id !== null) return queryMember((_, node) => map.answer(node, parameters))(id)
      data.aggregates.ensureCurrent()
      return map.answer(none, parameters)
    },
    wasKnown: queryMember((_, node, moment) => new Past(data, moment).isKnown(node)),
    pastMember: queryInSlices(pastMemberOf),
    pastLevels: queryInSlices(pastLevelsOf),
    pastReferrers: queryMember(pastReferrersOf),
    pastUpline: queryMember(pastUplineOf),
    pastDirects: queryInSlices(pastDirectsOf),
    compare: queryInSlices(compareTeam),
    relation: queryPair(relationOf),
    line: queryPair(lineOf),
    statusAt: ({ block, logIndex }) => data.irregularBinds.find(block, logIndex) ?? 'bound',
    searchPrefix(prefix, limit) {
      data.aggregates.ensureCurrent()
      return searchPrefix(data, prefix, limit)
    },
    metrics({ now }) {
      data.aggregates.ensureCurrent()
      return metrics.answer(now)
    },
  } satisfies Partial<Forest>
}

function isFound({ nodes }: ForestData, id: MemberId): boolean {
  return Number.isInteger(id) && id >= 0 && id < nodes.length && nodes.status[id] !== nodeStatus.unknown
}
