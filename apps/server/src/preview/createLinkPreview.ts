import type { Community, ResponseOf } from '@lineage/referral-api'
import { addressPattern } from '@lineage/referral-api/address'
import { zoneOfPage } from '@lineage/referral-api/days'
import type { Language } from '@lineage/referral-api/language'
import { momentPattern } from '@lineage/referral-api/operations'
import { createCommunityReader, type LookUp, lookupOf, readAnswer } from '../api/lookups.ts'
import type { Services } from '../api/services.ts'
import { createCache, withPatience } from '../lib/cache.ts'
import { toHtml } from '../site/page.ts'
import { pagePaths } from '../site/site.ts'
import { describeCommunity, describeCommunityThen, describeMember, describeSite, type Preview } from './previewTexts.ts'

/** Longest time that a page waits for its preview, in milliseconds. */
const patience = 50
/** Milliseconds for which an answer is cached, and the largest number of cached answers. */
const maxAge = 60_000
const cacheSize = 1_000

type MemberAnswer = ResponseOf<'member'>

/**
 * Creates a function that returns the tags of a link preview: the title and description of the member or community
 * that a URL names. For a past moment in the URL, it describes the member at that moment. While the index is slow or
 * unavailable, or the visitor asks too much, it returns the general tags at once.
 *
 * @see https://ogp.me
 */
export function createLinkPreview(
  lookUp: LookUp,
  { index, limits }: Pick<Services, 'index' | 'limits'>,
): (url: URL, language: Language, visitor: string) => Promise<string> {
  const readCommunities = createCommunityReader(index)
  const cache = createCache<MemberAnswer>({ maxAge, size: cacheSize })
  const findMember = (community: string, address: string, moment: string, visitor: string) =>
    cache([community, address, moment].join(' '), async () => {
      limits.require('lookups', visitor)
      const request = lookupOf('member', { community, address }, moment)
      return readAnswer('member', await lookUp(visitor, request))
    })

  async function find(url: URL, visitor: string, language: Language): Promise<Preview | undefined> {
    if (!pagePaths.includes(url.pathname)) return undefined
    const address = url.searchParams.get('address') ?? ''
    const id = url.searchParams.get('community')
    // Pages ignore an empty moment as well.
    const asOf = url.searchParams.get('asOf') ?? ''
    const isMember = addressPattern.test(address)
    if (!isMember && id === null && url.pathname !== '/metrics') return undefined
    const community = chooseCommunity(await readCommunities(), id)
    // The figures of a community that is not served are not known.
    if (community?.status !== 'ready') return undefined
    if (!isMember) return asOf ? describeCommunityThen(community, language) : describeCommunity(community, language)
    if (asOf && !momentPattern.test(asOf)) return undefined
    const tz = zoneOfPage(url.searchParams, language)
    const moment = asOf && String(new URLSearchParams({ asOf, tz }))
    const member = await findMember(community.id, address.toLowerCase(), moment, visitor)
    return describeMember(member, community, { language, tz })
  }

  return async (url, language, visitor) => {
    const found = await withPatience(patience, find(url, visitor, language))
    return toTags(found ?? describeSite(language))
  }
}

const chooseCommunity = (items: readonly Community[], id: string | null): Community | undefined =>
  id === null ? items[0] : items.find((item) => item.id === id)

function toTags({ title, description }: Preview): string {
  const tags = [
    ['property', 'og:type', 'website'],
    ['property', 'og:site_name', 'Lineage'],
    ['property', 'og:title', title],
    ['property', 'og:description', description],
    ['name', 'twitter:card', 'summary'],
  ]
  return tags.map(([kind, name, text = '']) => `<meta ${kind}="${name}" content="${toHtml(text)}">`).join('')
}
