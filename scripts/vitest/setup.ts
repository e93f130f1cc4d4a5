import fc from 'fast-check'
import { afterAll, expect } from 'vitest'

// The same commit gets the same random cases. LINEAGE_SEED chooses others.
fc.configureGlobal({ seed: Number(process.env.LINEAGE_SEED ?? 56) })

// The next file may get the same window, and its kits would list the wallets that the tests of this file left there.
afterAll(() => {
  if (typeof window === 'undefined') return
  const left: string[] = []
  const note = (event: Event) => left.push((event as CustomEvent).detail.info.name)
  window.addEventListener('eip6963:announceProvider', note)
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  window.removeEventListener('eip6963:announceProvider', note)
  expect(left, 'wallets that tests left announced').toEqual([])
})
