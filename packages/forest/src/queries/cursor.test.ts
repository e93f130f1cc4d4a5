import fc from 'fast-check'
import { expect, test } from 'vitest'
import { InvalidCursorError } from '../errors.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'

test('property: a cursor decodes to its key for its own query only', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: 0n, max: 2n ** 300n }), { minLength: 1, maxLength: 2 }), (key) => {
      const cursor = encodeCursor('team.asc.1', key)
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/)
      expect(decodeCursor(cursor, 'team.asc.1', key.length)).toEqual(key)
      expect(() => decodeCursor(cursor, 'team.desc.1', key.length)).toThrow(InvalidCursorError)
      expect(() => decodeCursor(cursor, 'team.asc.1', key.length + 1)).toThrow(InvalidCursorError)
    }),
  )
})

test('property: any other text throws InvalidCursorError', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 600 }),
    fc.base64String(),
    fc.string({ unit: 'grapheme-ascii' }).map((inner) => btoa(`joined.asc.1:${inner}`)),
    fc.constantFrom(
      '',
      '=',
      '0',
      '-1',
      'null',
      '__proto__',
      'A'.repeat(401),
      btoa('joined.asc.1:-1'),
      btoa('joined.asc.1:01'),
    ),
    fc.constantFrom<unknown>(undefined, null, 7, {}, []).map((value) => value as string),
  )
  fc.assert(
    fc.property(text, (cursor) => {
      try {
        expect(decodeCursor(cursor, 'joined.asc.1', 1)[0]).toBeGreaterThanOrEqual(0n)
        expect(encodeCursor('joined.asc.1', decodeCursor(cursor, 'joined.asc.1', 1))).toBe(cursor)
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidCursorError)
      }
    }),
    { numRuns: 500 },
  )
})
