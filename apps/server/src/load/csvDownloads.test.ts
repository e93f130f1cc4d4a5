import { expect, test } from 'vitest'
import { createCsvDownloads } from './csvDownloads.ts'

test('behavior: a visitor downloads three files at once, whatever others do', () => {
  const downloads = createCsvDownloads()
  const ends = [1, 2, 3].map(() => downloads.start('a'))
  expect(downloads.start('a')).toBeUndefined()
  expect(downloads.start('b')).toBeTypeOf('function')
  // Ending a download twice counts once.
  ends[0]?.()
  ends[0]?.()
  expect(downloads.start('a')).toBeTypeOf('function')
  expect(downloads.start('a')).toBeUndefined()
})
