import type { Alert, Community } from '@lineage/referral-api'
import { generateAtomFeed } from 'feedsmith'
import type { Language } from '../preview/previewTexts.ts'
import { describeAlert, feedTitle } from './alertTexts.ts'
import { toLink } from './toMessage.ts'

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
