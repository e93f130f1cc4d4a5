import type { ChainIdentity } from './chainIdentity.ts'
import type { HeaderAccess } from './headerAccess.ts'
import type { LogAccess } from './logAccess.ts'
import type { NodeHead } from './nodeHead.ts'
import type { Pace } from './pace.ts'

/** State of one node. The transitions, each in its own file, replace its parts. */
export type NodeState = {
  readonly name: string
  chain: ChainIdentity
  contact: { status: 'answering'; answeredAt: number } | { status: 'silent'; answeredAt: number; reason: string }
  pace: Pace
  logs: LogAccess
  headers: HeaderAccess
  head: NodeHead
}
