import type { Address, Levels, PastLevels } from '@lineage/referral-api'
import { useState } from 'react'
import { keepOf, refreshEvery, useAnswer } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { refreshPast } from '../past/queries.ts'

export const useMember = (community: string, address: Address) =>
  useAnswer([community, 'member', address], (api, signal) => api.member(community, address, { signal }))

/** Number of levels that load at a time: anybody can make a line of a hundred thousand members, each below the last. */
export const levelsAtOnce = 500

type LevelsOptions = {
  /** Block or day of the levels; now by default. */
  asOf?: string
  /** A level that loads even if it is far below the others. */
  chosen?: number | undefined
}

/** Loads the first levels below a member, and more on request. */
export function useLevels(community: string, address: Address, { asOf, chosen = 0 }: LevelsOptions = {}) {
  const [most, setMost] = useState(levelsAtOnce)
  const isFar = chosen > most
  const levels = useLevelRange(community, address, { asOf, levelFrom: 1, levelTo: most })
  const far = useLevelRange(community, address, { asOf, levelFrom: chosen, levelTo: chosen }, isFar)
  return {
    query: levels,
    items: [...(levels.data?.items ?? []), ...((isFar && far.data?.items) || [])],
    loadMore: () => setMost(most + levelsAtOnce),
  }
}

type LevelRange = { asOf: string | undefined; levelFrom: number; levelTo: number }

function useLevelRange(community: string, address: Address, { asOf, ...range }: LevelRange, enabled = true) {
  const tz = useFormat().timeZone
  const key = asOf === undefined ? [community, 'levels', address] : [community, 'past', 'levels', address, asOf, tz]
  return useAnswer<Levels | PastLevels>(
    [...key, range.levelFrom, range.levelTo],
    (api, signal) =>
      asOf === undefined
        ? api.levels(community, address, { ...range, signal })
        : api.levels(community, address, { ...range, asOf, tz, signal }),
    {
      enabled,
      placeholderData: keepOf(...key, range.levelFrom),
      ...(asOf !== undefined && { refetchInterval: refreshPast }),
    },
  )
}

/**
 * Loads the metrics of a community, with the members of each day.
 *
 * @param every Milliseconds between requests while the page is visible; an unchanged answer is a 304.
 */
export function useMetrics(community: string, every = 3_000) {
  const tz = useFormat().timeZone
  return useAnswer(
    [community, 'metrics', tz],
    (api, signal) => api.metrics(community, { tz, series: 'members', depthTo: levelsAtOnce - 1, signal }),
    { placeholderData: keepOf(community, 'metrics'), refetchInterval: refreshEvery(every) },
  )
}
