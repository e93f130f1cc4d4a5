import type { Grade } from '@lineage/database'
import type { Address, Hash } from 'viem'

/** Position of a log on the chain. */
export type Position = { block: number; logIndex: number }

/** An event as stored in the tables. An unbind is a bind without a referrer. */
export type EventRow = Position & {
  blockHash: Hash
  timestamp: number
  member: Address
} & (
    | { kind: 'bind'; referrer: Address | null; grade?: Grade; firstBlock?: number }
    | { kind: 'volume' | 'reward'; amount: bigint }
  )

export function isSamePosition(left: Position, right: Position): boolean {
  return left.block === right.block && left.logIndex === right.logIndex
}
