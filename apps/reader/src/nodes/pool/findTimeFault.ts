import { parseQuantity } from '../rpc/parseBlock.ts'
import type { Pool } from './node.ts'

/** Seconds that a block may be ahead of this machine's clock. */
const largestLead = 86_400

/**
 * Returns the fault of a block from the future, or `undefined`. A single node is not checked, because there is no
 * other one to ask, and the clock may be wrong.
 */
export function findTimeFault({ nodes }: Pick<Pool, 'nodes'>, block: unknown): string | undefined {
  const timestamp = parseQuantity((block as { timestamp?: unknown } | null | undefined)?.timestamp) ?? 0
  if (nodes.length === 1 || timestamp <= Date.now() / 1_000 + largestLead) return undefined
  return 'it returned a block from the future (or the clock of this machine is wrong)'
}
