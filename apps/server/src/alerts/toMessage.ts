import type { Alert } from '@lineage/referral-api'

/** Returns the body of a webhook message: the alert, and a link that a person can open. */
export function toMessage({ isRead: _, isRetracted: __, number: ___, webhook: ____, ...alert }: Alert, origin: string) {
  return {
    type: `alert.${alert.kind}`,
    timestamp: new Date(alert.time * 1_000).toISOString(),
    data: { ...alert, url: toLink(alert, origin) },
  }
}

/** Returns the link to the page of the alert's member, or of the watched address. */
export function toLink(
  { community, member, address }: Pick<Alert, 'community' | 'member' | 'address'>,
  origin: string,
) {
  const link = new URL('/', origin)
  const shown = member ?? address
  if (community !== null) link.searchParams.set('community', community)
  if (shown !== null) link.searchParams.set('address', shown)
  return link.href
}
