import type { Locator, Page } from '@playwright/test'
import { getAddress } from 'viem'
import { api, communityId, expect, reload, test, visit } from './product.ts'

// The part of a small phone's screen that WeChat leaves to the page. Not all browsers have these interfaces.
test.use({ viewport: { width: 360, height: 560 }, hasTouch: true, isMobile: true })
test.beforeEach(({ page }) => page.addInitScript('delete window.CloseWatcher; delete window.navigation'))

const main = (page: Page) => page.getByRole('main')
const place = (page: Page) => page.evaluate('[location.pathname + location.search, history.state?.openLayers ?? 0]')
const leader = async (rank = 0) => getAddress((await api.metrics(communityId)).leaders.team[rank]?.address ?? '')

/** Opens a layer, goes back and forward again: it closes, stays closed, and the page stays. */
async function goBackFrom(page: Page, layer: Locator, open: () => Promise<void>) {
  const before = await place(page)
  await open()
  await expect(layer).toBeVisible()
  await expect.poll(() => place(page)).toEqual([(before as unknown[])[0], 1])
  await page.goBack()
  await expect(layer).toHaveCount(0)
  expect(await place(page)).toEqual(before)
  await page.goForward()
  await expect.poll(() => place(page)).toEqual(before)
  await expect(layer).toHaveCount(0)
}

test('behavior: Back closes what is open, and Forward does not open it again', async ({ page }) => {
  await visit(page, '/metrics')
  const press = (name: string) => () => page.getByRole('button', { name }).click()
  const dialog = (name: string) => page.getByRole('dialog', { name })
  await goBackFrom(page, dialog('查询'), press('打开菜单'))
  await goBackFrom(page, dialog('演示数据'), press('演示数据'))
  await goBackFrom(page, dialog('连接钱包'), press('连接钱包'))
  await goBackFrom(page, page.locator('lineage-demo-wallet dialog'), async () => {
    await press('演示数据')()
    await press('打开演示钱包')()
  })

  await visit(page, `/?address=${await leader()}`)
  const choose = (name: string) => async () => {
    await press('更多操作')()
    await page.getByRole('menuitem', { name }).click()
  }
  await goBackFrom(page, page.getByRole('menu'), press('更多操作'))
  await goBackFrom(page, page.getByRole('menu'), () =>
    main(page).locator('li:not([data-kind]) button[aria-haspopup="menu"]').first().click(),
  )
  await goBackFrom(page, dialog('名片图'), choose('名片图'))
  await goBackFrom(page, dialog('备注'), choose('加备注'))

  // A link that is followed in a menu: Back leads to the page, and not to its menu.
  await choose('与…的关系')()
  await expect(page).toHaveURL(/view=relation/)
  await page.goBack()
  await expect.poll(() => place(page)).toEqual([expect.stringMatching(/^\/\?address=/), 0])

  // A reload forgets what was open.
  await press('更多操作')()
  await expect.poll(() => place(page)).toEqual([expect.anything(), 1])
  await reload(page)
  await expect.poll(() => place(page)).toEqual([expect.anything(), 0])
  await page.goBack()
  await expect(page).toHaveURL(/\/metrics/)

  await visit(page, `/referrals?address=${await leader()}`)
  await goBackFrom(page, page.getByLabel('加入不早于'), press('筛选'))
})

