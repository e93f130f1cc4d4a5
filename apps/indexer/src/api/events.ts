import type { Position } from './follow.ts'
import { ProblemError } from './problems.ts'

const pattern = /^(0|[1-9]\d{0,11})-(0|[1-9]\d{0,8})$/

/** A cursor of the events is the position of its page's last one: whatever comes later stands before it. */
export const toEventsCursor = ({ block, logIndex }: Position): string => `${block}-${logIndex}`

export function readEventsCursor(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined
  const [, block, logIndex] = pattern.exec(cursor) ?? []
  if (block === undefined || logIndex === undefined)
    throw new ProblemError('invalid_cursor', 'The cursor is not of this list: begin at its first page.')
  return { block: Number(block), logIndex: Number(logIndex) }
}
