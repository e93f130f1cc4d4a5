import type { Address, Community, ResponseOf } from '@lineage/referral-api'
import { addressPattern } from '@lineage/referral-api/address'
import { momentPattern } from '@lineage/referral-api/operations'
import { responses } from '@lineage/referral-api/schemas'
import type { Indexer } from '../indexer/createIndexer.ts'
import { apiPath } from '../lib/apiPath.ts'
import { shareFor } from '../lib/shareFor.ts'
import { toHtml } from '../lib/toHtml.ts'
import {
  describeCommunity,
  describeCommunityThen,
  describeMember,
  describeSite,
  findLanguage,
  type Language,
  type Preview,
} from './previewTexts.ts'

/** Longest time that a page waits for its preview, in milliseconds. */
const patience = 50
/** Milliseconds for which an answer is cached, and the largest number of cached answers. */
const maxAge = 60_000
const cacheSize = 1_000

export type LinkPreviewParameters = {
  indexer: Pick<Indexer, 'read'>
  /** Looks up a member for a visitor, within the visitor's limit. `target` is the path with its query. */
  lookUpMember: (visitor: string, target: string) => Promise<Response>
  now?: () => number
}

/**
 * Creates a function that returns the tags of a link preview: the title and description of the member or community
 * that a URL names. For a past moment in the URL, it describes the member at that moment. While the index is slow or unavailable, or the visitor asks too much, it returns the general tags
 * at once.
 *
 * @see https://ogp.me
 */
export function createLinkPreview({ indexer, lookUpMember, now = () => performance.now() }: LinkPreviewParameters) {
  const cache = new Map<string, { until: number; answer: Promise<MemberAnswer | undefined> }>()
  const readCommunities = shareFor(maxAge / 2, async () => (await indexer.read('communities')).items, now)

  async function readMember(target: string, visitor: string): Promise<MemberAnswer | undefined> {
    const response = await lookUpMember(visitor, target)
    if (response.ok) return responses.member.parse(await response.json()) as MemberAnswer
    await response.body?.cancel()
    return undefined
  }

  function findMember(target: string, visitor: string): Promise<MemberAnswer | undefined> {
    const known = cache.get(target)
    if (known && known.until > now()) return known.answer
    const answer = readMember(target, visitor)
    const entry = { until: now() + maxAge, answer }
    // Delete first, so that the first of the map is the oldest.
    cache.delete(target)
    cache.set(target, entry)
    const [oldest] = cache.keys()
    if (cache.size > cacheSize && oldest !== undefined) cache.delete(oldest)
    const forget = () => cache.get(target) === entry && cache.delete(target)
    // A failure or a refusal is not cached.
    answer.then((found) => found ?? forget(), forget)
    return answer
  }

  async function find(url: URL, visitor: string, language: Language): Promise<Preview | undefined> {
    const address = url.searchParams.get('address') ?? ''
    const id = url.searchParams.get('community')
    // Pages ignore an empty moment as well.
    const asOf = url.searchParams.get('asOf') || undefined
    const isMember = addressPattern.test(address)
    if (!isMember && id === null && url.pathname !== '/metrics') return undefined
    const community = chooseCommunity(await readCommunities(), id)
    if (!community) return undefined
    if (!isMember) return asOf ? describeCommunityThen(community, language) : describeCommunity(community, language)
    if (asOf && !momentPattern.test(asOf)) return undefined
    const path = apiPath('member', community.id, address.toLowerCase() as Address)
    const member = await findMember(asOf ? `${path}?asOf=${asOf}` : path, visitor)
    return member && describeMember(member, community, language)
  }

  /** Returns the tags for a page's head. */
  return async (request: Request, visitor: string): Promise<string> => {
    const url = new URL(request.url)
    const language = findLanguage(url.searchParams.get('lang'))
    const found = await withPatience(find(url, visitor, language).catch(() => undefined))
    return toTags(found ?? describeSite(language))
  }
}

type MemberAnswer = ResponseOf<'member'>

const chooseCommunity = (items: readonly Community[], id: string | null): Community | undefined =>
  id === null ? items[0] : items.find((item) => item.id === id)

/** Resolves to `undefined` if an answer takes too long. The lookup goes on, for the next page. */
async function withPatience<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patience)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

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
