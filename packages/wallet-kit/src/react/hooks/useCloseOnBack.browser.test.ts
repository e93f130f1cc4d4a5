// @vitest-environment node
import { devices, type Page } from '@playwright/test'
import { beforeAll, expect, test } from 'vitest'
import { createHostPages, type HostSettings } from '../../../test/hostPage.ts'

let pages: Awaited<ReturnType<typeof createHostPages>>
beforeAll(async () => {
  pages = await createHostPages({ mode: 'development' })
})

/** Opens an app whose router keeps its state in the history, as Next.js does: an entry without it is loaded again. */
async function open(settings: HostSettings, { isPhone = true, hasNavigation = false } = {}) {
  const { page, problems } = await pages.open({
    settings: { strict: true, ...settings },
    ...(isPhone && { context: devices['Pixel 7'] }),
    init: `delete window.CloseWatcher; ${hasNavigation ? '' : 'delete window.navigation;'} window.loads = Date.now() + Math.random()
      if (!history.state) history.replaceState({ __NA: true, key: location.pathname }, '')
      addEventListener('popstate', ({ state }) => { window.lost = window.lost || !state?.__NA })`,
  })
  await page.evaluate('history.pushState({ __NA: true, key: "second" }, "", "/second")')
  return { page, problems }
}

const press = async (page: Page) => {
  await page.getByRole('button', { name: 'Connect Wallet' }).click()
  await page.getByRole('dialog').waitFor()
}
const closed = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' })
const place = (page: Page) =>
  page.evaluate('[location.pathname, history.state.key, history.state.openLayers ?? 0].join(" ")')

test('behavior: Back closes the dialog on a phone, Forward and a reload do not open it, and the router keeps its page', async () => {
  const { page, problems } = await open({})
  const loaded = await page.evaluate('window.loads')
  await press(page)
  expect(await place(page)).toBe('/second second 1')
  await page.goBack()
  await closed(page)
  expect(await place(page)).toBe('/second second 0')

  await page.goForward()
  await expect.poll(() => place(page)).toBe('/second second 0')
  expect(await page.getByRole('dialog').count()).toBe(0)

  // Closed in another way, it leaves no entry behind.
  await press(page)
  await page.keyboard.press('Escape')
  await closed(page)
  await expect.poll(() => place(page)).toBe('/second second 0')
  await page.goBack()
  await expect.poll(() => place(page)).toBe('/ / 0')
  await page.goForward()
  await expect.poll(() => place(page)).toBe('/second second 0')
  expect(await page.evaluate('[window.loads, window.lost]')).toEqual([loaded, false])

  await press(page)
  await page.reload()
  await expect.poll(() => place(page)).toBe('/second second 0')
  await page.goBack()
  await expect.poll(() => place(page)).toBe('/ / 0')
  expect(problems).toEqual([])
})

test('behavior: a busy browser that moves late in the history is not asked twice, which would leave the page', async () => {
  const { page } = await open({})
  await page.evaluate(`{
    const go = history.go.bind(history)
    window.moves = 0
    history.go = (steps) => { window.moves++; setTimeout(go, 900, steps) }
  }`)
  await press(page)
  await page.keyboard.press('Escape')
  await expect.poll(() => place(page)).toBe('/second second 0')
  expect(await page.evaluate('window.moves')).toBe(1)
})

test('behavior: a late move does not close the dialog that was opened meanwhile, which Back closes', async () => {
  const { page } = await open({})
  await page.evaluate(`{
    const go = history.go.bind(history)
    history.go = (steps) => { window.move = () => go(steps) }
  }`)
  await press(page)
  await page.keyboard.press('Escape')
  await closed(page)
  // After the first look at the move.
  await page.evaluate('new Promise((resolve) => setTimeout(resolve, 700))')
  await press(page)
  await page.evaluate('history.replaceState({ ...history.state, key: "left" }, ""); window.move()')
  await expect.poll(() => place(page)).toBe('/second second 1')
  expect(await page.getByRole('dialog').count()).toBe(1)
  await page.goBack()
  await closed(page)
  expect(await place(page)).toBe('/second second 0')
})

test('behavior: an app that navigates when the dialog closes: Back leads to the page before', async () => {
  const { page } = await open({})
  await press(page)
  await page.evaluate(`(async () => {
    window.opened = window.kit.openConnectDialog().then(() => history.pushState({ __NA: true, key: 'third' }, '', '/third'))
    window.kit.closeDialog()
    await window.opened
  })()`)
  await closed(page)
  expect(await place(page)).toBe('/third third 0')
  await page.goBack()
  await expect.poll(() => place(page)).toBe('/second second 0')
  await page.goBack()
  await expect.poll(() => place(page)).toBe('/ / 0')
})

test('behavior: a router that navigates while the dialog closes is not told of the entry that is left', async () => {
  const { page } = await open({})
  await press(page)
  await page.evaluate(`addEventListener('popstate', () => { window.told = true })`)
  await page.keyboard.press('Escape')
  await expect.poll(() => place(page)).toBe('/second second 0')
  expect(await page.evaluate('window.told')).toBeUndefined()
  await page.goBack()
  expect(await page.evaluate('window.told')).toBe(true)
})

test.each([
  ['the Navigation API', true],
  ['beforeunload', false],
])(
  'behavior: with %s, another document that the app opens when the dialog closes is loaded',
  async (_, hasNavigation) => {
    const { page } = await open({}, { hasNavigation })
    const loaded = await page.evaluate('window.loads')
    await press(page)
    await page.evaluate(`{
    window.kit.openConnectDialog().then(() => location.assign('/other'))
    window.kit.closeDialog()
  }`)
    await expect.poll(() => page.evaluate('[location.pathname, window.loads]')).not.toEqual(['/second', loaded])
    expect(await page.evaluate('location.pathname')).toBe('/other')
  },
)

test('behavior: one dialog follows another, and Back closes it', async () => {
  const { page } = await open({ provider: { closeOnBack: 'always' }, authentication: {} }, { isPhone: false })
  await page.getByRole('button', { name: 'Connect Wallet' }).waitFor()
  await page.evaluate('window.kit.connect({ walletId: "metaMask" }).then(() => {})')
  await page.evaluate('window.kit.openAccountDialog()')
  await page.getByRole('dialog', { name: 'Account' }).waitFor()
  await page.evaluate('window.kit.openNetworkDialog()')
  await page.getByRole('dialog', { name: 'Switch Networks' }).waitFor()
  await expect.poll(() => place(page)).toBe('/second second 1')
  await page.goBack()
  await closed(page)
  expect(await place(page)).toBe('/second second 0')
})

test.each([
  ['a desktop', {}, { isPhone: false }],
  ['closeOnBack: never', { provider: { closeOnBack: 'never' } }, {}],
])('behavior: %s: the dialog has no entry', async (_, settings, device) => {
  const { page } = await open(settings, device)
  await press(page)
  expect(await place(page)).toBe('/second second 0')
})
