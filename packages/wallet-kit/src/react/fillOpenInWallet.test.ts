// @vitest-environment node
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillOpenInWallet } from './fillOpenInWallet.ts'

test('property: the page comes back whole from each mark', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (text) => {
      const { href, protocol } = new URL(text)
      const once = new URL(fillOpenInWallet('https://wallet.example/?u={url}', href))
      expect(once.searchParams.get('u')).toBe(href)
      const twice = new URL(fillOpenInWallet('https://wallet.example/?u={urlTwice}', href))
      expect(decodeURIComponent(twice.searchParams.get('u') ?? '')).toBe(href)
      const bare = fillOpenInWallet('https://wallet.example/dapp/{hostAndPath}', href)
      expect(`${protocol}//${bare.replace('https://wallet.example/dapp/', '')}`).toBe(href)
    }),
  )
})

test('a mark nobody knows stays, and what the page says is not taken for a mark', () => {
  expect(fillOpenInWallet('a://{other}/{constructor}', 'https://b.c/')).toBe('a://{other}/{constructor}')
  expect(fillOpenInWallet('a://{hostAndPath}', 'https://b.c/?{url}$&')).toBe('a://b.c/?{url}$&')
})
