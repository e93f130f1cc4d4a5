import { type EventKind, eventKinds, type Grade } from '@lineage/database'
import type { ForestEvent } from '@lineage/forest'
import type { AmountKind } from '@lineage/referral-api/amounts'
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
    | { kind: AmountKind; amount: bigint }
  )

/** Returns the kind with a number in the tables. Throws for one of a later version. */
export function kindOf(number: number): EventKind {
  const kind = eventKinds[number]
  if (kind === undefined) throw new Error(`Unknown kind of event: ${number}`)
  return kind
}

/** Kinds of events that change the forest. Those of the other kinds are listed only. */
const forestKinds = { bind: true, reward: true, volume: true } satisfies Record<ForestEvent['kind'], true>

export const changesForest = <event extends { kind: EventKind }>(
  event: event,
): event is event & { kind: ForestEvent['kind'] } => Object.hasOwn(forestKinds, event.kind)

export function isSamePosition(left: Position, right: Position): boolean {
  return left.block === right.block && left.logIndex === right.logIndex
}
