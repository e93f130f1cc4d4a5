import { screen } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { addressOf } from '../../../test/forest.ts'
import { renderApp } from '../../../test/renderApp.tsx'
import { AddressText } from './AddressText.tsx'
import { shorten } from './parseAddress.ts'

test('an address in full is placed at its anchor only where anchors have a scope: all addresses of a page share the name', async () => {
  const { close } = await renderApp('/', { content: <AddressText address={addressOf(1)} /> })
  onTestFinished(close)
  await screen.findByText(shorten(addressOf(1)))
  const css = [...document.querySelectorAll('style')].map(({ textContent }) => textContent).join('')
  const placed = css.split('@supports').filter((rule) => rule.includes('position-anchor:'))
  expect(placed).toEqual([expect.stringMatching(/^[^{]*\(anchor-scope: ?all\) ?\{/)])
})
