import type { Status } from '@lineage/referral-api'
import { indexerHeaders } from '@lineage/referral-api/indexer-headers'
import { isBlockingReason } from '@lineage/referral-api/problems'
import { knownItems, reason, status, warning } from '@lineage/referral-api/schemas'
import { apiPath } from '../lib/apiPath.ts'
import type { KnownIndexer } from './chooseIndexer.ts'

/** Schema of the status of an indexer of this or another version. */
const statusSchema = status.extend({ warnings: knownItems(warning), reasons: knownItems(reason).optional() })

/** Asks an indexer for its status and returns its new state. @throws if it does not answer in time */
export async function checkIndexer({ origin, index }: KnownIndexer, timeout: number): Promise<Partial<KnownIndexer>> {
  const response = await fetch(`${origin}${apiPath('status')}`, { signal: AbortSignal.timeout(timeout) })
  const text: unknown = await response.json()
  const found = statusSchema.parse(text)
  // A reason unknown to this version may be a serious one.
  const sent = (text as { reasons?: unknown[] }).reasons ?? []
  const isCurrent = sent.length === (found.reasons ?? []).length && !(found.reasons ?? []).some(isBlockingReason)
  return {
    state: found.state !== 'ready' ? 'starting' : isCurrent ? 'ready' : 'answering',
    status: found as Status,
    index: response.headers.get(indexerHeaders.index) ?? index,
    block: found.asOf?.block ?? 0,
    silentSince: undefined,
  }
}
