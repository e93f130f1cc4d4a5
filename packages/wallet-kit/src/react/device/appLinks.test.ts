// @vitest-environment node
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createOpenInWalletLink } from './appLinks.ts'

const text = fc.string({ unit: 'grapheme' })

test('property: each placeholder keeps the whole page address', () => {
  fc.assert(
    fc.property(fc.constantFrom('http:', 'https:'), text, text, text, (protocol, pathname, search, hash) => {
      const { href } = Object.assign(new URL(`${protocol}//app.example:8080`), { pathname, search, hash })
      const once = new URL(createOpenInWalletLink('https://wallet.example/?u={url}', href))
      expect(once.searchParams.get('u')).toBe(href)
      const twice = new URL(createOpenInWalletLink('https://wallet.example/?u={urlTwice}', href))
      expect(decodeURIComponent(twice.searchParams.get('u') ?? '')).toBe(href)
      const bare = createOpenInWalletLink('https://wallet.example/dapp/{hostAndPath}', href)
      expect(`${protocol}//${bare.replace('https://wallet.example/dapp/', '')}`).toBe(href)
    }),
  )
})

test('unknown placeholders stay; placeholders inside the page address are not filled', () => {
  expect(createOpenInWalletLink('a://{other}/{constructor}', 'https://b.c/')).toBe('a://{other}/{constructor}')
  expect(createOpenInWalletLink('a://{hostAndPath}', 'https://b.c/?{url}$&')).toBe('a://b.c/?{url}$&')
})
