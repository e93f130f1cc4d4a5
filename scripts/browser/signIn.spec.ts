import type { Page } from '@playwright/test'
import {
  accountButton,
  connectDemoWallet,
  expect,
  openDemoWallet,
  openSignIn,
  reload,
  test,
  verifyDialog,
  visit,
  walletWindow,
} from './product.ts'

/** Expects the account dialog to show whether the account is signed in. */
async function expectSignedIn(page: Page, words: '已登录' | '未登录') {
  await accountButton(page).click()
  const account = page.getByRole('dialog', { name: '账户' })
  await expect(account.getByText(words, { exact: true })).toBeVisible()
  return account
}

test('behavior: signs in, stays signed in after a reload, and signs out', async ({ page }) => {
  await visit(page, '/')
  await connectDemoWallet(page)
  await openSignIn(page)
  await verifyDialog(page).getByRole('button', { name: '签名消息' }).click()
  await expect(walletWindow(page)).toContainText('Sign in to Lineage.')
  await walletWindow(page).getByRole('button', { name: '签名', exact: true }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await reload(page)
  const account = await expectSignedIn(page, '已登录')
  // Scripts cannot read the session cookie.
  expect(await page.evaluate(() => document.cookie)).toBe('')
  await account.getByRole('button', { name: '退出登录' }).click()
  await expect(account.getByText('未登录', { exact: true })).toBeVisible()

  await reload(page)
  await expectSignedIn(page, '未登录')
})

test('behavior: a rejected signature shows no error and can be repeated', async ({ page }) => {
  await visit(page, '/')
  await connectDemoWallet(page)
  await openSignIn(page)
  await verifyDialog(page).getByRole('button', { name: '签名消息' }).click()
  await walletWindow(page).getByRole('button', { name: '拒绝' }).click()
  await expect(verifyDialog(page)).not.toContainText('出错')
  await verifyDialog(page).getByRole('button', { name: '签名消息' }).click()
  await walletWindow(page).getByRole('button', { name: '签名', exact: true }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expectSignedIn(page, '已登录')
})

test('behavior: a wrong network must be switched before signing', async ({ page }) => {
  await visit(page, '/')
  await connectDemoWallet(page)
  await openDemoWallet(page)
  await walletWindow(page).getByRole('radio', { name: 'Demo Testnet' }).check()
  await walletWindow(page).getByRole('button', { name: '关闭' }).click()

  await openSignIn(page)
  await expect(verifyDialog(page)).toContainText('网络不正确')
  await verifyDialog(page).getByRole('button', { name: '切换到 BNB Smart Chain' }).click()
  await walletWindow(page).getByRole('button', { name: '切换', exact: true }).click()
  await verifyDialog(page).getByRole('button', { name: '签名消息' }).click()
  await walletWindow(page).getByRole('button', { name: '签名', exact: true }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expectSignedIn(page, '已登录')
})
