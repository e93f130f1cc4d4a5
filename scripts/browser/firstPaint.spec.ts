import type { Page } from '@playwright/test'
import { expect, test } from './product.ts'

test.use({ isTranslated: false })

const known = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/** Opens a page whose scripts wait until `release` is called. */
async function openSlowly(page: Page, path: string): Promise<() => Promise<void>> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await released
    await route.continue()
  })
  await page.goto(path, { waitUntil: 'commit' })
  // The inline scripts have run.
  await page.waitForFunction(() => document.readyState !== 'loading')
  return async () => {
    const replaced = page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const root = document.getElementById('root') ?? document.body
          new MutationObserver(() => resolve()).observe(root, { childList: true })
        }),
    )
    release()
    await replaced
  }
}

/** Returns the visible texts with their positions. */
const seen = (page: Page) =>
  page.locator('header a, h1, h1 + p, main form, main form button, input').evaluateAll((all) =>
    all.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      const value = element instanceof HTMLInputElement ? element.value || element.placeholder : element.textContent
      return `${element.localName} ${value}: ${[x, y, width, height].map(Math.round)}`
    }),
  )

for (const { path, width, language } of [
  { path: '/', width: 1440, language: 'zh-CN' },
  { path: '/search', width: 390, language: 'zh-TW' },
  { path: '/referrals?lang=fr', width: 1440, language: 'en' },
  { path: `/referrers?address=${known}`, width: 390, language: 'zh-CN' },
  { path: '/metrics', width: 390, language: 'en' },
])
  test(`behavior: ${path} at ${width} px in ${language} is painted before its scripts are loaded, and does not move`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 844 })
    await page.addInitScript((chosen) => localStorage.setItem('lineage-language', chosen), language)
    const release = await openSlowly(page, path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const before = await seen(page)
    await release()
    expect(await seen(page)).toEqual(before)
  })

test('behavior: an address pasted before the scripts are loaded is looked up afterwards', async ({ page }) => {
  const release = await openSlowly(page, '/')
  await page.getByRole('textbox', { name: '地址' }).fill(known.toLowerCase())
  await release()
  await expect(page).toHaveURL(new RegExp(known))
  await expect(page.getByRole('main')).toContainText('团队与业绩')
})

test('behavior: typed text and focus stay in the field when the scripts are loaded', async ({ page }) => {
  const release = await openSlowly(page, '/search')
  const field = page.getByRole('main').locator('input')
  await field.pressSequentially('0xf3')
  await release()
  await field.pressSequentially('9F')
  await expect(field).toHaveValue('0xf39F')
  await expect(page.getByRole('option').first()).toBeVisible()
})

for (const text of [`  ${known} `, `https://bscscan.com/address/${known}`])
  test(`behavior: “${text}” as the address is painted like the address in it`, async ({ page }) => {
    const member = page.waitForRequest(new RegExp(`/members/${known}$`, 'i'))
    await openSlowly(page, `/?address=${encodeURIComponent(text)}&lang=en`)
    await expect(page).toHaveURL(`/?address=${known}&lang=en`)
    await expect(page.getByRole('textbox', { name: 'Address' })).toHaveValue(known)
    await member
  })

test('behavior: a page whose scripts were not loaded loads again once online, with the typed text', async ({
  page,
  complaints,
}) => {
  let fail = () => {}
  const failed = new Promise<void>((resolve) => {
    fail = resolve
  })
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await failed
    await route.abort('internetdisconnected')
  })
  await page.goto('/referrers', { waitUntil: 'commit' })
  await page.getByRole('textbox', { name: '地址' }).fill(known)
  fail()
  await expect(page.getByText('页面没有加载完')).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect(page.getByRole('main')).toContainText(/区块 \d/)
  await expect(page).toHaveURL(`/referrers?address=${known}`)
  // The browser reports the failed requests.
  complaints.splice(0)
})

test('behavior: Enter before the scripts are loaded looks up', async ({ page }) => {
  await openSlowly(page, '/referrers')
  await page.getByRole('textbox', { name: '地址' }).fill(known)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/referrers?address=${known}`)
})

for (const path of ['/nowhere', '/search?view=list'])
  test(`behavior: ${path}: the first paint shows nothing that disappears`, async ({ page }) => {
    await openSlowly(page, path)
    await expect(page.locator('#root')).toBeEmpty()
  })