test('behavior: a menu moves nothing on the page', async ({ page }) => {
  await visit(page, `/referrals?address=${await leader()}`)
  await page.evaluate(() => window.scrollTo(0, 100))
  // The menu hides the rest of the page from screen readers.
  const field = page.locator('[role="search"]')
  const before = await field.boundingBox()
  await page.getByRole('button', { name: '更多操作' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  expect(await field.boundingBox()).toEqual(before)
})

test('behavior: an answer begins with its header and its six figures, on each screen', async ({ page }) => {
  const address = await leader(1)
  await visit(page, `/?address=${address}`)
  const figures = main(page).getByRole('region', { name: '团队与业绩' }).locator('dd:not(.note)')
  await expect(figures).toHaveCount(6)
  await expect(figures.last()).toBeInViewport()
  // The heading is for screen readers.
  expect((await main(page).locator('header').first().boundingBox())?.height).toBe(1)

  // Seconds and block are shown on a press, and fit as well.
  const block = main(page).getByText(/^区块\s[\d,]+$/)
  const joined = main(page).locator('summary', { hasText: '加入' })

  for (const size of [
    { width: 360, height: 560 },
    { width: 640, height: 360 },
    // A phone with text twice as large.
    { width: 180, height: 280 },
  ]) {
    await page.setViewportSize(size)
    await expect(block).toBeHidden()
    await expect(figures.first()).toBeInViewport({ ratio: 1 })
    await joined.click()
    await expect(block).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width)
    await joined.click()
  }
})

test('behavior: a named address has its name as title, and words for its actions', async ({ page }) => {
  const address = await leader(2)
  await page.addInitScript(
    (labels) => localStorage.setItem('lineage-labels', labels),
    JSON.stringify([{ address, text: '老王', watched: false, updatedAt: 1_780_000_000 }]),
  )
  await visit(page, `/?address=${address}`)
  await expect(main(page).getByRole('heading', { level: 2, name: '老王' })).toBeVisible()
  await expect(main(page).getByText(address.slice(22)).first()).toBeVisible()
  await expect(main(page).getByRole('button', { name: '复制地址' })).toHaveText('复制')
  await expect(main(page).getByRole('button', { name: '分享链接' })).toHaveText('分享')
  await main(page).getByRole('button', { name: '更多操作' }).click()
  await expect(page.getByRole('menuitem')).toContainText(['复制地址', '分享链接', '名片图', '编辑备注', '关注'])
})

test('behavior: the links are at the bottom of the screen, and not over the keyboard or the page', async ({ page }) => {
  await visit(page, '/referrers')
  await expect(main(page).getByText(/^BNB Smart Chain · .+ · [\d,]+ 名成员$/)).toBeVisible()
  await expect(main(page).getByRole('heading', { name: '示例成员' })).toBeVisible()
  const links = page.getByRole('banner').getByRole('navigation')
  const box = await links.boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(560)
  await main(page)
    .getByRole('link', { name: /团队最大/ })
    .click()
  await expect(page).toHaveURL(/\/referrers\?address=/)
  await expect(main(page).getByText(/全部一致|根，没有上级/)).toBeVisible()
  await links.getByRole('link', { name: '查询下级推荐' }).click()
  await expect(main(page).getByRole('tree')).toBeVisible()
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  const last = await main(page).getByText(/^合约/).last().boundingBox()
  expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThan(box?.y ?? 0)
  // An Android keyboard makes the page lower.
  await page.setViewportSize({ width: 360, height: 300 })
  await expect(links).toBeHidden()
})

const scrollTop = (page: Page) => page.evaluate(() => window.scrollY)

test('behavior: another address begins at its header, and Back leads to the place before', async ({ page }) => {
  await visit(page, `/?address=${await leader()}`)
  const region = page.getByRole('region', { name: '直推成员', includeHidden: true })
  const rows = region.getByRole('listitem', { includeHidden: true })
  const shown = await rows
    .nth(6)
    .getByText(/^0x.+…/)
    .textContent()
  const row = rows.filter({ hasText: shown ?? '' })
  const top = async () => Math.round((await row.boundingBox())?.y ?? 0)
  await row.getByRole('button').click()
  const community = page.getByRole('menuitem', { name: '查看社区' })
  await expect(community).toBeVisible()
  expect(await scrollTop(page)).toBeGreaterThan(500)
  const before = await top()
  await community.click()
  await expect.poll(() => scrollTop(page)).toBe(0)
  await expect(main(page).getByRole('heading', { level: 1 })).toBeFocused()
  await page.goBack()
  await expect.poll(top).toBe(before)
})

test('behavior: the downline has one row of tools, which stays in its place, and one view at a time', async ({
  page,
}) => {
  for (const [lang, view, filter, csv] of [
    ['en', 'Tree', 'Filter', /^CSV · [\d,]+ rows$/],
    ['zh-CN', '树', '筛选', /^导出 CSV · [\d,]+ 行$/],
  ] as const) {
    await visit(page, `/referrals?address=${await leader()}&lang=${lang}`)
    const buttons = [filter, csv].map((name) => main(page).getByRole('button', { name }))
    const tools = [main(page).getByRole('radio', { name: view }), ...buttons]
    await expect(main(page).getByRole('tree')).toBeVisible()
    const boxes = (await Promise.all(tools.map((tool) => tool.boundingBox()))).filter((box) => box !== null)
    expect(new Set(boxes.map(({ y, height }) => Math.round(y + height / 2))).size).toBe(1)
    expect(Math.round((boxes.at(-1)?.x ?? 0) + (boxes.at(-1)?.width ?? 0))).toBe(340)
  }
  await expect(main(page).getByRole('tree')).toHaveCount(1)
  await main(page).getByRole('button', { name: '筛选' }).click()
  await expect(main(page).getByRole('button', { name: '查看结果' })).toBeVisible()
  await expect(main(page).getByLabel('团队至少')).toBeVisible()
  await expect(main(page).getByLabel('地址开头')).toBeHidden()
  await expect(main(page).getByText('绑定记录')).toHaveCount(0)
  await main(page).getByText('更多条件').click()
  await expect(main(page).getByLabel('地址开头')).toBeVisible()

  await visit(page, '/metrics')
  await expect(main(page).getByText('结构与数据质量')).toBeVisible()
  expect(await main(page).locator('section > header h2').allTextContents()).toEqual([
    ...['增长', '前十名', '活跃成员', '增长最快', '最新绑定记录', '全网图', '下载'],
    ...['结构', '各层人数', '直推人数分布', '异常记录', '索引状态'],
  ])
  await expect(main(page).getByRole('heading', { name: '各层人数' })).toBeHidden()
  // Until they come near, these have only their titles; the days have only their members.
  const growth = main(page).getByRole('region', { name: '增长' })
  await growth.locator('label', { hasText: '业绩' }).click()
  await expect(growth.getByRole('slider', { name: /业绩/ })).toHaveAttribute('aria-valuetext', /DUSD/)
  await main(page).getByRole('heading', { name: '活跃成员' }).scrollIntoViewIfNeeded()
  await expect(main(page).getByRole('slider', { name: '活跃' })).toBeVisible()
})

test('behavior: on a narrow phone, a direct with a large team has its own place for each text', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 800 })
  await visit(page, '/?address=0x1111111182Bb0eA9a2a55eEf305b7aC1b21A1111&lang=en')
  await page.locator('label', { hasText: 'Largest team' }).click()
  const row = page
    .getByRole('listitem')
    .filter({ hasText: /team \d,\d{3}/ })
    .first()
  await expect(row).toBeVisible()
  const boxes = await row.evaluate(({ children }) =>
    [...children].map((child) => {
      const range = document.createRange()
      range.selectNodeContents(child)
      const { left, right, top, bottom } = range.getBoundingClientRect()
      return { left, right, top, bottom }
    }),
  )
  for (const [index, one] of boxes.entries())
    for (const other of boxes.slice(index + 1))
      expect(one.right < other.left || one.bottom - other.top < 12, JSON.stringify(boxes)).toBe(true)
})

test('behavior: the fields of a pair are side by side, and a text has one line', async ({ page }) => {
  const topOf = async (text: Locator) => (await text.boundingBox())?.y
  await visit(page, `/referrals?address=${await leader()}&lang=en`)
  await main(page).getByRole('button', { name: 'Filter' }).click()
  for (const [from, to] of [
    ['Joined from', 'Joined until'],
    ['From level', 'To level'],
    ['Amounts from', 'Amounts to'],
  ] as const)
    expect(await topOf(main(page).getByLabel(from))).toBe(await topOf(main(page).getByLabel(to)))
  expect((await main(page).getByRole('button', { name: 'Show results' }).boundingBox())?.height).toBe(44)

  await visit(page, '/search')
  await main(page)
    .getByRole('combobox')
    .fill((await leader()).slice(0, 6))
  const [prefix, rest] = ['b', 'code > span'].map((text) => main(page).getByRole('option').locator(text).first())
  await expect(rest as Locator).toBeVisible()
  expect(Math.abs(((await topOf(prefix as Locator)) ?? 0) - ((await topOf(rest as Locator)) ?? 99))).toBeLessThan(4)
})
