import { expect, test } from 'vitest'
import { createStartNews } from './startNews.ts'

const key = `0x${'ab'.repeat(32)}`

test('behavior: the latest of each type counts', () => {
  const news = createStartNews()
  expect([news.progress, news.note, news.demo]).toEqual([null, null, null])
  news.receive({
    type: 'progress',
    progress: { phase: 'chain', done: 1, total: 800 },
    note: 'The demo chain is being made.',
  })
  news.receive({ type: 'demo', demo: { privateKeys: [key], contract: null } })
  expect(news.progress).toEqual({ phase: 'chain', done: 1, total: 800 })
  expect(news.demo).toEqual({ privateKeys: [key], contract: null })
  news.receive({ type: 'progress', progress: null, note: null })
  expect([news.progress, news.note]).toEqual([null, null])
})

test.each([
  undefined,
  null,
  'x',
  {},
  { type: 'progress' },
  { type: 'demo', demo: { privateKeys: [] } },
  { type: 'other' },
])('error: %j changes nothing', (message) => {
  const news = createStartNews()
  news.receive(message)
  expect([news.progress, news.note, news.demo]).toEqual([null, null, null])
})
