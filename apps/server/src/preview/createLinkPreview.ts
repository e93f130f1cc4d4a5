import type { Address, Community, Member } from '@lineage/referral-api'
import { addressPattern } from '@lineage/referral-api/address'
import type { Indexer } from '../indexer/createIndexer.ts'
import { shareFor } from '../lib/shareFor.ts'
import { toHtml } from '../lib/toHtml.ts'
import {
  describeCommunity,
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
  /**
   * Charges a lookup and waits for its turn. Resolves to a function that ends it, or to `undefined` if the visitor is
   * refused.
   */
  startLookup: (visitor: string) => Promise<(() => void) | undefined>
  now?: () => number
}

/**
 * Creates a function that returns the tags of a link preview: the title and description of the member or community
 * that a URL names. While the index is slow or unavailable, or the visitor asks too much, it returns the general tags
 * at once.
 *
 * @see https://ogp.me
 */
export function createLinkPreview({ indexer, startLookup, now = () => performance.now() }: LinkPreviewParameters) {
  const cache = new Map<string, { until: number; answer: Promise<Member | undefined> }>()
  const readCommunities = shareFor(maxAge / 2, async () => (await indexer.read('communities')).items, now)

  async function lookUp<Answer>(visitor: string, read: () => Promise<Answer>): Promise<Answer | undefined> {
    const end = await startLookup(visitor)
    return end && read().finally(end)
  }

  function findMember(community: string, address: Address, visitor: string): Promise<Member | undefined> {
    const key = `${community} ${address}`
    const known = cache.get(key)
    if (known && known.until > now()) return known.answer
    // Without `asOf` the answer is never one of the past.
    const answer = lookUp(visitor, () => indexer.read('member', community, address) as Promise<Member>)
    const entry = { until: now() + maxAge, answer }
    // Delete first, so that the first of the map is the oldest.
    cache.delete(key)
    cache.set(key, entry)
    const [oldest] = cache.keys()
    if (cache.size > cacheSize && oldest !== undefined) cache.delete(oldest)
    const forget = () => cache.get(key) === entry && cache.delete(key)
    // A failure or a refusal is not cached.
    answer.then((found) => found ?? forget(), forget)
    return answer
  }

  async function find(url: URL, visitor: string, language: Language): Promise<Preview | undefined> {
    const address = url.searchParams.get('address') ?? ''
    const id = url.searchParams.get('community')
    const isMember = addressPattern.test(address)
    if (!isMember && id === null && url.pathname !== '/metrics') return undefined
    const community = chooseCommunity(await readCommunities(), id)
    if (!community) return undefined
    if (!isMember) return describeCommunity(community, language)
    const member = await findMember(community.id, address.toLowerCase() as Address, visitor)
    return member && describeMember(member, community, language)
  }

  /** Returns the tags for a page's head. */
  return async (request: Request, visitor: string): Promise<string> => {
    const url = new URL(request.url)
    const language = findLanguage(url.searchParams.get('lang'), request.headers.get('accept-language'))
    const found = await withPatience(find(url, visitor, language).catch(() => undefined))
    return toTags(found ?? describeSite(language))
  }
}

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
