import { InvalidCursorError } from '../errors.ts'

const encodedPattern = /^[A-Za-z0-9_-]{1,400}$/
const numberPattern = /^(0|[1-9]\d*)$/

/** Encodes the end of a page: its query, and the sort key of its last row. */
export function encodeCursor(query: string, key: readonly bigint[]): string {
  return btoa([query, ...key].join(':'))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/**
 * Returns the sort key of a cursor. Throws `InvalidCursorError` unless `encodeCursor` can have made it for this
 * query.
 */
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
