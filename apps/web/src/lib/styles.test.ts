import { expect, test } from 'vitest'
import { createStyleCache } from './styles.ts'

/** Returns a rule as the cache writes it. */
function write(styles: string): string {
  const { insert, sheet } = createStyleCache()
  insert('.a', { name: 'a', styles }, sheet, false)
  return sheet.tags.map(({ textContent }) => textContent).join('')
}

test.each([
  { styles: 'user-select:none;', written: '.a{-webkit-user-select:none;user-select:none;}' },
  { styles: 'mask-image:none;', written: '.a{-webkit-mask-image:none;mask-image:none;}' },
  { styles: '-webkit-user-select:none;', written: '.a{-webkit-user-select:none;}' },
  { styles: 'display:flex;position:sticky;', written: '.a{display:flex;position:sticky;}' },
])('behavior: "$styles" is written as "$written"', ({ styles, written }) => {
  expect(write(styles)).toBe(written)
})
