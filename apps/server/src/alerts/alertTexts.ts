import type { Alert, AlertKind, Community } from '@lineage/referral-api'
import { formatAmount, nameIn } from '@lineage/referral-api'
import type { Language } from '@lineage/referral-api/language'
import { generateAtomFeed } from 'feedsmith'
import { toLink } from './deliver.ts'

export type AtomFeedParameters = {
  alerts: readonly Alert[]
  communities: readonly Community[]
  language: Language
  origin: string
  /** Id of the feed, without its secret. */
  id: string
}

/** Creates an Atom feed (RFC 4287) of alerts. */
export function createAtomFeed({ alerts, communities, language, origin, id }: AtomFeedParameters): string {
  const toDate = (seconds: number) => new Date(seconds * 1_000)
  return generateAtomFeed({
    id: `urn:lineage:alerts:${id}`,
    title: { value: feedTitle(language) },
    authors: [{ name: 'Lineage' }],
    links: [{ rel: 'alternate', href: origin }],
    updated: toDate(Math.max(0, ...alerts.map(({ time }) => time))),
    entries: alerts.map((alert) => {
      const community = communities.find((one) => one.id === alert.community)
      return {
        id: `urn:lineage:alert:${alert.id}`,
        title: { value: describeAlert(alert, community, language) },
        links: [{ rel: 'alternate', href: toLink(alert, origin) }],
        updated: toDate(alert.time),
        content: { type: 'text', value: [alert.member, alert.referrer, alert.hash].filter(Boolean).join(' ') || '–' },
      }
    }),
  }) as string
}

type Values = {
  member: string
  address: string
  referrer: string
  from: string
  amount: string
  members: string
  webhook: string
}

const texts: Record<Language, Record<AlertKind | 'feed' | 'none' | 'undated', (values: Values) => string>> = {
  'zh-CN': {
    feed: () => 'Lineage 提醒',
    none: () => '无',
    undated: () => '（时间未知，此为发现时间）',
    direct: ({ member, address }) => `${address} 有新直推 ${member}`,
    team: ({ member, address }) => `${address} 的团队有新成员 ${member}`,
    digest: ({ members, address }) => `${address} 的团队新增 ${members} 人`,
    milestone: ({ members, address }) => `${address} 的团队达到 ${members} 人`,
    volume: ({ member, address, amount }) => `${address} 的团队：${member} 新增业绩 ${amount}`,
    referrer: ({ address, from, referrer }) => `${address} 的上级由 ${from} 变为 ${referrer}`,
    irregular: ({ member, referrer }) => `异常绑定：${member} → ${referrer}`,
    retracted: ({ member, address }) => `已撤回：链重组撤销了 ${address} 的一条提醒（${member}）`,
    webhook_paused: ({ webhook }) => `Webhook 连续失败一天，已暂停：${webhook}`,
  },
  'zh-TW': {
    feed: () => 'Lineage 提醒',
    none: () => '無',
    undated: () => '（時間未知，此為發現時間）',
    direct: ({ member, address }) => `${address} 有新直推 ${member}`,
    team: ({ member, address }) => `${address} 的團隊有新成員 ${member}`,
    digest: ({ members, address }) => `${address} 的團隊新增 ${members} 人`,
    milestone: ({ members, address }) => `${address} 的團隊達到 ${members} 人`,
    volume: ({ member, address, amount }) => `${address} 的團隊：${member} 新增業績 ${amount}`,
    referrer: ({ address, from, referrer }) => `${address} 的上級由 ${from} 變為 ${referrer}`,
    irregular: ({ member, referrer }) => `異常綁定：${member} → ${referrer}`,
    retracted: ({ member, address }) => `已撤回：鏈重組撤銷了 ${address} 的一則提醒（${member}）`,
    webhook_paused: ({ webhook }) => `Webhook 連續失敗一天，已暫停：${webhook}`,
  },
  en: {
    feed: () => 'Lineage alerts',
    none: () => 'none',
    undated: () => ' (exact time unknown; found at this time)',
    direct: ({ member, address }) => `${address} has a new direct referral: ${member}`,
    team: ({ member, address }) => `${member} joined the team of ${address}`,
    digest: ({ members, address }) => `New members in the team of ${address}: ${members}`,
    milestone: ({ members, address }) => `The team of ${address} has reached ${members}`,
    volume: ({ member, address, amount }) => `Team of ${address}: volume of ${amount} by ${member}`,
    referrer: ({ address, from, referrer }) => `The referrer of ${address} changed from ${from} to ${referrer}`,
    irregular: ({ member, referrer }) => `Irregular bind: ${member} → ${referrer}`,
    retracted: ({ member, address }) =>
      `Retracted: a chain reorganisation removed the event of an alert of ${address} (${member})`,
    webhook_paused: ({ webhook }) => `A webhook has failed for a day and is paused: ${webhook}`,
  },
}

const feedTitle = (language: Language): string => texts[language].feed({} as Values)

/** Describes an alert in one line of text. `community` is the alert's community, if it is known. */
function describeAlert(alert: Alert, community: Community | undefined, language: Language): string {
  const own = texts[language]
  const { member, address, referrer, from, amount, members, webhook } = alert
  const short = (text: string | null) =>
    text === null ? own.none({} as Values) : `${text.slice(0, 6)}…${text.slice(-4)}`
  const token = community?.tokens.volume
  const text = own[alert.kind]({
    member: short(member),
    address: short(address),
    referrer: short(referrer),
    from: short(from),
    amount: amount === null ? '' : token ? formatAmount(amount, token) : amount,
    members: (members ?? 0).toLocaleString(language),
    webhook: webhook ?? '',
  })
  const whole = alert.isUndated ? `${text}${own.undated({} as Values)}` : text
  return community ? `${whole} · ${nameIn(community.name, language)}` : whole
}
