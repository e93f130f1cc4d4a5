import { afterEach, expect, test, vi } from 'vitest'
import { announceWallet } from './announceWallet.ts'
import { createScriptedWallet } from './createScriptedWallet.ts'

afterEach(() => vi.unstubAllGlobals())

test('behavior: announces with a new UUID on a page without https, which has no `crypto.randomUUID`', () => {
  const { getRandomValues } = crypto
  vi.stubGlobal('crypto', { getRandomValues: getRandomValues.bind(crypto) })
  const ids: string[] = []
  const listener = (event: Event) => ids.push((event as CustomEvent).detail.info.uuid)
  window.addEventListener('eip6963:announceProvider', listener)
  const { provider } = createScriptedWallet()
  for (const name of ['One', 'Two']) announceWallet({ info: { name, rdns: 'wallet.example' }, provider })()
  window.removeEventListener('eip6963:announceProvider', listener)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(ids).size).toBe(2)
})
