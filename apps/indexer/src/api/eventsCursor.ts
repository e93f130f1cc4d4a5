import type { Position } from './position.ts'
import { invalidCursor } from './problems.ts'

const pattern = /^(0|[1-9]\d{0,11})-(0|[1-9]\d{0,8})$/

/** Encodes the position of the last event on a page. Newer events stand before it, so it stays valid. */
export const toEventsCursor = ({ block, logIndex }: Position): string => `${block}-${logIndex}`

/** @throws {ProblemError} `invalid_cursor` */
export function readEventsCursor(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined
  const [, block, logIndex] = pattern.exec(cursor) ?? []
  if (block === undefined || logIndex === undefined) throw invalidCursor()
  return { block: Number(block), logIndex: Number(logIndex) }
}
