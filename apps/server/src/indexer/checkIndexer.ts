import type { Status } from '@lineage/referral-api'
import { indexerHeaders } from '@lineage/referral-api/indexer-headers'
import { isBlockingReason } from '@lineage/referral-api/problems'
import { status as statusSchema } from '@lineage/referral-api/schemas'
import type { KnownIndexer } from './chooseIndexer.ts'

/** Asks an indexer for its status; returns what is known of it then. @throws where it does not answer in time */
export async function checkIndexer({ origin, index }: KnownIndexer, timeout: number): Promise<Partial<KnownIndexer>> {
  const response = await fetch(`${origin}/v1/status`, { signal: AbortSignal.timeout(timeout) })
  const status = statusSchema.parse(await response.json())
  const isCurrent = !(status.reasons ?? []).some(isBlockingReason)
  return {
    state: status.state !== 'ready' ? 'starting' : isCurrent ? 'ready' : 'answering',
    status: status as Status,
    index: response.headers.get(indexerHeaders.index) ?? index,
    block: status.asOf?.block ?? 0,
    silentSince: undefined,
  }
}
