/** Position of a log on the chain. */
export type Position = { block: number; logIndex: number }

/** A log index after every log of a block. */
export const lastLogIndex = 2 ** 31 - 1

export function isSamePosition(left: Position, right: Position): boolean {
  return left.block === right.block && left.logIndex === right.logIndex
}
