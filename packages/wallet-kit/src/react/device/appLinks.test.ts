// @vitest-environment node
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createOpenInWalletLink } from './appLinks.ts'

test('property: each placeholder keeps the whole page address', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (text) => {
      const { href, protocol } = new URL(text)
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
