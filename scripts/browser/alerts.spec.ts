import type { Page } from '@playwright/test'
import type { Address } from 'viem'
import { api, bindMember, communityId, connectDemoAccount, expect, signIn, test, visit } from './product.ts'

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

test('behavior: a new member shows in the alerts and the feed, and a webhook to this machine is refused', async ({
  page,
  request,
}) => {
  test.setTimeout(180_000)
  const [largest] = (await api.metrics(communityId)).leaders.team
  const address = largest?.address as Address
  await visit(page, `/?address=${address}`)
  const more = page.getByRole('button', { name: '更多操作' })
  const setAlerts = page.getByRole('menuitem', { name: '设置提醒…' })
  await more.click()
  await expect(page.getByRole('menuitem', { name: '名片图' })).toBeVisible()
  await expect(setAlerts).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  // Other tests count what the first account has.
  await connectDemoAccount(page, '0x7099')
  await expect(page.getByRole('button', { name: '提醒', exact: true })).toHaveCount(0)
  await signIn(page, page.getByRole('button', { name: /0x70…79C8/ }).first())

  // Choose an alert for each new member of the team, instead of a daily summary.
  await more.click()
  await setAlerts.click()
  const form = dialog(page, '提醒设置')
  await form.getByRole('combobox', { name: '新的团队成员' }).selectOption('每一个')
  await form.getByRole('checkbox', { name: '异常绑定' }).check()
  await form.getByRole('textbox', { name: /单笔业绩不低于/ }).fill('x')
  await expect(form.getByRole('button', { name: '保存' })).toBeDisabled()
  await form.getByRole('textbox', { name: /单笔业绩不低于/ }).fill('100000')
  await page.keyboard.press('Enter')
  await expect(form).toHaveCount(0)

  await bindMember(address)
  const bell = page.getByRole('button', { name: /提醒，\d+ 条未读/ })
  await expect(bell).toBeVisible({ timeout: 90_000 })
  await bell.focus()
  await page.keyboard.press('Enter')
  const list = dialog(page, '提醒')
  await expect(list.getByRole('listitem').first()).toContainText(/新团队成员|新直推|异常绑定|业绩/)
  await expect(list.getByRole('img', { name: '未读' }).first()).toBeVisible()
  await page.setViewportSize({ width: 360, height: 740 })

  await list.getByRole('button', { name: '提醒设置' }).click()
  const settings = dialog(page, '提醒设置')
  await expect(settings.getByRole('button', { name: /修改 .* 的提醒/ })).toHaveCount(1)
  await settings.getByLabel('Webhook 网址').fill('https://127.1/hook')
  await settings.getByRole('button', { name: '添加' }).click()
  await expect(page.getByText(/这个网址不能用作 Webhook/)).toBeVisible()
  await settings.getByLabel('Webhook 网址').fill('https://hooks.invalid/lineage')
  await settings.getByRole('button', { name: '添加' }).click()
  await expect(settings.getByLabel('签名密钥只显示这一次')).toHaveValue(/^whsec_/)
  await settings.getByRole('button', { name: '发送测试' }).click()
  await expect(settings.getByRole('row').filter({ hasText: '测试' })).toContainText(
    'The host is unknown, or does not lead to public addresses.',
  )
  await settings.getByRole('button', { name: '生成链接' }).click()
  const link = await settings.getByLabel('订阅链接').inputValue()
  const feed = await request.get(link)
  expect([feed.status(), feed.headers()['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8'])
  expect(await feed.text()).toMatch(/<entry>/)
  await settings.getByRole('button', { name: '换一个链接' }).click()
  await expect(settings.getByLabel('订阅链接')).not.toHaveValue(link)
  expect((await request.get(link)).status()).toBe(404)

  await settings.getByRole('button', { name: '返回提醒' }).click()
  await dialog(page, '提醒').getByRole('listitem').getByRole('link').first().click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL(/address=0x/)
  // The bell fits into the bar.
  for (const width of [320, 360, 600, 1024, 1100]) {
    await page.setViewportSize({ width, height: 740 })
    await expect(page.getByRole('button', { name: /^提醒/ })).toBeInViewport({ ratio: 1 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `${width} px`).toBe(0)
    // On phones, the links stand at the bottom of the screen.
    const overlaps = await page
      .locator('header')
      .first()
      .evaluate((bar) => {
        const shown = [...bar.querySelectorAll('button, .logo, nav a')].filter((one) => one.checkVisibility())
        const boxes = shown.map((one) => one.getBoundingClientRect())
        return boxes.flatMap((one, index) =>
          boxes.slice(index + 1).filter((other) => {
            const across = Math.min(one.right, other.right) - Math.max(one.left, other.left)
            const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
            return across > 1 && down > 1
          }),
        )
      })
    expect(overlaps, `${width} px: nothing overlaps`).toEqual([])
  }
})
