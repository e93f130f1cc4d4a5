import { composeStory, type Meta, type StoryObj } from '@storybook/react-vite'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'

type Look = { width: 'wide' | 'compact' | 'phone'; colorScheme: 'light' | 'dark'; locale: 'en' | 'zh-CN' | 'ar' }

/**
 * Lists the looks in which the states of the dialogs and the button are checked. Each set has every width, every
 * language and both colour schemes; together the sets have every pair of them. States take the sets in turn.
 */
const looks: readonly (readonly Look[])[] = [
  [
    { width: 'wide', colorScheme: 'light', locale: 'en' },
    { width: 'compact', colorScheme: 'dark', locale: 'zh-CN' },
    { width: 'phone', colorScheme: 'light', locale: 'ar' },
  ],
  [
    { width: 'wide', colorScheme: 'dark', locale: 'zh-CN' },
    { width: 'compact', colorScheme: 'light', locale: 'ar' },
    { width: 'phone', colorScheme: 'dark', locale: 'en' },
  ],
  [
    { width: 'wide', colorScheme: 'dark', locale: 'ar' },
    { width: 'compact', colorScheme: 'light', locale: 'en' },
    { width: 'phone', colorScheme: 'light', locale: 'zh-CN' },
  ],
]

const files = import.meta.glob<Record<string, StoryObj> & { default: Meta }>(
  '../packages/wallet-kit/src/react/**/*.stories.tsx',
  { eager: true },
)

/** The stories of the kit's dialogs and button that do not set a device or language. */
const states = Object.values(files).flatMap(({ default: meta, ...stories }) =>
  Object.entries(stories)
    .filter(([, { globals }]) => !globals?.viewport && !globals?.locale)
    .map(([name, story]) => ({ name, title: meta.title, story, meta })),
)

const sizes: Record<Look['width'], [number, number]> = { wide: [1440, 900], compact: [600, 800], phone: [390, 844] }
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1'

afterEach(() => {
  Reflect.deleteProperty(navigator, 'userAgent')
})

const cases = states.flatMap((state, index) =>
  (looks[index % looks.length] ?? []).map((look) => ({ ...state, ...look })),
)

/** Returns the findings of axe with their elements. Throws if axe did not run. */
function readViolations(reports: readonly { type: string; result: unknown }[]): string[] {
  const { result } = reports.find(({ type }) => type === 'a11y') as { result: AxeResult }
  return result.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}
type AxeResult = { violations: { id: string; nodes: { html: string }[] }[] }

test.each(cases)('$title, $name: $width, $colorScheme, $locale', async ({ name, story, meta, ...look }) => {
  const { width, colorScheme, locale } = look
  await page.viewport(...sizes[width])
  if (width === 'phone') Object.defineProperty(navigator, 'userAgent', { configurable: true, value: phone })
  const composed = composeStory(story, meta, { initialGlobals: { colorScheme, locale } }, name)
  await composed.run()

  const dialog = document.querySelector('[role="dialog"]')
  expect((dialog ?? document.body).textContent.trim()).toBeTruthy()
  // A button may show only an account, which is the same text in every language.
  if (dialog) {
    expect(/[\u4e00-\u9fff]/.test(dialog.textContent)).toBe(locale === 'zh-CN')
    expect(/\p{Script=Arabic}/u.test(dialog.textContent)).toBe(locale === 'ar')
    expect(getComputedStyle(dialog).direction).toBe(locale === 'ar' ? 'rtl' : 'ltr')
  }
  expect(readViolations(composed.reporting.reports)).toEqual([])
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(window.innerWidth)
})
