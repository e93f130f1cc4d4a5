import { warning } from '@lineage/referral-api/schemas'
import * as z from 'zod'

const report = z.object({
  state: z.enum(['usable', 'unusable']),
  warnings: z.array(warning.omit({ community: true }).transform((found) => ({ ...found, community: null }))),
})

/** Newest report of the nodes. */
export type NodesReport = z.output<typeof report>

/** Reads the report of the node layer, the server between the nodes and Ponder. */
export async function readNodesReport(url: string): Promise<NodesReport> {
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) })
  return report.parse(await response.json())
}
