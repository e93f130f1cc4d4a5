import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import {
  accountButton,
  connectDemoWallet,
  expect,
  openDemoWallet,
  paths,
  scrollToMap,
  test,
  visit,
  walletWindow,
} from './product.ts'

const known = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const phone = { width: 390, height: 844 }
const desktop = { width: 1440, height: 900 }

// Without motion, colours do not fade while axe reads them.
test.use({ isTranslated: false, contextOptions: { reducedMotion: 'reduce' } })

async function findings(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'))
  // The early dialog is laid out for a frame when the page is idle, and then skipped by the browser.
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .exclude('dialog[data-early]')
  const { violations } = await (rules ? axe.withRules([...rules]) : axe).analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

for (const path of paths) {
  test(`accessibility: ${path} has no findings, light and dark, on a phone and a desktop`, async ({ page }) => {
    await visit(page, path === '/metrics' ? path : `${path}?address=${known}`)
    await expect(page.getByRole('main')).toContainText(/区块 \d/)
    if (path === '/metrics') {
      await scrollToMap(page)
      await expect(page.getByRole('tree')).toBeVisible()
    }
    // Once the page is idle.
    await expect(page.locator('dialog')).toHaveCSS('content-visibility', 'hidden')
    for (const size of [desktop, phone]) {
      await page.setViewportSize(size)
      for (const [colorScheme, rules] of [['light'], ['dark', ['color-contrast']]] as const) {
        await page.emulateMedia({ colorScheme })
        await expect(page.locator('html')).toHaveAttribute('data-mui-color-scheme', colorScheme)
        expect.soft(await findings(page, rules), `${colorScheme}, ${size.width} px`).toEqual([])
      }
    }
  })
}

test('accessibility: a finger on a phone hits each control within 40 px of height', async ({ page }) => {
  await page.setViewportSize(phone)
  // The control of each page that loads last.
  for (const [path, last] of [
    [`/?address=${known}`, '时间：现在'],
    ['/metrics', /^保存图表“.*的下级/],
    [`/search?address=${known}`, '时间：现在'],
    [`/referrals?address=${known}`, '时间：现在'],
    [`/referrers?address=${known}`, '时间：现在'],
  ] as const) {
    await visit(page, path)
    if (path === '/metrics') await scrollToMap(page)
    await expect(page.getByRole('button', { name: last })).toBeVisible()
    // Some controls are in parts of the page that are closed at first.
    await page.locator('main details').evaluateAll((all) => {
      for (const closed of all) closed.setAttribute('open', '')
    })
    const controls = page.locator('header button, header .logo, main button, main fieldset label, main a.button')
    const missed = await controls.evaluateAll((elements) =>
      elements.flatMap((element) => {
        element.scrollIntoView({ block: 'center' })
        const { left, top, width, height } = element.getBoundingClientRect()
        const hits = [-20, 20].map((away) => document.elementFromPoint(left + width / 2, top + height / 2 + away))
        return height === 0 || hits.every((hit) => element.contains(hit)) ? [] : [element.textContent]
      }),
    )
    expect.soft(missed, path).toEqual([])
  }
})

test('accessibility: light forced colours after a choice of the dark mode: charts, dots and nodes can be seen', async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'light' })
  await page.addInitScript(() => localStorage.setItem('mui-mode', 'dark'))
  const read = (css: string, property: string, pseudo?: string) =>
    page
      .locator(css)
      .first()
      .evaluate((element, [name, part]) => getComputedStyle(element, part).getPropertyValue(name), [
        property,
        pseudo,
      ] as const)
  await visit(page, '/metrics')
  await expect(page.locator('path.line')).toBeVisible()
  const [text, canvas] = [await read('body', 'color'), await read('body', 'background-color')]
  expect(await read('path.line', 'stroke')).toBe(text)
  expect(await read('text.value', 'fill')).toBe(text)
  expect.soft(await read('i[data-current]', 'background-color'), 'the dot of the newest block').not.toBe(canvas)
  await visit(page, `/referrers?address=${known}`)
  await expect(page.getByRole('main')).toContainText(/区块 \d/)
  const node = await read('main li[data-kind="me"]', 'background-color', '::before')
  expect.soft(node, 'the node of the member itself').not.toBe(canvas)
})

test('accessibility: on a phone, each cell of a table has a header, and the address is that of its row', async ({
  page,
}) => {
  await page.setViewportSize(phone)
  for (const [path, names] of [
    [`/referrals?address=${known}&level=2`, [/第 2 代/]],
    ['/metrics', ['最新绑定记录', '前十名']],
  ] as const) {
    await visit(page, path)
    for (const name of names) {
      const table = page.getByRole('table', { name }).first()
      const row = table.getByRole('row').nth(1)
      await expect(row.getByRole('rowheader', { name: /0x/ })).toBeVisible()
      const cells = row.getByRole('cell')
      expect(await table.getByRole('columnheader').count(), `${path} ${name}`).toBe((await cells.count()) + 1)
    }
  }
})

