import { InvalidCursorError } from '../errors.ts'

type Cursor = string | null | undefined

const encodedPattern = /^[A-Za-z0-9_-]{1,400}$/
const numberPattern = /^(0|[1-9]\d*)$/

/** Encodes the end of a page: its query, and the sort key of its last row. */
export function encodeCursor(query: string, key: readonly bigint[]): string {
  return btoa([query, ...key].join(':'))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** Returns the sort key of a cursor; `undefined` for the first page. @throws {InvalidCursorError} */
export const readCursor = (cursor: Cursor, query: string, length: number): bigint[] | undefined =>
  cursor === undefined || cursor === null ? undefined : decodeCursor(cursor, query, length)

/** Throws `InvalidCursorError` unless `encodeCursor` can have made the cursor for this query. */
export function decodeCursor(cursor: string, query: string, length: number): bigint[] {
  if (typeof cursor !== 'string' || !encodedPattern.test(cursor) || cursor.length % 4 === 1)
    throw new InvalidCursorError(cursor)
  const [forQuery, ...parts] = atob(cursor.replaceAll('-', '+').replaceAll('_', '/')).split(':')
  if (forQuery !== query || parts.length !== length || !parts.every((part) => numberPattern.test(part)))
    throw new InvalidCursorError(cursor)
  const key = parts.map(BigInt)
  if (encodeCursor(query, key) !== cursor) throw new InvalidCursorError(cursor)
  return key
}

/** Returns the rows of a page, and the cursor after it if `found` has a row more than its limit. */
export function endPage<row>(
  found: readonly row[],
  limit: number,
  query: string,
  keyOf: (row: row) => readonly bigint[],
): { rows: row[]; nextCursor: string | null } {
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, nextCursor: found.length > limit && last !== undefined ? encodeCursor(query, keyOf(last)) : null }
}

/** Returns a page of a line that is read whole. Its cursor counts the rows before it. */
export function readLine<row>(
  line: readonly row[],
  { limit, cursor, skip = 0 }: { limit: number; cursor: Cursor; skip?: number | undefined },
  query: string,
): { first: number; rows: row[]; nextCursor: string | null } {
  const first = Number(readCursor(cursor, query, 1)?.[0] ?? skip)
  const end = first + limit
  const isLast = end >= line.length
  return { first, rows: line.slice(first, end), nextCursor: isLast ? null : encodeCursor(query, [BigInt(end)]) }
}
