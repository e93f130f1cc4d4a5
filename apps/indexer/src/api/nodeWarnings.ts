import type { Warning } from '@lineage/referral-api'
import { warning } from '@lineage/referral-api/schemas'
import * as z from 'zod'

const warnings = z.array(warning.omit({ community: true }))

/** What the nodes cannot do at the moment, from what stands between them and Ponder. */
export async function readNodeWarnings(url: string): Promise<Warning[]> {
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) })
  return warnings.parse(await response.json()).map((found) => ({ ...found, community: null }))
}
