import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLabelsClient } from './accountClients.ts'
import { createReferralClient } from './client.ts'
import { toCsv } from './csv.ts'
import { cleanLabelText, labelTextLimit, toLabelsCsv } from './labels.ts'
import { label, labelContent } from './schemas.ts'

const address = '0x52908400098527886E0F7030069857D2E4169EE7' as const

test.each([
  [' 老王 \n\t 的  仓库 ', '老王 的 仓库'],
  ['ab\u202Ecd\u2066ef\u200F', 'abcdef'],
  ['a\u0000b\u001B[31mc', 'ab[31mc'],
  ['\uFEFF\u200B', ''],
  ['e\u0301', 'é'],
  ['\uD800x', 'x'],
  ['\u3164\u115F\uFFA0\u2800\u034F', ''],
  ['a\uFFFE\u{1FFFF}b', 'ab'],
  ['❤\uFE0F 葛\u{E0100}', '❤\uFE0F 葛\u{E0100}'],
  ['𠮷野家 🦊', '𠮷野家 🦊'],
])('cleans %j', (text, cleaned) => {
  expect(cleanLabelText(text)).toBe(cleaned)
})

test('property: a cleaned text is one line, is not cleaned further, and is valid in any database', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const cleaned = cleanLabelText(text)
      expect(cleanLabelText(cleaned)).toBe(cleaned)
      expect(cleaned).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      expect(cleaned).not.toMatch(/\p{Cs}/u)
    }),
  )
})

test('behavior: the limit of sixty counts characters, not bytes', () => {
  const content = { watched: false, text: '𠮷'.repeat(labelTextLimit) }
  expect(labelContent.safeParse(content).success).toBe(true)
  expect(labelContent.safeParse({ ...content, text: `${content.text}x` }).success).toBe(false)
})

test.each(['=1+1', '+1', '-1', '@a', '＝1'])('attack: %s in a CSV is escaped, so that it is no formula', (text) => {
  const csv = toLabelsCsv([{ address, text, watched: true, updatedAt: 0 }])
  expect(csv).toContain(`"${address}","'${text}","yes","1970-01-01T00:00:00.000Z"\r\n`)
})

test.each([
  ['Wang;=1+1', "Wang;'=1+1"],
  ['Wang;"=1+1";@a', `Wang;'""=1+1"";'@a`],
  ['a\t+1\r\n-1', "a\t'+1\r\n'-1"],
  ['a;b - c = d', 'a;b - c = d'],
])('attack: %j in a CSV is no formula either where spreadsheets separate cells by semicolons', (text, cell) => {
  expect(toCsv([[text]])).toBe(`\uFEFF"${cell}"\r\n`)
})

test('property: a CSV has four cells per row, whatever the labels hold', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (texts) => {
      const csv = toLabelsCsv(texts.map((text) => ({ address, text, watched: false, updatedAt: 1 })))
      const cells = csv.match(/"(?:[^"]|"")*"(?=,|\r\n)/g) ?? []
      expect(cells).toHaveLength((texts.length + 1) * 4)
    }),
  )
})

test('behavior: the client sends the requests of the contract', async () => {
  const asked: string[] = []
  const kept = label.parse({ address, text: 'x', watched: true, updatedAt: 1 })
  const client = createReferralClient({
    baseUrl: 'http://api.invalid/v1',
    fetch: async (url, init) => {
      asked.push([init?.method ?? 'GET', new URL(String(url)).pathname, init?.body].filter(Boolean).join(' '))
      if (init?.method === 'DELETE') return new Response(null, { status: 204 })
      return Response.json(String(url).endsWith('labels') ? { items: [kept] } : kept)
    },
  })
  const labels = createLabelsClient(client)
  expect(await labels.list()).toEqual({ items: [kept] })
  expect(await labels.save(address, { text: 'x', watched: true })).toEqual(kept)
  expect(await labels.merge([{ ...kept, address }])).toEqual({ items: [kept] })
  await labels.remove(address)
  await labels.removeAll()
  expect(asked).toEqual([
    'GET /v1/labels',
    `PUT /v1/labels/${address} {"text":"x","watched":true}`,
    `PUT /v1/labels {"items":[${JSON.stringify(kept)}]}`,
    `DELETE /v1/labels/${address}`,
    'DELETE /v1/labels',
  ])
})
