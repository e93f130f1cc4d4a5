import { type Community, type Metrics, nameIn, type ReferralClient } from '@lineage/referral-api'

export type Api = Pick<ReferralClient, 'communities' | 'metrics'>

/** Describes the communities that are answered or withheld, except those that were told before, and notes them. */
export async function describeCommunities(api: Api, told: Set<string>): Promise<string[]> {
  const items = await api.communities().then(
    (found) => found.items.filter(({ id, status }) => status !== 'indexing' && !told.has(id)),
    () => [],
  )
  const texts: string[] = []
  for (const community of items) {
    const metrics = community.status === 'ready' ? await api.metrics(community.id).catch(() => undefined) : null
    // Asked for again in the next round.
    if (metrics === undefined) continue
    told.add(community.id)
    texts.push(describeCommunity(community, metrics))
  }
  return texts
}

/** Describes a community by its members, roots, first bind and largest team; one that is withheld has none. */
export function describeCommunity({ name }: Pick<Community, 'name'>, metrics: Figures | null): string {
  const title = nameIn(name, 'en')
  if (metrics === null) return `${title} is withheld: the reason stands below`
  const { members, roots, series, undated, leaders } = metrics
  const [first] = series
  const [largest] = leaders.team
  const facts = [
    toCount(members, 'member'),
    toCount(roots, 'root'),
    ...(first ? [`first bind on ${first.day}`] : []),
    ...(undated > 0 ? [`${undated.toLocaleString('en')} without a date`] : []),
  ]
  return [
    title,
    `  ${facts.join(' · ')}`,
    ...(largest ? [`  largest team: ${largest.team.toLocaleString('en')} below ${largest.address}`] : []),
  ].join('\n')
}

type Figures = Pick<Metrics, 'members' | 'roots' | 'series' | 'undated' | 'leaders'>

const toCount = (count: number, noun: string) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
