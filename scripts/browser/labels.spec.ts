import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import {
  accountButton,
  api,
  communityId,
  connectDemoAccount,
  connectDemoWallet,
  expect,
  layersLeft,
  reload,
  signIn,
  test,
  visit,
} from './product.ts'

// A root has no upline, so another member is used.
const address = async () => (await api.metrics(communityId)).leaders.team[1]?.address ?? ''

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const list = (page: Page) => page.getByRole('region', { name: '备注与关注' })

async function saveLabel(page: Page, text: string) {
  await page.getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name: '加备注' }).click()
  await dialog(page, '备注').getByLabel('备注名').fill(text)
  await dialog(page, '备注').getByRole('checkbox', { name: '关注这个地址' }).check()
  await page.keyboard.press('Enter')
}

/** Labels the address of the open page. */
async function label(page: Page, text: string) {
  await saveLabel(page, text)
  await expect(dialog(page, '备注')).toHaveCount(0)
  await layersLeft(page)
}

test('behavior: a guest’s label is shown at every place of the address and on the watch list', async ({ page }) => {
  const subject = await address()
  await visit(page, `/?address=${subject}`)
  await label(page, '大区团队长')
  await expect(page.getByText('大区团队长').first()).toBeVisible()

  for (const path of [`/referrals?address=${subject}`, `/referrers?address=${subject}`, '/metrics']) {
    await visit(page, path)
    await expect(page.getByRole('button', { name: /大区团队长/ }).first()).toBeVisible()
  }
  await visit(page, '/')
  await page.getByRole('navigation', { name: '关注' }).getByRole('link', { name: '大区团队长' }).click()
  await expect(page).toHaveURL(new RegExp(subject))

  await visit(page, '/search')
  const downloading = page.waitForEvent('download')
  await list(page).getByRole('button', { name: '导出 CSV' }).click()
  const csv = await readFile(await (await downloading).path(), 'utf8')
  expect(csv).toContain(`"${subject}","大区团队长","yes"`)

  // Delete the label in the menu of an address: clear its text and stop watching.
  await list(page).getByRole('button', { name: /编辑/ }).click()
  await dialog(page, '备注').getByRole('button', { name: '删除' }).click()
  await expect(list(page)).toContainText('还没有备注')
  expect(await page.evaluate(() => localStorage.getItem('lineage-labels'))).toBeNull()
})

test('behavior: tabs of a guest show the same labels', async ({ page, context }) => {
  const subject = await address()
  await visit(page, '/search')
  const other = await context.newPage()
  await visit(other, `/?address=${subject}`)
  await label(other, '另一页写的')
  await expect(
    list(page)
      .getByRole('button', { name: /另一页写的/ })
      .first(),
  ).toBeVisible()
})

test('behavior: labels move to the account on consent, are shown only to it, and are deleted for good', async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(120_000)
  const uploads: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT') uploads.push(request.url())
  })
  const subject = await address()
  await visit(page, `/?address=${subject}`)
  await label(page, '我的上级')
  await connectDemoWallet(page)
  await signIn(page)
  await expect(dialog(page, '把备注移到账户？')).toBeVisible()
  expect(uploads).toEqual([])
  await dialog(page, '把备注移到账户？').getByRole('button', { name: '移到账户' }).click()
  await expect(page.getByText('备注已移到账户')).toBeVisible()
  await layersLeft(page)
  await reload(page)
  await expect(page.getByText('我的上级').first()).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('lineage-labels'))).toBeNull()

  // The same account in another browser.
  const options = { ...(baseURL && { baseURL }), locale: 'zh-CN' }
  const otherDevice = await (await browser.newContext(options)).newPage()
  await visit(otherDevice, `/?address=${subject}`)
  await connectDemoWallet(otherDevice)
  await expect(otherDevice.getByText('我的上级')).toHaveCount(0)
  await signIn(otherDevice)
  await expect(otherDevice.getByText('我的上级').first()).toBeVisible()

  // Another account sees nothing.
  const stranger = await (await browser.newContext(options)).newPage()
  await visit(stranger, '/search')
  await connectDemoAccount(stranger, '0x7099')
  await signIn(stranger, stranger.getByRole('button', { name: /0x70…79C8/ }).first())
  await expect(list(stranger)).toContainText('还没有备注')

  // The label disappears after a sign-out, and returns after a sign-in.
  await accountButton(otherDevice).click()
  await dialog(otherDevice, '账户').getByRole('button', { name: '退出登录' }).click()
  await expect(otherDevice.getByText('我的上级')).toHaveCount(0)
  await dialog(otherDevice, '账户').getByRole('button', { name: '关闭' }).click()
  await signIn(otherDevice)
  await expect(otherDevice.getByText('我的上级').first()).toBeVisible()

  await visit(page, '/search')
  await list(page).getByRole('button', { name: '全部删除' }).click()
  await dialog(page, /删除全部/)
    .getByRole('button', { name: '全部删除' })
    .click()
  await expect(list(page)).toContainText('还没有备注')
  await reload(otherDevice)
  await expect(accountButton(otherDevice)).toBeEnabled()
  await visit(otherDevice, '/search')
  await expect(list(otherDevice)).toContainText('还没有备注')
  await Promise.all([otherDevice, stranger].map((one) => one.context().close()))
})

test('error: a label that the server refuses stays in the dialog for another try', async ({ page, complaints }) => {
  const subject = (await api.metrics(communityId)).leaders.team[2]?.address
  await visit(page, `/?address=${subject}`)
  await connectDemoWallet(page)
  await signIn(page)
  await page.route('**/v1/labels/*', (route) => route.fulfill({ status: 503, json: {} }))
  await saveLabel(page, '存不下')
  await expect(page.getByText('连不上服务器，备注没有变。')).toBeVisible()
  await expect(page.getByText('存不下')).toHaveCount(0)
  await expect(dialog(page, '备注').getByLabel('备注名')).toHaveValue('存不下')
  await page.unroute('**/v1/labels/*')
  await dialog(page, '备注').getByRole('button', { name: '保存' }).click()
  await expect(dialog(page, '备注')).toHaveCount(0)
  await expect(page.getByText('存不下').first()).toBeVisible()
  await page.getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name: '编辑备注' }).click()
  await dialog(page, '备注').getByRole('button', { name: '删除' }).click()
  await expect(page.getByText('存不下')).toHaveCount(0)
  expect(complaints).toEqual([])
})

test('behavior: downloads all data stored for an account, and deletes the account', async ({ page }) => {
  const subject = await address()
  await visit(page, `/?address=${subject}`)
  await connectDemoAccount(page, '0x3C44')
  await signIn(page, page.getByRole('button', { name: /0x3C…93BC/ }).first())
  await label(page, '要带走的')
  await visit(page, '/search')
  await expect(list(page)).toContainText('保存在你的账户里')

  const downloading = page.waitForEvent('download')
  await list(page).getByRole('link', { name: '下载我的数据' }).click()
  const data = JSON.parse(await readFile(await (await downloading).path(), 'utf8'))
  expect(data).toMatchObject({ labels: [{ address: subject, text: '要带走的' }], sessions: [{ chainId: 56 }] })

  await list(page).getByRole('button', { name: '删除账户' }).click()
  await dialog(page, '删除你的账户？').getByRole('button', { name: '删除账户' }).click()
  await expect(page.getByText('账户已删除')).toBeVisible()
  await expect(list(page)).toContainText('还没有备注')
  await layersLeft(page)
  await reload(page)
  await expect(list(page)).toContainText('还没有备注')
  await expect(list(page).getByRole('button', { name: '删除账户' })).toHaveCount(0)
})
