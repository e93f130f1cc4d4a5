import { type Community, nameIn, type PastMember, type ResponseOf } from '@lineage/referral-api'
import { addressPattern } from '@lineage/referral-api/address'
import { createCalendar, zoneOfPage } from '@lineage/referral-api/days'
import type { Language } from '@lineage/referral-api/language'
import { momentPattern } from '@lineage/referral-api/operations'
import { createCommunityReader, type LookUp, lookupOf, readAnswer } from '../api/lookups.ts'
import type { Services } from '../api/services.ts'
import { createCache, withPatience } from '../lib/cache.ts'
import { toHtml } from '../site/page.ts'

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

/** Language and time zone of a page. */
type Reader = { language: Language; tz: string }
type Preview = { title: string; description: string }

const texts = {
  'zh-CN': {
    general: '查询 BNB Smart Chain 上的社区与推荐关系',
    members: (count: string) => `${count} 名成员`,
    team: (count: string) => `团队 ${count} 人`,
    directs: (count: string) => `直推 ${count} 人`,
    root: '根',
    depth: (depth: string) => `第 ${depth} 层`,
    asOfDay: (moment: string) => `截至 ${moment}`,
    asOfBlock: (block: string) => `截至区块 ${block}`,
    undated: (count: string) => `${count} 个地址当时的位置无法确定`,
    referrer: (address: string) => `上级 ${address}`,
  },
  'zh-TW': {
    general: '查詢 BNB Smart Chain 上的社群與推薦關係',
    members: (count: string) => `${count} 名成員`,
    team: (count: string) => `團隊 ${count} 人`,
    directs: (count: string) => `直推 ${count} 人`,
    root: '根',
    depth: (depth: string) => `第 ${depth} 層`,
    asOfDay: (moment: string) => `截至 ${moment}`,
    asOfBlock: (block: string) => `截至區塊 ${block}`,
    undated: (count: string) => `${count} 個地址當時的位置無法確定`,
    referrer: (address: string) => `上級 ${address}`,
  },
  en: {
    general: 'Communities and referrals on BNB Smart Chain',
    members: (count: string) => `Members: ${count}`,
    team: (count: string) => `Team: ${count}`,
    directs: (count: string) => `Direct referrals: ${count}`,
    root: 'Root',
    depth: (depth: string) => `Depth ${depth}`,
    asOfDay: (moment: string) => `As of ${moment}`,
    asOfBlock: (block: string) => `As of block ${block}`,
    undated: (count: string) => `Place then not known: ${count}`,
    referrer: (address: string) => `Referrer ${address}`,
  },
} satisfies Record<Language, object>

/** Returns the preview of the site, for a page without an answer. */
const describeSite = (language: Language): Preview => ({
  title: 'Lineage',
  description: texts[language].general,
})

export function describeCommunity({ name, members }: Pick<Community, 'name' | 'members'>, language: Language): Preview {
  const count = members.toLocaleString(language)
  return { title: `${toLine(nameIn(name, language))} · Lineage`, description: texts[language].members(count) }
}

/** Returns the preview of a community at a past moment, whose figures are not known. */
const describeCommunityThen = ({ name }: Pick<Community, 'name'>, language: Language): Preview => ({
  title: `${toLine(nameIn(name, language))} · Lineage`,
  description: texts[language].general,
})

/** Returns the preview of a member. That of a past moment begins with the moment. */
function describeMember(
  member: ResponseOf<'member'>,
  community: Pick<Community, 'name'>,
  { language, tz }: Reader,
): Preview {
  const { team, directs, root, depth, referrer, undated } = texts[language]
  const count = (value: number) => value.toLocaleString(language)
  const facts = [
    ...('at' in member ? [toMoment(member.at, { language, tz })] : []),
    team(count(member.team)),
    directs(count(member.directs)),
    member.depth === 0 ? root : depth(count(member.depth)),
    ...(member.referrer ? [referrer(shorten(member.referrer))] : []),
    ...('at' in member && member.at.undated > 0 ? [undated(count(member.at.undated))] : []),
  ]
  return {
    title: `${shorten(member.address)} · ${toLine(nameIn(community.name, language))}`,
    description: facts.join(' · '),
  }
}

function toMoment({ block, timestamp }: PastMember['at'], { language, tz }: Reader): string {
  const { asOfDay, asOfBlock } = texts[language]
  if (block !== null) return asOfBlock(block.toLocaleString(language))
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: tz })
  const seconds = timestamp ?? 0
  return asOfDay(`${format.format(seconds * 1_000)} ${createCalendar(tz).clocksAt(seconds)}`)
}

const shorten = (address: string) => `${address.slice(0, 4)}…${address.slice(-4)}`

/** Returns a name as one short line, without characters that change how other text is displayed. */
const toLine = (name: string) => [...name.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '')].slice(0, 60).join('')
