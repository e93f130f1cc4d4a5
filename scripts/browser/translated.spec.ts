import type { Page } from '@playwright/test'
import { getAddress } from 'viem'
import { api, communityId, expect, test } from './product.ts'

const main = (page: Page) => page.getByRole('main')
const readBlock = async (page: Page) =>
  Number(/(?:区块|Block)\s([\d,]+)/.exec((await main(page).textContent()) ?? '')?.[1]?.replaceAll(',', ''))

async function chooseLanguage(page: Page, button: string, language: string) {
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('menuitemradio', { name: language }).click()
}

async function enter(page: Page, address: string) {
  await main(page).getByRole('search').locator('input').first().fill(address)
  await expect(page).toHaveURL(new RegExp(address))
}

/** Filters the downline, and then so that nobody is left. */
async function filter(page: Page) {
  await main(page).getByRole('button', { name: '筛选', exact: true }).click()
  const form = main(page)
    .locator('form')
    .filter({ has: page.locator('[name="minTeam"]') })
  for (const [minTeam, expected] of [
    ['x', /\S/],
    ['1', /\d/],
    ['999999', '没有人符合这个筛选。'],
  ] as const) {
    await form.locator('[name="minTeam"]').fill(minTeam)
    await form.locator('[type="submit"]').click()
    await expect(main(page)).toContainText(expected)
  }
}

// Every test of this folder has translated pages. This one changes all that changes while a route is open.
test('behavior: each route of a page that the browser translates shows what changes', async ({
  page,
  context,
  complaints,
}) => {
  test.setTimeout(180_000)
  const { leaders } = await api.metrics(communityId)
  const [first = '', second = '', third = ''] = leaders.team.map(({ address }) => getAddress(address))
  for (const path of ['/metrics', '/', '/search', '/referrals', '/referrers'])
    await test.step(path, async () => {
      await page.goto(path === '/metrics' ? path : `${path}?address=${first}`)
      await expect.poll(() => readBlock(page)).toBeGreaterThan(0)
      await chooseLanguage(page, '语言', 'English')
      await expect(main(page)).toContainText(/Block \d/)
      const block = await readBlock(page)
      await expect.poll(() => readBlock(page)).toBeGreaterThan(block)
      await chooseLanguage(page, 'Language', '简体中文')
      await expect(main(page)).toContainText(/区块 \d/)
      if (path === '/metrics') return
      await enter(page, second)
      await expect(main(page)).toContainText(second.slice(-4))
      if (path === '/referrals') await filter(page)
      await context.setOffline(true)
      await enter(page, third)
      await expect(main(page)).toContainText('没有网络')
      await context.setOffline(false)
      await expect(main(page)).not.toContainText('没有网络')
      await expect(main(page)).toContainText(third.slice(-4))
    })
  complaints.splice(
    0,
    complaints.length,
    ...complaints.filter((one) => !one.includes('net::ERR_INTERNET_DISCONNECTED')),
  )
})
