import type { Operation } from '@lineage/referral-api/operations'
import { apiPath } from '../lib/apiPath.ts'

/**
 * Returns the headers of the answers of an operation that will end: since when it is deprecated, from when it may be gone,
 * and where its documentation says what to use instead. None for other operations.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9745
 * @see https://www.rfc-editor.org/rfc/rfc8594
 * @example deprecationHeaders({ id: 'map', deprecated: { since: '2026-12-01', sunset: '2027-06-01', instead: '…' } })
 */
export function deprecationHeaders({ id, deprecated }: Pick<Operation, 'id' | 'deprecated'>): [string, string][] {
  if (!deprecated) return []
  const secondsOf = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1_000
  return [
    ['deprecation', `@${secondsOf(deprecated.since)}`],
    ['sunset', new Date(secondsOf(deprecated.sunset) * 1_000).toUTCString()],
    ['link', `<${apiPath('docs')}#${id}>; rel="deprecation"`],
  ]
}
