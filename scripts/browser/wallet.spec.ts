import {
  accountButton,
  connectDemoWallet,
  expect,
  openDemoWallet,
  reload,
  test,
  visit,
  walletWindow,
} from './product.ts'

test('behavior: connects, stays connected after a reload, and disconnects', async ({ page }) => {
  await visit(page, '/')
  await connectDemoWallet(page)
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await reload(page)
  await expect(accountButton(page)).toBeEnabled()
  await expect(page.getByRole('button', { name: '连接钱包' })).toHaveCount(0)

  await accountButton(page).click()
  const account = page.getByRole('dialog', { name: '账户' })
  await expect(account).toContainText('f39F')
  await account.getByRole('button', { name: '断开连接' }).click()
  await expect(page.getByRole('button', { name: '连接钱包' })).toBeVisible()

  await reload(page)
  await expect(page.getByRole('button', { name: '连接钱包' })).toBeEnabled()
})

test('behavior: a rejected request shows no error and can be repeated', async ({ page }) => {
  await visit(page, '/')
  await page.getByRole('button', { name: '连接钱包' }).click()
  const dialog = page.getByRole('dialog', { name: '连接钱包' })
  await dialog.getByRole('button', { name: /Demo Wallet|演示钱包/ }).click()
  await walletWindow(page).getByRole('button', { name: '拒绝' }).click()

  await expect(dialog).toContainText('未连接')
  await dialog.getByRole('button', { name: '重试' }).click()
  await walletWindow(page).getByRole('button', { name: '连接', exact: true }).click()
  await expect(accountButton(page)).toBeEnabled()
})

test('behavior: closing the dialog while the wallet asks cancels the attempt', async ({ page }) => {
  await visit(page, '/')
  await page.getByRole('button', { name: '连接钱包' }).click()
  await page
    .getByRole('dialog', { name: '连接钱包' })
    .getByRole('button', { name: /Demo Wallet|演示钱包/ })
    .click()
  await expect(walletWindow(page)).toBeVisible()

  // The wallet's window covers the page: the first Escape closes it, the second closes the kit's dialog.
  await page.keyboard.press('Escape')
  await expect(walletWindow(page)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: '连接钱包' })).toBeFocused()
})

test('behavior: switches from a wrong network', async ({ page }) => {
  await visit(page, '/')
  await connectDemoWallet(page)

  await openDemoWallet(page)
  await walletWindow(page).getByRole('radio', { name: 'Demo Testnet' }).check()
  await walletWindow(page).getByRole('button', { name: '关闭' }).click()

  const wrong = page.getByRole('button', { name: '网络不正确' })
  await expect(wrong).toBeVisible()
  for (const width of [320, 390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
  }
  await wrong.click()
  const networks = page.getByRole('dialog', { name: '切换网络' })
  await expect(networks).toContainText('网络不正确')
  await networks.getByRole('button', { name: /BNB Smart Chain/ }).click()
  await walletWindow(page).getByRole('button', { name: '切换', exact: true }).click()

  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(accountButton(page)).toBeVisible()
})

for (const language of ['en', 'zh-CN', 'de'])
  test(`behavior: the bar of a connected visitor fits on 320 px in ${language}`, async ({ page }) => {
    await visit(page, '/')
    await connectDemoWallet(page)
    await page.setViewportSize({ width: 320, height: 700 })
    await visit(page, `/?lang=${language}`)
    await expect(page.getByRole('banner').getByRole('button', { name: /0xf3/i })).toBeEnabled()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
  })

test('behavior: “my wallet” connects a wallet and looks its account up', async ({ page }) => {
  await visit(page, '/referrals')
  await page.getByRole('button', { name: '我的钱包' }).click()
  await page
    .getByRole('dialog', { name: '连接钱包' })
    .getByRole('button', { name: /演示钱包/ })
    .click()
  await walletWindow(page).getByRole('button', { name: '连接', exact: true }).click()
  await expect(page).toHaveURL(/\/referrals\?address=0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266$/)
})

test('behavior: connects by keyboard alone', async ({ page }) => {
  await visit(page, '/')
  // The page opens with the focus in the address field.
  await expect(page.getByRole('textbox', { name: '地址' })).toBeFocused()
  await page.getByRole('button', { name: '连接钱包' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: '连接钱包' })
  await expect(dialog).toBeVisible()
  const row = dialog.getByRole('button', { name: /Demo Wallet|演示钱包/ })
  for (
    let presses = 0;
    presses < 12 && !(await row.evaluate((element) => element === document.activeElement));
    presses++
  ) {
    await page.keyboard.press('Tab')
  }
  await expect(row).toBeFocused()
  await page.keyboard.press('Enter')

  const approve = walletWindow(page).getByRole('button', { name: '连接', exact: true })
  await expect(approve).toBeVisible()
  for (
    let presses = 0;
    presses < 12 &&
    !(await approve.evaluate((element) => (element.getRootNode() as ShadowRoot).activeElement === element));
    presses++
  ) {
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await expect(accountButton(page)).toBeEnabled()
  await expect(accountButton(page)).toBeFocused()
})
