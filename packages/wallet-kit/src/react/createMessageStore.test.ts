import { array, asyncProperty, assert as check, constantFrom, nat, record } from 'fast-check'
import { expect, test, vi } from 'vitest'
import { en } from '../locales/en.ts'
import type { Locale } from '../locales/locales.ts'
import { createMessageStore, type Language } from './createMessageStore.ts'

/** Loads that are answered by hand, in any order. */
function controlled() {
  const loads: { locale: Locale; answer: (outcome: 'come' | 'fail') => Promise<void> }[] = []
  const load = (locale: Locale) =>
    new Promise<Language['messages']>((resolve, reject) => {
      const answer = async (outcome: 'come' | 'fail') => {
        if (outcome === 'come') resolve({ ...en, close: locale })
        else reject(new Error('offline'))
        await Promise.resolve()
      }
      loads.push({ locale, answer })
    })
  return { loads, load }
}
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

test('English is there at once, and nothing is loaded for it', () => {
  const { loads, load } = controlled()
  const store = createMessageStore(load)
  store.choose('en')
  expect([store.getState(), loads]).toEqual([{ locale: 'en', messages: en }, []])
})

test('nothing is shown before the first language has come', async () => {
  const { loads, load } = controlled()
  const store = createMessageStore(load)
  store.choose('fr')
  store.choose('fr')
  expect([store.getState(), loads.length]).toEqual([undefined, 1])
  await loads[0]?.answer('come')
  await settle()
  expect(store.getState()?.locale).toBe('fr')
})

test('error: the first language cannot be loaded: English, and it is loaded again when it is chosen again', async () => {
  const { loads, load } = controlled()
  const store = createMessageStore(load)
  store.choose('fr')
  await loads[0]?.answer('fail')
  await settle()
  expect(store.getState()?.locale).toBe('en')
  store.choose('fr')
  await loads[1]?.answer('come')
  await settle()
  expect(store.getState()?.locale).toBe('fr')
})

test('error: another language cannot be loaded: the one on screen stays', async () => {
  const { loads, load } = controlled()
  const store = createMessageStore(load)
  store.choose('fr')
  await loads[0]?.answer('come')
  await settle()
  const listener = vi.fn()
  store.subscribe(listener)
  store.choose('de')
  await loads[1]?.answer('fail')
  await settle()
  expect([store.getState()?.locale, listener.mock.calls.length]).toEqual(['fr', 0])
})

test('property: the last choice wins, in whatever order its file and those of the others come or fail', async () => {
  const choice = record({ locale: constantFrom<Locale>('ar', 'de', 'en', 'fr', 'ja'), answerNow: nat(5) })
  const plan = record({
    choices: array(choice, { minLength: 1, maxLength: 12 }),
    order: array(nat(50), { maxLength: 12 }),
    outcomes: array(constantFrom<'come' | 'fail'>('come', 'come', 'fail'), { minLength: 12, maxLength: 12 }),
  })
  await check(
    asyncProperty(plan, async ({ choices, order, outcomes }) => {
      const { loads, load } = controlled()
      const store = createMessageStore(load)
      const shown: (Locale | undefined)[] = []
      const chosen = new Set<Locale>(['en'])
      store.subscribe(() => shown.push(store.getState()?.locale))
      const pending: number[] = []
      const answerOne = async (position: number) => {
        const [index] = pending.splice(position % pending.length, 1)
        const asked = loads[index ?? 0]
        await asked?.answer(outcomes[(index ?? 0) % outcomes.length] ?? 'come')
        await settle()
      }
      for (const { locale, answerNow } of choices) {
        chosen.add(locale)
        const before = loads.length
        store.choose(locale)
        for (let index = before; index < loads.length; index += 1) pending.push(index)
        if (answerNow === 0 && pending.length > 0) await answerOne(answerNow)
      }
      // What came before the last choice is done with; from here on only the last may change the screen.
      const last = choices.at(-1)?.locale
      const atLast = store.getState()?.locale
      shown.length = 0
      for (const position of order) if (pending.length > 0) await answerOne(position)
      while (pending.length > 0) await answerOne(0)
      expect(shown.every((locale) => locale === last || (locale === 'en' && atLast === undefined))).toBe(true)
      // Its text is its own, and after a failure the last choice can be made again.
      expect(store.getState() && chosen.has(store.getState()?.locale as Locale)).toBe(true)
      const before = loads.length
      store.choose(last as Locale)
      if (loads.length > before) await loads.at(-1)?.answer('come')
      await settle()
      expect(store.getState()?.locale).toBe(last)
      if (last !== 'en') expect(store.getState()?.messages.close).toBe(last)
    }),
    { numRuns: 200 },
  )
})
