import type { ChainIdentity } from './chainIdentity.ts'
import type { HeaderAccess } from './headerAccess.ts'
import type { LogAccess } from './logAccess.ts'
import type { NodeHead } from './nodeHead.ts'
import type { Pace } from './pace.ts'

/** Kind of request that a node answered wrongly: a method, or the newest block. */
export type WrongAnswer = string

type Contact =
  | { status: 'answering'; answeredAt: number }
  /** With `wrong`, it lasts until the node answers a request of that kind well; otherwise until it answers. */
  | { status: 'silent'; answeredAt: number; reason: string; wrong?: WrongAnswer }

/** State of one node. The transitions, each in its own file, replace its parts. */
export type NodeState = {
  readonly name: string
  chain: ChainIdentity
  contact: Contact
  pace: Pace
  logs: LogAccess
  headers: HeaderAccess
  head: NodeHead
}
