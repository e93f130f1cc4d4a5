import type { Page } from '@playwright/test'
import { type Address, getAddress } from 'viem'
import { api, bindMember, communityId, expect, paths, test, visit } from './product.ts'

const main = (page: Page) => page.getByRole('main')
/** Reads the block of the answer, which stands last. */
const readBlock = async (page: Page) =>
  Number(
    [...((await main(page).textContent()) ?? '').matchAll(/(?:区块|Block)\s([\d,]+) ·/g)]
      .at(-1)?.[1]
      ?.replaceAll(',', ''),
  )

async function chooseLanguage(page: Page, button: string, language: string) {
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('menuitemradio', { name: language }).click()
}

async function enter(page: Page, address: string) {
  await main(page).getByRole('search').locator('input').first().fill(address)
  await expect(page).toHaveURL(new RegExp(address))
}

/** Filters the downline: by a contradiction, so that some are left, and so that none is left. */
async function filter(page: Page, team: number) {
  const field = main(page).locator('[name="minTeam"]')
  const open = () => main(page).getByRole('button', { name: '筛选', exact: true }).first().click()
  await open()
  await field.fill('x')
  await field.press('Enter')
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  for (const [minTeam, expected] of [
    ['1', /\d 人符合/],
    [`${team}`, '没有人符合这个筛选。'],
  ] as const) {
    await field.fill(minTeam)
    await field.press('Enter')
    await expect(main(page)).toContainText(expected)
    await expect(field).toHaveCount(0)
    await open()
  }
}

test.afterEach(({ complaints }) => {
  // The browser reports each request that is made offline.
  complaints.splice(
    0,
    complaints.length,
    ...complaints.filter((one) => !one.includes('net::ERR_INTERNET_DISCONNECTED')),
  )
})

// Every test of this folder has translated pages. This one changes all that changes while a route is open.
test('behavior: each route of a page that the browser translates shows what changes', async ({ page, context }) => {
  test.setTimeout(300_000)
  const { leaders } = await api.metrics(communityId)
  const [first, second, third] = leaders.team.map(({ address }) => getAddress(address)) as [Address, Address, Address]
  for (const path of paths)
    await test.step(path, async () => {
      await visit(page, path === '/metrics' ? path : `${path}?address=${first}`)
      await expect.poll(() => readBlock(page)).toBeGreaterThan(0)
      await chooseLanguage(page, '语言', 'English')
      await expect(main(page)).toContainText(/Block \d/)
      const block = await readBlock(page)
      await bindMember(first)
      await expect.poll(() => readBlock(page)).toBeGreaterThan(block)
      await chooseLanguage(page, 'Language', '简体中文')
      await expect(main(page)).toContainText(/区块 \d/)
      if (path === '/metrics') return
      await enter(page, second)
      await expect(main(page)).toContainText(second.slice(-4))
      if (path === '/referrals') await filter(page, (leaders.team[1]?.team ?? 0) - 1)
      await context.setOffline(true)
      await enter(page, third)
      await expect(main(page)).toContainText('没有网络')
      await context.setOffline(false)
      await expect(main(page)).not.toContainText('没有网络')
      await expect(main(page)).toContainText(third.slice(-4))
    })
})
