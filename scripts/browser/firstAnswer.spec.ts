import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { translatePage } from '../lib/visitorBrowsers.ts'
import { expect, isStarted, test, visit } from './product.ts'
import { stackUrl } from './stack.ts'

test.use({ isTranslated: false })

const known = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const answers = [
  ['/', /[\d,]+\s名成员/],
  [`/?address=${known}`, /团队与业绩.*区块\s[\d,]+/s],
  ['/metrics', /成员.*区块\s[\d,]+/s],
  [`/search?address=${known}`, /直推.*区块\s[\d,]+/s],
  [`/referrals?address=${known}`, /直推.*区块\s[\d,]+/s],
  [`/referrals?address=${known}&level=1`, /加入时间.*区块\s[\d,]+/s],
  [`/referrers?address=${known}`, /上级.*区块\s[\d,]+/s],
] as const

const scripts = /\/assets\/.*\.js/
/** Those of the parts of a page, without which its bar starts. */
const ofParts = /\/assets\/(Search|Community|Referrers)-.*\.js/

/** Opens a page with its answer in the HTML, whose scripts wait until the returned function is called. */
async function openSlowly(page: Page, path: string, held = scripts): Promise<() => Promise<void>> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(held, async (route) => {
    await released
    await route.continue()
  })
  await openRendered(page, path)
  return async () => {
    release()
    await expect.poll(() => isStarted(page)).toBe(true)
  }
}

/** Opens a page until its HTML has the answer: a busy server sends a page without it. */
async function openRendered(page: Page, path: string): Promise<void> {
  await expect
    .poll(async () => {
      await page.goto(path, { waitUntil: 'commit' })
      await page.waitForFunction(() => document.readyState !== 'loading')
      return page.locator('#root > header').count()
    })
    .toBe(1)
}