test('accessibility: the page of the API works on a phone, and has no findings', async ({ page }) => {
  await page.setViewportSize(phone)
  await page.goto('/v1/docs')
  const member = page.locator('details#member')
  await member.locator('summary').click()
  // The field is filled with an existing member.
  await expect(member.getByLabel('address')).toHaveValue(/^0x/)
  await member.getByRole('button', { name: 'Send' }).click()
  await expect(member.getByRole('status')).toContainText('"referrer"')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width)
  expect(await findings(page)).toEqual([])
})

for (const [state, path, text] of [
  ['no address', '/', '示例成员'],
  ['an unknown address', '/?address=0x00000000000000000000000000000000000000aa', '不在这个社区里'],
  ['a malformed address', '/search?address=0x1234', '地址不完整'],
  ['an unknown path', '/nowhere', '页面不存在'],
] as const) {
  test(`accessibility: ${state} has no findings`, async ({ page }) => {
    await visit(page, path)
    await expect(page.getByRole('main')).toContainText(text)
    expect(await findings(page)).toEqual([])
  })
}

for (const { name, viewport, colorScheme } of [
  { name: 'a dark phone', viewport: phone, colorScheme: 'dark' },
  { name: 'a light desktop', viewport: desktop, colorScheme: 'light' },
] as const) {
  test.describe(`on ${name}`, () => {
    test.use({ viewport, colorScheme })

    test('accessibility: drawer and menus have no findings', async ({ page }) => {
      await visit(page, `/?address=${known}`)
      const openers = page.getByRole('banner').getByRole('button', { name: /^(打开菜单|演示数据|语言|颜色模式)$/ })
      await expect(openers).toHaveCount(viewport === phone ? 2 : 3)
      for (const opener of await openers.all()) {
        await opener.click()
        await expect(page.getByRole('dialog').or(page.getByRole('menu'))).toBeVisible()
        expect.soft(await findings(page)).toEqual([])
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog').or(page.getByRole('menu'))).toHaveCount(0)
        await expect(opener).toBeFocused()
      }
      const address = page
        .getByRole('main')
        .getByRole('button', { name: /^0x11…1111/ })
        .first()
      await address.click()
      await expect(page.getByRole('menu').or(page.getByRole('dialog'))).toBeVisible()
      // An item that loads is paler; axe would read its colour before, and that it is disabled after.
      await expect(page.getByRole('menuitem', { disabled: true })).toHaveCount(0)
      expect(await findings(page)).toEqual([])
    })

    test('accessibility: connecting, refused, account and network have no findings', async ({ page }) => {
      await visit(page, '/')
      await page.getByRole('button', { name: '连接钱包' }).click()
      const dialog = page.getByRole('dialog', { name: '连接钱包' })
      await expect(dialog).toBeVisible()
      expect.soft(await findings(page), 'the list').toEqual([])

      await dialog.getByRole('button', { name: 'MetaMask' }).click()
      await expect(dialog).toContainText('获取 MetaMask')
      expect.soft(await findings(page), 'a wallet to get').toEqual([])
      await page.getByRole('button', { name: '返回' }).click()

      await dialog.getByRole('button', { name: /演示钱包/ }).click()
      await expect(walletWindow(page)).toBeVisible()
      expect.soft(await findings(page), 'the wallet asks').toEqual([])
      await walletWindow(page).getByRole('button', { name: '拒绝' }).click()
      await expect(dialog).toContainText('未连接')
      expect.soft(await findings(page), 'refused').toEqual([])
      await page.keyboard.press('Escape')

      await connectDemoWallet(page)
      await accountButton(page).click()
      await expect(page.getByRole('dialog', { name: '账户' })).toBeVisible()
      expect.soft(await findings(page), 'account').toEqual([])
      await page.keyboard.press('Escape')

      await openDemoWallet(page)
      await walletWindow(page).getByRole('radio', { name: 'Demo Testnet' }).check()
      expect.soft(await findings(page), 'the panel of the wallet').toEqual([])
      await walletWindow(page).getByRole('button', { name: '关闭' }).click()
      await page.getByRole('button', { name: '网络不正确' }).click()
      await expect(page.getByRole('dialog', { name: '切换网络' })).toBeVisible()
      expect(await findings(page), 'network').toEqual([])
    })
  })
}

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: phone })

  test('accessibility: no field makes iOS zoom in, whatever its own style', async ({ page }) => {
    await visit(page, '/search')
    await expect(page.getByRole('combobox', { name: '地址' })).toBeVisible()
    const sizes = await page.getByRole('main').evaluate((main) => {
      for (const name of ['input', 'select', 'textarea'])
        main.append(Object.assign(document.createElement(name), { style: 'font: 10px serif' }))
      document.documentElement.style.fontSize = '12px'
      return [...main.querySelectorAll('input, select, textarea')].map((field) => getComputedStyle(field).fontSize)
    })
    expect(sizes.length).toBeGreaterThan(3)
    expect(new Set(sizes)).toEqual(new Set(['16px']))
  })
})
