import type { Address, Hash } from 'viem'
import type { Position } from './position.ts'

/** An event as stored in the tables. An unbind is a bind without a referrer. */
export type EventRow = Position & {
  community: string
  blockHash: Hash
  timestamp: number
  member: Address
} & ({ kind: 'bind'; referrer: Address | null } | { kind: 'volume' | 'reward'; amount: bigint })
