import type { Arguments, Tool } from './tools.ts'

const ofMember = { path: '/', query: { community: 'community', address: 'address' } }
const ofCommunity = { path: '/metrics', query: { community: 'community' } }
const ofPair = { path: '/referrers?view=relation', query: { community: 'community', address: 'a', to: 'b' } }

/** The page that shows the answer of each tool, and the argument behind each parameter of its link. */
const pages: Partial<Record<Tool['name'], { path: string; query: Record<string, string> }>> = {
  communities: { path: '/metrics?view=communities', query: {} },
  addresses: { path: '/search', query: { address: 'address' } },
  metrics: ofCommunity,
  map: ofCommunity,
  events: ofCommunity,
  search: { path: '/search', query: { community: 'community' } },
  batch: { path: '/search?view=list', query: { community: 'community' } },
  relation: ofPair,
  line: ofPair,
  member: ofMember,
  levels: ofMember,
  growth: ofMember,
  compare: ofMember,
  teamMap: ofMember,
  memberEvents: ofMember,
  referrals: { path: '/referrals', query: ofMember.query },
  referrers: { path: '/referrers', query: ofMember.query },
}

/**
 * Returns the link to the page that shows a person the answer of a tool.
 *
 * @example linkOf('member', { community: 'demo', address: '0x…' }, 'https://lineage.example')
 */
export function linkOf(name: Tool['name'], given: Arguments, origin: string): string {
  const { path, query } = pages[name] ?? { path: '/', query: {} }
  const link = new URL(path, origin)
  for (const [parameter, argument] of Object.entries(query)) link.searchParams.set(parameter, String(given[argument]))
  return link.href
}
