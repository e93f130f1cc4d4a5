import { act, renderHook } from '@testing-library/react'
import { array, asyncProperty, assert as check, constantFrom, nat, record } from 'fast-check'
import { expect, test } from 'vitest'
import { en } from '../locales/en.ts'
import type { Locale } from '../locales/locales.ts'
import { type Language, useLanguage } from './language.ts'

type Outcome = 'succeed' | 'fail'

/** Sets up a language on screen, whose files the test answers in any order. */
function setup(first: Locale) {
  const loads: ((outcome: Outcome) => Promise<void>)[] = []
  const load = (locale: Locale) =>
    new Promise<Language['messages']>((resolve, reject) => {
      loads.push(async (outcome) =>
        act(async () => (outcome === 'succeed' ? resolve({ ...en, close: locale }) : reject(new Error('offline')))),
      )
    })
  const shown: (Locale | undefined)[] = []
  const view = renderHook(
    ({ locale, isOpen }) => {
      const language = useLanguage(locale, isOpen, load)
      if (shown.at(-1) !== language?.locale) shown.push(language?.locale)
      return language
    },
    { initialProps: { locale: first, isOpen: true } },
  )
  let isOpen = true
  return {
    loads,
    shown,
    language: () => view.result.current,
    choose: (locale: Locale) => view.rerender({ locale, isOpen }),
    /** Closes a dialog, or opens it again. */
    toggle: (locale: Locale) => {
      isOpen = !isOpen
      view.rerender({ locale, isOpen })
    },
    unmount: view.unmount,
  }
}

test('English is shown at once and not loaded', () => {
  const { language, loads } = setup('en')
  expect([language(), loads]).toEqual([{ locale: 'en', messages: en }, []])
})

test('nothing is shown until the first language is loaded', async () => {
  const { language, loads, choose } = setup('fr')
  choose('fr')
  expect([language(), loads.length]).toEqual([undefined, 1])
  await loads[0]?.('succeed')
  expect(language()?.locale).toBe('fr')
})

test('error: the first language cannot be loaded: English, and another try when a dialog opens', async () => {
  const { language, loads, toggle } = setup('fr')
  await loads[0]?.('fail')
  expect(language()?.locale).toBe('en')
  toggle('fr')
  await loads.at(-1)?.('succeed')
  expect(language()?.locale).toBe('fr')
})

test('error: the first language cannot be loaded: another try when the browser is online again', async () => {
  const { language, loads } = setup('fr')
  await loads[0]?.('fail')
  window.dispatchEvent(new Event('online'))
  await loads[1]?.('succeed')
  expect(language()?.locale).toBe('fr')
})

test('error: another language cannot be loaded: the last one stays', async () => {
  const { shown, loads, choose } = setup('fr')
  await loads[0]?.('succeed')
  choose('de')
  await loads[1]?.('fail')
  expect(shown).toEqual(['fr'])
})

test('property: the last choice wins, in whatever order files are loaded or fail', async () => {
  const choice = record({ locale: constantFrom<Locale>('ar', 'de', 'en', 'fr', 'ja'), answerNow: nat(5) })
  const plan = record({
    choices: array(choice, { minLength: 1, maxLength: 12 }),
    order: array(nat(50), { maxLength: 12 }),
    outcomes: array(constantFrom<Outcome>('succeed', 'succeed', 'fail'), { minLength: 12, maxLength: 12 }),
  })
  await check(
    asyncProperty(plan, async ({ choices, order, outcomes }) => {
      const { loads, shown, language, choose, toggle, unmount } = setup(choices[0]?.locale ?? 'en')
      const answered = new Set<number>()
      const answerOne = async (position: number) => {
        const pending = [...loads.keys()].filter((index) => !answered.has(index))
        const index = pending[position % pending.length]
        if (index === undefined) return
        answered.add(index)
        await loads[index]?.(outcomes[index % outcomes.length] ?? 'succeed')
      }
      for (const { locale, answerNow } of choices) {
        choose(locale)
        if (answerNow === 0) await answerOne(answerNow)
      }
      // From here on, only the last choice may change the screen.
      const last = choices.at(-1)?.locale as Locale
      const atLast = language()?.locale
      shown.length = 0
      for (const position of order) await answerOne(position)
      while (answered.size < loads.length) await answerOne(0)
      expect(shown.every((locale) => locale === last || (locale === 'en' && atLast === undefined))).toBe(true)
      // After a failure the last choice is tried again.
      toggle(last)
      if (answered.size < loads.length) await loads.at(-1)?.('succeed')
      expect(language()?.locale).toBe(last)
      if (last !== 'en') expect(language()?.messages.close).toBe(last)
      unmount()
    }),
    { numRuns: 200 },
  )
})
