import type { Metrics } from '@lineage/referral-api'

type By = 'team' | 'directs' | 'volume'
export type Example = { by: By; leader: Metrics['leaders'][By][number] }

/** Picks the leaders by team, directs and volume; no member appears twice. */
export function toExamples({ leaders }: Metrics): Example[] {
  const taken = new Set<string>()
  return (['team', 'directs', 'volume'] as const).flatMap((by) => {
    const leader = leaders[by].find(({ address }) => !taken.has(address))
    if (!leader) return []
    taken.add(leader.address)
    return [{ by, leader }]
  })
}
