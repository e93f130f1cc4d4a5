import { invalidCursor } from '../http/problems.ts'
import type { Position } from '../tables/position.ts'
import type { MemberEventPosition } from '../tables/readMemberEvents.ts'

const pattern = /^(0|[1-9]\d{0,11})-(0|[1-9]\d{0,8})(?:-([0-2]))?$/

/** Encodes the position of the last event on a page. The cursor stays valid, because newer events come before it. */
export const toEventsCursor = ({ block, logIndex }: Position): string => `${block}-${logIndex}`

/** Encodes a position in the events of a member. */
export const toMemberEventsCursor = ({ rank, ...position }: MemberEventPosition): string =>
  `${toEventsCursor(position)}-${rank}`

/** Decodes a cursor. @throws {ProblemError} `invalid_cursor` */
export function readEventsCursor(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined
  const [, block, logIndex, rank] = pattern.exec(cursor) ?? []
  if (block === undefined || logIndex === undefined || rank !== undefined) throw invalidCursor()
  return { block: Number(block), logIndex: Number(logIndex) }
}

/** Decodes a cursor of a member's events. @throws {ProblemError} `invalid_cursor` */
export function readMemberEventsCursor(cursor: string | undefined): MemberEventPosition | undefined {
  if (cursor === undefined) return undefined
  const [, block, logIndex, rank] = pattern.exec(cursor) ?? []
  if (block === undefined || logIndex === undefined || rank === undefined) throw invalidCursor()
  return { block: Number(block), logIndex: Number(logIndex), rank: Number(rank) }
}