/** Counts the layout shifts of the page’s next documents. Returns a function that returns their sum in the current one. */
async function countShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    let shifts = 0
    Object.defineProperty(window, 'shifts', { get: () => shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts += (entry as PerformanceEntry & { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () => page.evaluate(() => (window as never as { shifts: number }).shifts)
}

/** Returns the texts of the first screen with their positions. */
const seen = (page: Page) =>
  page
    .locator('header a, main :is(h1, h2, form, dt, dd, th, td, li), main form button, input:not(dialog *)')
    .evaluateAll((all) =>
      all.flatMap((element) => {
        const { x, y, width, height } = element.getBoundingClientRect()
        if (y > window.innerHeight || element.querySelector('time')) return []
        const value = element instanceof HTMLInputElement ? element.value || element.placeholder : element.textContent
        return `${element.localName} ${value}: ${[x, y, width, height].map(Math.round)}`
      }),
    )

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  for (const [path, text] of answers)
    test(`behavior: ${path} shows its answer`, async ({ page }) => {
      await expect
        .poll(async () => {
          await page.goto(path)
          // A busy server sends the page without content, which never gets any.
          return (await page.getByRole('main').allTextContents()).join()
        })
        .toMatch(text)
      await expect(page.locator('noscript p')).toBeVisible()
    })

  test('behavior: links and the form lead to answers', async ({ page }) => {
    const main = page.getByRole('main')
    await expect
      .poll(async () => {
        await page.goto('/?lang=en')
        return main.textContent()
      })
      .toMatch(/[\d,]+\smembers/)
    await page.getByRole('textbox', { name: 'Address' }).fill(known)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/?address=${known}&lang=en`)
    await expect(main).toContainText('Team')
    await main
      .getByRole('link', { name: /direct/i })
      .first()
      .click()
    await expect(page).toHaveURL(new RegExp(`/referrals.*${known}`))
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  })
})

for (const [path, width, language] of [
  ['/', 1440, 'zh-CN'],
  [`/?address=${known}`, 390, 'zh-TW'],
  ['/search', 390, 'zh-TW'],
  [`/search?address=${known}`, 1440, 'zh-CN'],
  [`/referrals?address=${known}`, 360, 'en'],
  ['/referrals?lang=fr', 1440, 'en'],
  [`/referrers?address=${known}`, 390, 'zh-CN'],
  ['/metrics', 390, 'en'],
] as const)
  test(`behavior: ${path} at ${width} px in ${language} shows its answer before its scripts, and does not move`, async ({
    page,
    context,
  }) => {
    await page.setViewportSize({ width, height: 844 })
    await context.addCookies([{ name: 'lineage-language', value: language, url: stackUrl }])
    const shifts = await countShifts(page)
    // Binds of other tests would change the figures, and push rows out of the list of the latest binds.
    await page.route(/\/(events|live)(\?|$)/, () => {})
    const release = await openSlowly(page, path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    const before = await seen(page)
    const parts = 'main :is(section, button)'
    await page.locator(parts).evaluateAll((all) => Object.assign(window, { first: all }))
    await release()
    expect(await seen(page)).toEqual(before)
    await expect.poll(() => isStarted(page, parts)).toBe(true)
    // A part that is replaced loses the focus and what was pressed in it.
    const gone = () =>
      (window as never as { first: Element[] }).first.flatMap((part) => (part.isConnected ? [] : part.outerHTML))
    expect(await page.evaluate(gone)).toEqual([])
    expect(await shifts()).toBe(0)
  })

for (const [of, asOf] of [
  ['day', '2026-11-01'],
  ['block', '300'],
])
  test(`behavior: the page of a past ${of} does not move when its block or its time is read from the chain`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    const shifts = await countShifts(page)
    await visit(page, `/search?address=${known}&asOf=${asOf}`)
    await expect(page.getByText(/^截至 .+（区块 [\d,]+）$/)).toBeVisible()
    expect(await shifts()).toBe(0)
  })

test('behavior: the end of the bar is drawn once the browser has read all of it', async ({ page }) => {
  await openSlowly(page, '/search')
  const button = page.locator('header .wk-button')
  await expect(button).toBeVisible()
  await page.locator('header .end').evaluate((end) => end.remove())
  await expect(button).toBeHidden()
})

test('behavior: the start page of a returning visitor does not move', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await page.addInitScript((address) => {
    localStorage.setItem(
      'lineage-recent-addresses',
      JSON.stringify(['1', '2', '3', '4', '5', '6'].map((digit) => `0x${digit.repeat(40)}`)),
    )
    localStorage.setItem('lineage-labels', JSON.stringify([{ address, text: '', watched: true, updatedAt: 1 }]))
  }, known)
  const shifts = await countShifts(page)
  const release = await openSlowly(page, '/')
  await release()
  const rows = ['最近查过', '关注'].map((name) => page.getByRole('navigation', { name }))
  for (const row of rows) await expect(row.getByRole('link').first()).toBeVisible()
  expect(await shifts()).toBe(0)
})

test('behavior: a list that was sent with the page follows new members', async ({ page }) => {
  await openRendered(page, '/referrals?address=0x1111111182Bb0eA9a2a55eEf305b7aC1b21A1111')
  const again = await page.waitForResponse(/\/referrals\?/, { timeout: 60_000 })
  expect([again.url(), again.status()]).toEqual([again.url(), 200])
})

test('behavior: more levels than were sent with the page can be loaded', async ({ page }) => {
  // The deepest team of the demo has 302 levels, which are sent at once.
  const deep = '/referrals?address=0x22222222ef86317Da06E766DdeC277B586192222'
  await page.route(
    (url) => url.href.endsWith(deep),
    async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replaceAll(/\b302\b/g, '902').replace('再显示 202 代', '再显示 500 代')
      await route.fulfill({ response, body })
    },
  )
  // Without those that are asked for again.
  const asked = page.waitForRequest(/levels\?(?!levelFrom=1&)/)
  await openRendered(page, deep)
  await page.getByRole('button', { name: '再显示 500 代' }).click()
  expect((await asked).url()).toContain('levelFrom=501&levelTo=1000')
})

for (const width of [390, 1440])
  test(`behavior: a list of ${width} px that is scrolled before its scripts are loaded keeps its place and its rows`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    const release = await openSlowly(page, '/referrals?address=0x1111111182Bb0eA9a2a55eEf305b7aC1b21A1111&level=1')
    const row = page.locator('main [data-index="20"]')
    const topOf = () => row.evaluate((element) => element.getBoundingClientRect().top)
    await row.evaluate((element) => {
      Object.assign(window, { first: element })
      element.scrollIntoView()
    })
    const top = await topOf()
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(900)
    await release()
    await expect(page.locator('main [data-index="30"]')).toBeAttached()
    expect(await row.evaluate((element) => element === (window as never as { first: Element }).first)).toBe(true)
    await expect.poll(async () => Math.abs((await topOf()) - top)).toBeLessThan(2)
  })

test('behavior: a long list that is loaded again keeps its place', async ({ page }) => {
  await openRendered(page, '/referrals?address=0x1111111182Bb0eA9a2a55eEf305b7aC1b21A1111&level=3')
  const row = (index: number) => page.locator(`main [data-index="${index}"]`)
  for (let index = 10; index <= 80; index += 10) await row(index).scrollIntoViewIfNeeded()
  await page.reload()
  await expect(row(80)).toBeInViewport()
})

test('behavior: a list of addresses is there again after a reload, its results and what is being edited', async ({
  page,
}) => {
  await openRendered(page, '/search?view=list&lang=en')
  const field = page.getByRole('textbox', { name: 'List of addresses' })
  await expect.poll(() => isStarted(page, 'main textarea')).toBe(true)
  await field.fill(known)
  await page.reload()
  await expect(field).toHaveValue(known)
  await page.getByRole('button', { name: 'Look up', exact: true }).click()
  await expect(page.getByText('Done. Addresses: 1')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Done. Addresses: 1')).toBeVisible()
  await page.getByRole('button', { name: 'Edit list' }).click()
  await field.fill(`${known} 0x12`)
  await page.reload()
  await expect(field).toHaveValue(`${known} 0x12`)
})

test('behavior: typing through the start loses nothing, in the same field', async ({ page }) => {
  const release = await openSlowly(page, '/search')
  const field = page.getByRole('main').locator('input')
  await field.evaluate((element) => Object.assign(window, { first: element }))
  await field.pressSequentially('0xf3')
  const started = release()
  for (const letter of '9Fd6e51aad88F6') await field.press(letter)
  await started
  await field.press('F')
  await expect(field).toHaveValue('0xf39Fd6e51aad88F6F')
  await expect(page.getByRole('option').first()).toBeVisible()
  expect(await field.evaluate((element) => element === (window as never as { first: Element }).first)).toBe(true)
})

for (const isTranslated of [false, true])
  test.describe(isTranslated ? 'a page that the browser translates' : 'a page', () => {
    test.use({ isTranslated })

    test('behavior: an address pasted before the scripts are loaded is looked up afterwards', async ({ page }) => {
      const release = await openSlowly(page, '/')
      await page.getByRole('textbox', { name: '地址' }).fill(known.toLowerCase())
      await release()
      await expect(page).toHaveURL(new RegExp(known))
      await expect(page.getByRole('main')).toContainText('团队与业绩')
    })

    for (const [name, dialog] of [
      ['打开菜单', '查询'],
      ['连接钱包', '连接钱包'],
      ['我的钱包', '连接钱包'],
    ] as const)
      test(`behavior: a press on ${name} before the scripts are loaded is carried out`, async ({ page }) => {
        await page.setViewportSize({ width: 390, height: 844 })
        const release = await openSlowly(page, '/')
        await page.getByRole('button', { name }).first().click()
        await release()
        await expect(page.getByRole('dialog', { name: dialog })).toBeVisible()
      })
  })

test('behavior: while the scripts of its parts are on their way, the bar works; what is typed and pressed in them is kept', async ({
  page,
}) => {
  const release = await openSlowly(page, '/', ofParts)
  await expect.poll(() => isStarted(page, 'header .logo')).toBe(true)
  await page.getByRole('button', { name: '语言' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('Escape')
  const field = page.getByRole('main').locator('input').first()
  await field.fill('0xf39')
  await page.getByRole('button', { name: '我的钱包' }).first().click()
  expect(await isStarted(page)).toBe(false)
  await release()
  await expect(field).toHaveValue('0xf39')
  await expect(page.getByRole('dialog', { name: '连接钱包' })).toBeVisible()
})

test('behavior: a page that was translated before its start keeps the focus and what was typed', async ({ page }) => {
  const release = await openSlowly(page, `/referrals?address=${known}`)
  const field = page.getByRole('main').locator('input').first()
  await field.fill('0xf39')
  await page.evaluate(translatePage)
  await release()
  await expect(field).toHaveValue('0xf39')
  await expect(field).toBeFocused()
})

test('behavior: a page that was translated before its start keeps what was typed in several fields', async ({
  page,
}) => {
  const release = await openSlowly(page, '/referrers?view=relation')
  const fields = page.getByRole('main').getByRole('textbox')
  await fields.first().fill('0xf39')
  await fields.last().fill('0x709')
  await page.evaluate(translatePage)
  await release()
  await expect(fields.first()).toHaveValue('0xf39')
  await expect(fields.last()).toHaveValue('0x709')
})

test('behavior: a page that was translated before its start keeps the focus in its map', async ({ page }) => {
  const release = await openSlowly(page, `/referrals?address=${known}&view=map`)
  const top = page.getByRole('treeitem').first()
  await top.focus()
  await page.evaluate(translatePage)
  await release()
  await expect(top).toBeFocused()
  expect(await page.evaluate(() => document.activeElement?.outerHTML)).toContain(known)
})

test('behavior: a page that was translated before its start keeps the place in a list whose rows have several heights', async ({
  page,
}) => {
  await page.setViewportSize({ width: 430, height: 900 })
  const query = 'level=all&dayFrom=2026-06-01&dayTo=2026-06-30'
  const release = await openSlowly(page, `/referrals?address=0x1111111182Bb0eA9a2a55eEf305b7aC1b21A1111&${query}`)
  await page.evaluate(translatePage)
  const row = page.locator('#row-12')
  await row.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const topOf = () => row.evaluate((element) => element.getBoundingClientRect().top)
  const top = await topOf()
  await release()
  await expect(page.locator('#row-25')).toBeAttached()
  await expect.poll(async () => Math.abs((await topOf()) - top)).toBeLessThan(2)
})

for (const width of [390, 1440])
  test(`behavior: a translated list of ${width} px that is loaded again keeps its place`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 })
    const path = '/referrals?address=0x1111111182Bb0eA9a2a55eEf305b7aC1b21A1111&level=3'
    await openRendered(page, path)
    const row = (index: number) => page.locator(`#row-${index}`)
    for (let index = 10; index <= 80; index += 10) await row(index).scrollIntoViewIfNeeded()
    const topOf = () => row(80).evaluate((element) => element.getBoundingClientRect().top)
    const top = await topOf()
    await page.addInitScript(translatePage)
    await page.reload()
    await expect(row(80)).toBeInViewport()
    await expect.poll(async () => Math.abs((await topOf()) - top)).toBeLessThan(2)
  })

test('behavior: a link is followed while the scripts of the page’s parts are on their way', async ({ page }) => {
  const release = await openSlowly(page, '/search', ofParts)
  await expect.poll(() => isStarted(page, 'header .logo')).toBe(true)
  await page.getByRole('banner').getByRole('link', { name: '全网累计数据' }).click()
  await expect(page).toHaveURL('/metrics')
  await expect(page.getByRole('main')).toContainText('增长')
  await release()
})

test('behavior: a button whose menu is still loading is dimmed', async ({ page }) => {
  const release = await openSlowly(page, '/search', /\/assets\/RadioMenu-.*\.js$/)
  await expect.poll(() => isStarted(page, 'header .logo')).toBe(true)
  const button = page.getByRole('banner').getByRole('button', { name: '语言' })
  await button.click()
  await expect(button).toHaveCSS('opacity', '0.5')
  await release()
  await expect(page.getByRole('menu')).toBeVisible()
  await expect(page.locator('html')).not.toHaveAttribute('data-opening')
})

test('behavior: the largest script is asked for before the content, the others after it', async ({ request }) => {
  const html = async () => (await request.get(`/?address=${known}`)).text()
  await expect.poll(async () => (await html()).includes('<main')).toBe(true)
  const [before = '', after = ''] = (await html()).split('<main')
  const preloads = (part: string) =>
    [...part.matchAll(/rel="modulepreload"[^>]*href="\/assets\/(\w+)/g)].map(([, name]) => name)
  expect(preloads(before)).toEqual(['index'])
  expect(preloads(after)).toEqual(expect.arrayContaining(['answer', 'community']))
})

test('behavior: a choice made before the scripts are loaded is carried out', async ({ page }) => {
  const release = await openSlowly(page, `/?address=${known}`)
  // By its words: sections that load when they are near have choices too.
  const choice = page.getByRole('main').locator('fieldset label', { hasText: '团队最大' })
  await expect(choice.locator('input')).not.toBeChecked()
  await choice.click()
  await release()
  await expect(choice.locator('input')).toBeChecked()
})

test('behavior: after Back, the marked choices are those that the page shows', async ({ page }) => {
  await visit(page, '/metrics')
  const choice = page.getByRole('main').locator('fieldset label', { hasText: '每日新增' }).locator('input')
  await choice.check({ force: true })
  // Unlike a page of the product, this one has a document of its own.
  await page.goto('/v1/communities')
  // Otherwise React draws the choices again for a new member, and marks the right one.
  await page.route('**/v1/**', () => undefined)
  await page.goBack()
  await expect.poll(() => isStarted(page)).toBe(true)
  expect(await choice.isChecked()).toBe(false)
})

test('behavior: a stored colour mode counts before and after the start, and is marked in its menu', async ({
  page,
}) => {
  await page.addInitScript(() => localStorage.setItem('mui-mode', 'dark'))
  const release = await openSlowly(page, '/?lang=en')
  const scheme = ['data-mui-color-scheme', 'dark'] as const
  await expect(page.locator('html')).toHaveAttribute(...scheme)
  await release()
  await page.getByRole('button', { name: 'Colour mode' }).click()
  // Its name is that of the button, whose id is from the server.
  const menu = page.getByRole('menu', { name: 'Colour mode' })
  await expect(menu.getByRole('menuitemradio', { name: 'Dark' })).toBeChecked()
  await expect(page.locator('html')).toHaveAttribute(...scheme)
})

test('behavior: Enter before the scripts are loaded looks up', async ({ page }) => {
  await openSlowly(page, '/referrers')
  await page.getByRole('textbox', { name: '地址' }).fill(known)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/referrers?address=${known}`)
  await expect(page.getByRole('main')).toContainText(/区块 \d/)
})

for (const text of [`  ${known} `, `https://bscscan.com/address/${known}`])
  test(`behavior: “${text}” as the address shows the answer for the address in it`, async ({ page }) => {
    const release = await openSlowly(page, `/?address=${encodeURIComponent(text)}&lang=en`)
    await expect(page.getByRole('main')).toContainText(/Block [\d,]+/)
    await release()
    await expect(page.getByRole('main')).toContainText(known)
  })

for (const [name, lost] of Object.entries({ 'whose scripts': scripts, 'of which some scripts': ofParts }))
  test(`behavior: a page ${name} were not loaded keeps its answer, and loads again once online, with the typed text`, async ({
    page,
    complaints,
  }) => {
    let fail = () => {}
    const failed = new Promise<void>((resolve) => {
      fail = resolve
    })
    await page.route(lost, async (route) => {
      await failed
      await route.abort('internetdisconnected')
    })
    await openRendered(page, '/referrers')
    await page.getByRole('textbox', { name: '地址' }).fill(known)
    fail()
    await expect(page.getByText('页面没有加载完')).toBeVisible()
    await expect(page.getByRole('textbox', { name: '地址' })).toHaveValue(known)
    await page.unrouteAll({ behavior: 'wait' })
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await expect(page.getByRole('main')).toContainText(/区块 \d/)
    await expect(page).toHaveURL(`/referrers?address=${known}`)
    // The browser reports the failed requests.
    complaints.splice(0)
  })

test('behavior: a browser that is too old keeps the answer, links and lookups, and says so for good', async ({
  page,
}) => {
  // It ignores styles with a function that it does not know. The policy knows the page by its hashes.
  await page.route(/\?address=/, async (route) => {
    const response = await route.fetch()
    const { 'content-security-policy': _, ...headers } = response.headers()
    await route.fulfill({ response, headers, body: (await response.text()).replaceAll('color-mix(', 'unknown(') })
  })
  await page.goto(`/?address=${known}`)
  await page.waitForLoadState('networkidle')
  const note = page.getByRole('alert')
  await expect(note).toContainText('这个浏览器版本太旧：可以看结果、点链接、查地址，其他按钮和钱包用不了')
  await expect(page.getByRole('main')).toContainText(/区块 \d/)
  expect(await isStarted(page)).toBe(false)
  // It covers nothing, and a button that does nothing leads to it.
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await expect(note).not.toBeInViewport()
  await page.getByRole('button', { name: '连接钱包' }).click()
  await expect(note).toBeInViewport({ ratio: 1 })

  const other = '0x1111111182Bb0eA9a2a55eEf305b7aC1b21A1111'
  await page.getByRole('textbox', { name: '地址' }).fill(other)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(other))
  await expect(page.getByRole('main')).toContainText('团队与业绩')
  await page.goto(`/referrals?address=${other}&view=map`)
  const fillOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((shape) => getComputedStyle(shape).fill)
  expect(await fillOf('.cell .area')).not.toBe(await fillOf('.cell .name'))
  expect(await fillOf('.cell .area')).not.toBe('rgb(0, 0, 0)')
})

test('behavior: without the server’s HTML, as on a static host, the browser renders the page', async ({ page }) => {
  const html = await readFile(join(import.meta.dirname, '../../apps/web/dist/index.html'), 'utf8')
  await page.route(
    (url) => url.pathname === '/' && url.search !== '',
    (route) => route.fulfill({ contentType: 'text/html', body: html }),
  )
  await page.goto(`/?address=${known}`)
  await expect(page.getByRole('main')).toContainText('团队与业绩')
  await page.getByRole('link', { name: '全网累计数据' }).first().click()
  await expect(page.getByRole('main')).toContainText(/区块 \d/)
})
