import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { columnNames } from '../../test/logFile.ts'
import { openLogFile } from './logFile.ts'
import { HistoryFileError, openCsv, type TableRow } from './tableFile.ts'

let folder: string
let path: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lineage-csv-'))
  path = join(folder, 'logs.csv')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function readAll(rows: AsyncIterable<TableRow>): Promise<TableRow[]> {
  const found: TableRow[] = []
  for await (const row of rows) found.push(row)
  return found
}

/** Generates values that any program may write, with quotes, commas, line breaks and other alphabets. */
const value = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('"', ',', '\r\n', '0x', '成员'))
const quote = (text: string) => `"${text.replaceAll('"', '""')}"`

test('behavior: rows read from any position equal the rows written, each with its line', async () => {
  const rows = fc.array(fc.array(value, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 8 })
  const endings = fc.constantFrom('\n', '\r\n')
  await fc.assert(
    fc.asyncProperty(rows, endings, fc.constantFrom('', '\ufeff'), async (given, ending, bom) => {
      await writeFile(path, bom + [['a', 'b'], ...given].map((row) => row.map(quote).join()).join(ending))
      const table = await openCsv(path)
      const found = await readAll(table.rows())
      const text = (one: string) => Buffer.from(one).toString()
      expect(table.columns).toEqual(['a', 'b'])
      expect(found.map(({ values }) => values)).toEqual(given.map((row) => row.map(text)))
      expect(found[0]?.position.line).toBe(2)
      for (const [index, { position }] of found.entries())
        expect(await readAll(table.rows(position))).toEqual(found.slice(index))
    }),
    { numRuns: 60 },
  )
})

const hostileRow = fc.array(
  fc.oneof(
    value,
    fc.constantFrom(
      '1',
      '-1',
      '1e9',
      '99999999999999999999',
      '0x',
      `0x${'0'.repeat(64)}`,
      '2026-06-01 00:00:00',
      'NaN',
    ),
    fc.constantFrom('"', '"a"b', '\0', '\u2028', '__proto__', '=1+1', 'x'.repeat(70_000)),
  ),
  { maxLength: 14 },
)

test('error: a hostile file is refused with its name, and throws nothing else', async () => {
  const head = fc.oneof(fc.constant(columnNames.join()), fc.string({ unit: 'binary' }))
  await fc.assert(
    fc.asyncProperty(
      head,
      fc.array(hostileRow, { maxLength: 6 }),
      fc.uint8Array({ maxLength: 40 }),
      async (first, rows, tail) => {
        const text = [first, ...rows.map((row) => row.join())].join('\n')
        await writeFile(path, Buffer.concat([Buffer.from(text), tail]))
        const read = async () => {
          const file = await openLogFile(path)
          if (file) for await (const _ of file.logs(0));
        }
        const error: unknown = await read().catch((thrown: unknown) => thrown)
        if (error === undefined) return
        expect(error).toBeInstanceOf(HistoryFileError)
        expect((error as Error).message).toMatch(/logs\.csv/)
        expect((error as Error).message.length).toBeLessThan(400)
      },
    ),
    { numRuns: 150 },
  )
})

test.each([
  ['a quote that is not closed', 'a,b\n1,2\n3,"4\n', 'logs.csv:3 is not a row of a CSV (CSV_QUOTE_NOT_CLOSED).'],
  ['a quote in a value', 'a,b\n1,2\n3,4"5"\n6,7', 'logs.csv:3 is not a row of a CSV (INVALID_OPENING_QUOTE).'],
  ['a value too few', 'a,b\n1\n', 'logs.csv:2 has 1 values, but the head has 2.'],
  [
    'a row without an end',
    `a,b\n1,${'2'.repeat(1_100_000)}\n`,
    'logs.csv:2 is not a row of a CSV (CSV_MAX_RECORD_SIZE).',
  ],
  ['nothing', '', 'logs.csv is empty.'],
])('error: %s', async (_, text, message) => {
  await writeFile(path, text)
  const read = async () => readAll((await openCsv(path)).rows())
  await expect(read()).rejects.toThrow(new HistoryFileError(message))
})
