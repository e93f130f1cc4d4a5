import type { Metrics } from '@lineage/referral-api'

type By = 'team' | 'directs' | 'volume'
export type Example = { leader: Metrics['leaders'][By][number]; by: By[] }

/** Picks the leaders by team, directs and volume; a member who leads in several appears once, with all of them. */
export function toExamples({ leaders }: Metrics): Example[] {
  const examples: Example[] = []
  for (const by of ['team', 'directs', 'volume'] as const) {
    const [leader] = leaders[by]
    const known = examples.find((example) => example.leader.address === leader?.address)
    if (known) known.by.push(by)
    else if (leader) examples.push({ leader, by: [by] })
  }
  return examples
}
