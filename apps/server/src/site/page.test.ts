import { gunzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPage } from './page.ts'

test('property: both encodings hold the HTML with the nonce in each place', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme', maxLength: 2_000 }),
    fc.constant('页'.repeat(40_000)),
  )
  const nonces = fc.string({ unit: fc.constantFrom(...'abcXYZ019_-'), minLength: 22, maxLength: 22 })
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), nonces, (parts, nonce) => {
      const page = createPage(parts.join('__NONCE__'))
      const expected = Buffer.from(parts.join('__NONCE__').replaceAll('__NONCE__', nonce)).toString()
      expect(page.render(nonce, 'identity').toString()).toBe(expected)
      expect(gunzipSync(page.render(nonce, 'gzip')).toString()).toBe(expected)
    }),
  )
})

test('property: the tags stand at the end of the head, whatever they hold', () => {
  const tags = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('__NONCE__', '</head>', '$&', '标签'))
  fc.assert(
    fc.property(tags, (text) => {
      const page = createPage('<head>__NONCE__</head>页__NONCE__')
      const expected = Buffer.from(`<head>n${text}</head>页n`).toString()
      expect(page.render('n', 'identity', text).toString()).toBe(expected)
      expect(gunzipSync(page.render('n', 'gzip', text)).toString()).toBe(expected)
    }),
  )
})
