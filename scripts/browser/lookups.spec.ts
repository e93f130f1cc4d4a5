import { readFile } from 'node:fs/promises'
import type { Events } from '@lineage/referral-api'
import type { Locator, Page } from '@playwright/test'
import { getAddress } from 'viem'
import { planCommunity } from '../demo-chain/community.ts'
import {
  api,
  communityId,
  connectDemoAccount,
  demoCommunity,
  expect,
  figuresAndCount,
  layersLeft,
  paths,
  reload,
  scrollToMap,
  test,
  visit,
  walletWindow,
} from './product.ts'

const lookups = paths.filter((path) => path !== '/metrics')
const { interesting } = planCommunity(Math.floor(Date.now() / 1000))
const known = getAddress('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
const unknown = getAddress('0x00000000000000000000000000000000000000aa')
const group = (value: number) => value.toLocaleString('zh-CN')

test.describe('frame', () => {
  test('behavior: a link to each page, in order, in a bar 60 px high', async ({ page }) => {
    await visit(page, '/')
    const links = page.getByRole('banner').getByRole('navigation').getByRole('link')
    await expect(links).toHaveCount(paths.length)
    expect((await links.allTextContents()).slice(0, 5)).toEqual([
      '社区查询',
      '全网累计数据',
      '地址',
      '查询下级推荐',
      '查询上级推荐人',
    ])
    expect((await page.getByRole('banner').boundingBox())?.height).toBe(60)
    for (const [index, path] of paths.entries()) {
      await links.nth(index).click()
      await expect(page).toHaveURL(new RegExp(`${path}(\\?.*)?$`))
      await expect(links.nth(index)).toHaveAttribute('aria-current', 'page')
    }
  })

  test('behavior: the bar stays 60 px high and nothing overflows on a phone', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 780 })
    for (const path of paths) {
      await visit(page, path === '/metrics' ? path : `${path}?address=${known}`)
      await expect(page.getByRole('main')).toContainText(/\d/)
      for (const width of [320, 390]) {
        await page.setViewportSize({ width, height: 780 })
        await expect.poll(async () => (await page.getByRole('banner').boundingBox())?.height).toBe(60)
        expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(width)
        const right = await page
          .getByRole('banner')
          .getByRole('button')
          .evaluateAll((buttons) => Math.max(...buttons.map((button) => button.getBoundingClientRect().right)))
        expect(right, `${path}: buttons of the bar`).toBeLessThanOrEqual(width)
      }
    }
  })

  test('behavior: English by ?lang=en, kept on other pages; a choice is remembered', async ({ page }) => {
    const language = page.locator('html')
    await visit(page, '/?lang=en')
    await expect(language).toHaveAttribute('lang', 'en')
    await expect(page.getByRole('button', { name: 'Connect Wallet' })).toBeVisible()
    await page.getByRole('banner').getByRole('navigation').getByRole('link').nth(1).click()
    await expect(page).toHaveURL(/\/metrics/)
    await expect(language).toHaveAttribute('lang', 'en')

    await visit(page, '/')
    await expect(language).toHaveAttribute('lang', 'zh-CN')
    await page.getByRole('button', { name: '语言' }).click()
    await page.getByText('English').click()
    await expect(language).toHaveAttribute('lang', 'en')
    await layersLeft(page)
    await reload(page)
    await expect(language).toHaveAttribute('lang', 'en')
  })

  test('behavior: dark as in the system settings, light by choice', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await visit(page, '/')
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    await expect.poll(background).toBe('rgb(18, 20, 23)')
    await page.getByRole('button', { name: '颜色模式' }).click()
    await page.getByText('浅色').click()
    await expect.poll(background).toBe('rgb(251, 250, 247)')
    expect(await page.evaluate(() => localStorage.getItem('mui-mode'))).toBe('light')
  })

  test('behavior: unknown path', async ({ page, request }) => {
    const answers = [...paths, '/nowhere'].map(async (path) => (await request.get(path)).status())
    expect(await Promise.all(answers)).toEqual([...paths.map(() => 200), 404])
    await visit(page, '/nowhere')
    await expect(page.getByRole('heading', { name: '页面不存在' })).toBeVisible()
  })
})

test.describe('a connection that fails before the page is loaded', () => {
  for (const [what, script] of [
    ['the application', /\/assets\/index-[^/]*\.js/],
    ['its texts', /\/assets\/zh-CN-[^/]*\.js/],
  ] as const)
    test(`error: ${what}: shows a message and a link to reload`, async ({ page, complaints }) => {
      await page.route(script, (route) => route.abort())
      await page.goto('/metrics')
      await expect(page.getByText('页面没有加载完。请检查网络')).toBeVisible()
      // The browser also reports the failed request.
      complaints.length = 0
      await page.unroute(script)
      await page.getByRole('link', { name: '重新加载' }).click()
      await expect(page.getByRole('heading', { name: '全网累计数据' })).toBeVisible()
    })
})

test.describe('known member', () => {
  test('behavior: an address in lower case is requested at most once', async ({ page }) => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname.toLowerCase()))
    await visit(page, `/?address=${known.toLowerCase()}`)
    await expect(page.getByRole('main')).toContainText('团队与业绩')
    expect(asked.filter((path) => path.endsWith(`/members/${known.toLowerCase()}`)).length).toBeLessThanOrEqual(1)
  })

  test('behavior: community query', async ({ page }) => {
    const { counted } = await figuresAndCount()
    await visit(page, `/?address=${known.toLowerCase()}`)
    await expect(page.getByRole('main')).toContainText(known)
    await expect(figure(page, '直推')).toContainText(group(counted.directsOf(known).length))
    await expect(figure(page, '团队')).toContainText(/\d/)
  })

  test('behavior: a link to a result survives a reload', async ({ page }) => {
    await visit(page, `/referrers?address=${interesting.deepest}`)
    await expect(page.getByRole('main')).toContainText(/\d+ 位上级推荐人/)
    await reload(page)
    await expect(page.getByRole('main')).toContainText(/\d+ 位上级推荐人/)
  })

  test('behavior: the upline of the deepest member ends at its root', async ({ page }) => {
    const { counted } = await figuresAndCount()
    const upline = counted.uplineOf(interesting.deepest)
    expect(upline.length).toBeGreaterThanOrEqual(299)
    await visit(page, `/referrers?address=${interesting.deepest}`)
    await expect(page.getByRole('main')).toContainText(`${upline.length} 位上级推荐人`)
    await page
      .getByRole('button', { name: '跳到根' })
      .or(page.getByRole('link', { name: '跳到根' }))
      .click()
    await expect(page.getByRole('main')).toContainText(shorten(getAddress(upline.at(-1) as `0x${string}`)))
  })

  test('behavior: shows the relation of two entered addresses, and the reverse after a swap', async ({ page }) => {
    const { counted } = await figuresAndCount()
    const upline = counted.uplineOf(interesting.deepest)
    await visit(page, '/referrers?view=relation')
    await page.getByRole('textbox', { name: '地址 A' }).fill(interesting.deepest)
    await page.getByRole('textbox', { name: '地址 B' }).fill(upline.at(-1) as string)
    await expect(page.getByRole('main')).toContainText(`A 是 B 的下级，相隔 ${group(upline.length)} 代`)
    await page.getByRole('button', { name: '交换 A 与 B' }).click()
    await expect(page.getByRole('main')).toContainText(`A 是 B 的上级，相隔 ${group(upline.length)} 代`)
    await page.getByRole('textbox', { name: '地址 B' }).fill(upline[1] as string)
    await expect(page.getByRole('main')).toContainText(`A 是 B 的上级，相隔 ${group(upline.length - 2)} 代`)
  })

  test('behavior: a dispute: who claimed a member that another held, with transactions, checked on chain and pinned to a block', async ({
    page,
  }) => {
    const { items } = await api.events(communityId, { status: 'duplicate', limit: 10 })
    const holders = await Promise.all(items.map(({ address }) => api.member(communityId, address)))
    const at = items.findIndex(({ referrer }, index) => ![null, referrer].includes(holders[index]?.referrer ?? null))
    const { address, referrer, timestamp, block, tx } = items[at] as Events['items'][number]
    const holder = holders[at]?.referrer as string
    const day = new Date((timestamp ?? 0) * 1_000).toISOString().slice(0, 10)
    await visit(page, `/referrers?view=relation&address=${holder}&to=${referrer}`)
    await page.getByRole('link', { name: '绑定争议对照表' }).click()
    await expect(page.getByRole('heading', { name: '绑定争议对照表' })).toBeVisible()
    await visit(page, `${new URL(page.url()).pathname}${new URL(page.url()).search}&dayFrom=${day}&dayTo=${day}&tz=UTC`)
    const row = page.locator('table', { hasText: '没有生效的绑定' }).locator('tbody tr', { hasText: address })
    for (const text of [address, referrer, holder, `区块 ${group(block)} · ${tx?.slice(0, 4)}`])
      await expect(row.first()).toContainText(text)

    await page.getByRole('button', { name: '在链上核对' }).click()
    await expect(page.getByText(/^已核对 (\d+) 位：\1 位一致。/)).toBeVisible()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: '导出 CSV' }).click()
    expect(await readFile(await (await saved).path(), 'utf8')).toContain(`"${tx}"`)
    await page.getByRole('link', { name: /^固定在区块/ }).click()
    await expect(page).toHaveURL(/[?&]asOf=\d+/)
    await expect(row.first()).toContainText(holder)
  })

  test('behavior: a long upline draws only visible rows, and is checked on chain as a whole', async ({ page }) => {
    await visit(page, `/referrers?address=${interesting.deepest}`)
    const line = page.getByRole('list', { name: '从此地址到根' })
    const rows = line.getByRole('listitem')
    const depth = Number(await rows.first().getAttribute('aria-setsize')) - 1
    expect(depth).toBeGreaterThanOrEqual(299)
    expect(await rows.count()).toBeLessThan(80)
    // On a busy machine the browser may drop the scrolling of a pressed key.
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
    await expect(rows.last()).toHaveAttribute('aria-posinset', `${depth + 1}`)
    await expect(rows.last().getByRole('button')).toBeVisible()
    expect(await rows.count()).toBeLessThan(80)
    const field = page.getByRole('textbox', { name: '查找上级' })
    await field.fill('123')
    await field.press('Enter')
    await expect(line.locator('li:focus')).toContainText('第 123 层')
    await expect(line.locator('li:focus')).toBeInViewport()
    // The row is drawn first, its member a moment later.
    await expect(line.locator('li:focus').getByRole('button')).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(line.locator('li:focus-within')).toHaveAttribute('aria-posinset', `${depth - 122}`)

    await page.getByRole('button', { name: '在链上核对' }).click()
    await expect(page.getByText(`已核对 ${depth} 位：${depth} 位一致`)).toBeVisible()
    await expect(line.locator('li:focus-within, li[data-hop="agrees"]').first()).toBeVisible()
  })

  test('behavior: the downline of the star', async ({ page }) => {
    const { counted } = await figuresAndCount()
    await visit(page, `/referrals?address=${interesting.star}`)
    await expect(page.getByRole('main')).toContainText(`直推 ${counted.directsOf(interesting.star).length} 人`)
  })

  test('behavior: a downline loads more rows on scrolling, and draws only visible rows', async ({ page }) => {
    await visit(page, `/referrals?address=${interesting.largestTeam}&level=all`)
    const table = page.getByRole('table', { name: '全部' })
    const rows = table.locator('tbody tr')
    await expect(rows.first()).toHaveAttribute('aria-rowindex', '2')
    expect(Number(await table.getAttribute('aria-rowcount'))).toBeGreaterThan(2_000)
    await expect(async () => {
      await page.mouse.move(640, 500)
      await page.mouse.wheel(0, 4_000)
      expect(Number(await rows.last().getAttribute('aria-rowindex'))).toBeGreaterThan(450)
    }).toPass()
    expect(await rows.count()).toBeLessThan(100)
    await rows.nth(20).getByRole('button').focus()
    const focused = await rows.nth(20).getAttribute('aria-rowindex')
    await page.evaluate(() => window.scrollTo(0, 0))
    await expect(rows.first()).toHaveAttribute('aria-rowindex', '2')
    await expect(page.locator('tr:focus-within')).toHaveAttribute('aria-rowindex', focused ?? '')
  })

  test('behavior: downloads the whole downline as a file; cancelled, no file is left', async ({ page }) => {
    // Replace the file dialog with a file that the page can write to.
    await page.addInitScript(() => {
      const showSaveFilePicker = async () => {
        const folder = await navigator.storage.getDirectory()
        return folder.getFileHandle('downline.csv', { create: true })
      }
      Object.assign(window, { showSaveFilePicker })
    })
    const file = () =>
      page.evaluate(async () => {
        const folder = await navigator.storage.getDirectory()
        const handle = await folder.getFileHandle('downline.csv').catch(() => undefined)
        return (await handle?.getFile())?.text()
      })
    await visit(page, `/referrals?address=${interesting.star}`)
    const begin = page.getByRole('button', { name: '导出 CSV' })
    await begin.click()
    await expect(page.getByText(/已导出 \d[\d,]* 行/)).toBeVisible()
    const lines = (await file())?.trim().split('\r\n') ?? []
    expect(lines.length).toBeGreaterThan(500)
    const [columns, ...rows] = lines.map((line) => line.split(',').length)
    expect(columns).toBeGreaterThanOrEqual(10)
    expect(new Set(rows)).toEqual(new Set([columns]))

    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/\/referrals\.csv/, async (route) => {
      await held
      await route.continue().catch(() => undefined)
    })
    await begin.click()
    await expect(page.getByRole('progressbar', { name: '导出 CSV' })).toBeVisible()
    await page.getByRole('button', { name: '取消' }).click()
    await expect(page.getByText('已取消，没有留下文件。')).toBeVisible()
    expect(await file()).toBeUndefined()
    release()
  })

  test('behavior: the address page lists events, all of them on demand, and as a file', async ({ page }) => {
    await visit(page, `/search?address=${known}&kind=referral`)
    const timeline = page.getByRole('region', { name: '事件记录' })
    const rows = timeline.getByRole('listitem')
    await expect(rows.first()).toContainText('直推绑定')
    const more = timeline.getByRole('button', { name: '显示更早的记录' })
    await more.click()
    await expect(rows.nth(20)).toBeVisible()
    // The demo chain continues meanwhile.
    await expect(async () => {
      if (await more.count()) await more.click()
      expect(await more.count()).toBe(0)
    }).toPass()
    const shown = await rows.count()
    const saved = page.waitForEvent('download')
    await page.evaluate(() => Object.assign(window, { showSaveFilePicker: undefined }))
    await timeline.getByRole('button', { name: '导出 CSV' }).click()
    const text = await readFile(await (await saved).path(), 'utf8')
    const [columns = [], ...lines] = text
      .trim()
      .split('\r\n')
      .map((line) => line.split(','))
    const kinds = lines.map((cells) => cells[columns.indexOf('kind')])
    expect(new Set(kinds)).toEqual(new Set(['referral']))
    expect(kinds.length).toBeGreaterThanOrEqual(shown)
  })

  test('behavior: an address and its directs as of a block, then the current ones', async ({ page }) => {
    await visit(page, `/search?address=${known}&asOf=400`)
    await expect(page.getByText(/截至.*区块\s400/)).toBeVisible()
    await page.getByRole('link', { name: '查下级' }).click()
    await expect(page).toHaveURL(/\/referrals\?.*asOf=400/)
    await expect(page.getByRole('table', { name: '那时的直推' }).getByRole('row').nth(1)).toBeVisible()
    await page.getByRole('link', { name: '看现在' }).click()
    await expect(page).not.toHaveURL(/asOf/)
    await expect(page.getByText(/^截至/)).toHaveCount(0)
  })

  test('behavior: the year of a past day and of a filter has four digits', async ({ page }) => {
    const type = async (field: Locator) => {
      await field.fill('2025-06-01')
      await field.pressSequentially('060112026')
      await expect(field).toHaveValue('2026-06-01')
    }
    await visit(page, `/search?address=${known}`)
    await page.getByRole('button', { name: '时间：现在' }).click()
    await page.getByRole('menuitem', { name: '某一天' }).click()
    await type(page.locator('input[type="date"]'))
    await visit(page, `/referrals?address=${known}&level=1`)
    await page.getByRole('button', { name: '筛选' }).click()
    await type(page.getByLabel('加入不早于'))
  })

  test('behavior: the address page shows the status of an address', async ({ page }) => {
    await visit(page, `/search?address=${known}`)
    await expect(page.getByRole('main')).toContainText('示例社区的成员')
    await expect(page.getByRole('main')).toContainText('普通账户')
    const { contract } = await demoCommunity()
    await visit(page, `/search?address=${contract}`)
    await expect(page.getByRole('main')).toContainText('合约')
    await expect(page.getByRole('main')).toContainText('不是示例社区的成员')
  })
})

for (const path of lookups) {
  test(`behavior: ${path} of an unknown address shows that it is unknown`, async ({ page }) => {
    await visit(page, `${path}?address=${unknown}`)
    await expect(page.getByRole('main')).toContainText(/不在这个社区里|不是示例社区的成员/)
  })

  test(`behavior: ${path} of a malformed address shows what is wrong`, async ({ page }) => {
    await visit(page, `${path}?address=0x1234`)
    await expect(page.getByRole('main')).toContainText(/还差 36 位|地址无效/)
  })
}

test('behavior: the field shows errors while typing, then looks up without a button', async ({ page }) => {
  await visit(page, '/')
  const field = page.getByRole('textbox', { name: '地址' })
  await expect(field).toBeFocused()
  await field.fill(`${known.slice(0, -1)}g`)
  await expect(page.getByText('“g”不会出现在地址里', { exact: false })).toBeVisible()
  await field.fill(known.replace('fFb', 'ffb'))
  await expect(page.getByText('校验不符', { exact: false })).toBeVisible()
  await field.fill(`  ${known.toLowerCase()} `)
  await expect(page).toHaveURL(new RegExp(`address=${known}`))
  await expect(page.getByRole('main')).toContainText('团队与业绩')
})

test('behavior: the binds of an address that is not a member are listed, although they do not count', async ({
  page,
}) => {
  const statuses = new Map<string, string[]>()
  for (let cursor: string | undefined | null; cursor !== null; ) {
    const page: Events = await api.events(communityId, { limit: 100, cursor })
    for (const { address, status } of page.items) statuses.set(address, [...(statuses.get(address) ?? []), status])
    cursor = page.nextCursor
  }
  const [stranger] = [...statuses].find(([, own]) => own.every((status) => status === 'self')) ?? []
  await visit(page, `/search?address=${stranger}`)
  await expect(page.getByRole('main')).toContainText('没有有效的绑定记录')
  const events = page.getByRole('region', { name: '事件记录' })
  await expect(events.getByRole('listitem')).toContainText(['自荐，不计入'])
  await expect(events.getByRole('button', { name: '导出 CSV' })).toBeVisible()
})

test('behavior: a shared link to a day that has not ended keeps the block that the page names', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { asOf } = await api.member(communityId, known)
  const today = new Date(asOf.timestamp * 1_000).toISOString().slice(0, 10)
  // In the page's own zone the day has ended after 16:00 UTC.
  await visit(page, `/search?address=${known}&asOf=${today}&tz=UTC`)
  const [, block = ''] =
    /数据读至区块\s*([\d,]+)/.exec((await page.getByText(/数据读至区块/).textContent()) ?? '') ?? []
  await page.getByRole('button', { name: '分享链接' }).click()
  const copied = new URL(await page.evaluate(() => navigator.clipboard.readText()))
  expect(copied.searchParams.get('asOf')).toBe(block.replaceAll(',', ''))
  expect(copied.searchParams.get('address')).toBe(known)
})

test('behavior: a printed page has its URL, and a comparison only if two days were compared', async ({ page }) => {
  await page.emulateMedia({ media: 'print' })
  for (const [query, isCompared] of [
    ['', false],
    ['&dayFrom=2026-06-01&dayTo=2026-07-01', true],
  ] as const) {
    const path = `/?address=${known}${query}`
    await visit(page, path)
    await expect(page.getByText(new URL(path, page.url()).href)).toBeVisible()
    await expect(page.locator('h2', { hasText: '两天对比' })).toHaveCount(isCompared ? 1 : 0)
    await expect(page.getByRole('textbox')).toHaveCount(0)
  }
})

/** Shows a page as on paper, in a window of the width of A4. */
async function showAsPrinted(page: Page, path: string, height = 1_123) {
  await page.setViewportSize({ width: 794, height })
  await visit(page, path)
  await page.emulateMedia({ media: 'print' })
}

/** Returns the text of a part of the page that begins to be printed. Its script may not have heard of an earlier begin. */
const printText = (part: Locator): Promise<string | null> =>
  part.evaluate((element) => {
    dispatchEvent(new Event('beforeprint'))
    return element.textContent
  })

test('behavior: on paper, a table has all its heads and cuts nothing off, and no text covers another', async ({
  page,
}) => {
  await showAsPrinted(page, `/referrals?address=${known}&level=all&dayFrom=2026-06-01&dayTo=2026-06-30`)
  const heads = page.getByRole('columnheader').getByText(/加入|业绩|奖励/)
  await expect(heads).toHaveCount(5)
  for (const head of await heads.all()) await expect(head).toBeVisible()
  const times = page.locator('td time')
  await expect(times).not.toHaveCount(0)
  const beyond = await times.evaluateAll((all) => {
    const ends = (element: Element) => element.getBoundingClientRect().right
    return all.filter((time) => ends(time) > ends(time.closest('table') ?? time) + 1).length
  })
  expect(beyond).toBe(0)

  await showAsPrinted(page, `/referrers?address=${known}`)
  const rows = page.locator('.facts')
  await expect(rows.first()).toBeVisible()
  const covered = await rows.evaluateAll(
    (all) =>
      all.filter((row) =>
        [...row.children].some((child) => child.scrollWidth > child.clientWidth && child.clientWidth > 0),
      ).length,
  )
  expect(covered).toBe(0)
})

test('behavior: paper says of each part that was not loaded that it is missing', async ({ page }) => {
  await showAsPrinted(page, '/metrics', 300)
  for (const name of ['活跃成员', '增长最快'])
    await expect.poll(() => printText(page.getByRole('region', { name, exact: true }))).toContain('这部分尚未加载')
})

test('behavior: without the clipboard API, an address is copied too; a link that cannot be is shown', async ({
  page,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
    addEventListener('copy', ({ target }) => Object.assign(window, { copied: (target as HTMLTextAreaElement).value }))
  })
  await visit(page, `/search?address=${known}`)
  const copy = page.getByRole('button', { name: '复制地址' })
  await copy.click()
  await expect(page.getByText('已复制')).toBeVisible()
  await expect(copy).toBeFocused()
  expect(await page.evaluate(() => (window as { copied?: string }).copied)).toBe(known)

  await page.evaluate(() => Object.defineProperty(document, 'execCommand', { value: () => false }))
  await page.getByRole('button', { name: '分享链接' }).click()
  await expect(page.getByText('没能复制')).toContainText(page.url())
})

test('behavior: text twice as large, or a narrow phone, cuts nothing off', async ({ page }) => {
  const sizes = {
    en: [
      [320, 16],
      [360, 16],
    ],
    'zh-CN': [
      [360, 16],
      [390, 32],
    ],
  } as const
  for (const [lang, path] of (['en', 'zh-CN'] as const).flatMap((lang) => paths.map((path) => [lang, path] as const)))
    for (const [index, [width, size]] of sizes[lang].entries()) {
      await page.setViewportSize({ width, height: 800 })
      if (index === 0) await visit(page, `${path}?${path === '/metrics' ? '' : `address=${known}&`}lang=${lang}`)
      if (path === '/metrics') await scrollToMap(page)
      const last = path === '/metrics' ? /保存图表“.*的下级|Save the chart “Downstream/ : /^时间：现在$|^Time: now$/
      await expect(page.getByRole('button', { name: last }).last()).toBeVisible()
      await page.evaluate((pixels) => document.documentElement.style.setProperty('font-size', `${pixels}px`), size)
      const cut = await page.getByRole('main').evaluate((main) => {
        const isScrolled = (element: Element | null): boolean =>
          element !== null &&
          element !== main &&
          (/auto|scroll|hidden|clip/.test(getComputedStyle(element).overflowX) || isScrolled(element.parentElement))
        return [...main.querySelectorAll('*')]
          .filter((element) => element.getBoundingClientRect().right > window.innerWidth + 0.5 && !isScrolled(element))
          .map((element) => element.textContent)
      })
      expect.soft(cut, `${path} ${width} ${size} ${lang}`).toEqual([])
      // Queries for large text follow the setting of the browser, not the root element.
      if (size !== 16) continue
      const overlapping = await page.locator('main li').evaluateAll((rows) => {
        const isText = (node: Node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim()
        const boxOf = (element: Element) => {
          const range = document.createRange()
          range.selectNodeContents(element)
          return { text: element.textContent, ...(range.getBoundingClientRect().toJSON() as DOMRect) }
        }
        return rows.flatMap((row) => {
          const texts = [...row.querySelectorAll('*')].filter(
            (element) => [...element.childNodes].some(isText) && element.checkVisibility(),
          )
          const boxes = texts.map(boxOf)
          return boxes.flatMap((one, index) =>
            boxes.slice(index + 1).flatMap((other) => {
              const across = Math.min(one.right, other.right) - Math.max(one.left, other.left)
              const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
              return across > 1 && down > 6 ? `${one.text} over ${other.text}` : []
            }),
          )
        })
      })
      expect.soft(overlapping, `${path} ${width} ${size} ${lang}`).toEqual([])
    }
})

test('behavior: an address in full, shown on hover, stays on the screen and makes no page wider', async ({ page }) => {
  for (const path of [
    `/?address=${known}`,
    `/referrals?address=${known}&level=1`,
    `/referrers?address=${known}`,
    '/metrics',
  ]) {
    await page.setViewportSize({ width: 320, height: 800 })
    await visit(page, path)
    for (const width of [320, 390, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      const handles = page.getByRole('main').getByRole('button', { name: /^0x[\dA-Fa-f]{2}…/ })
      await expect(handles.first()).toBeVisible()
      // Rows move while the list loads, and when members join.
      for (const handle of [handles.first(), handles.nth(1)])
        await expect(async () => {
          await handle.hover()
          const { own, whole, wider } = await handle.evaluate((button) => ({
            own: button.getBoundingClientRect(),
            whole: (button.lastElementChild as Element).getBoundingClientRect(),
            wider: document.documentElement.scrollWidth - innerWidth,
          }))
          expect([wider, whole.width > 0, whole.left >= 0, whole.right <= width]).toEqual([0, true, true, true])
          expect(whole.bottom <= own.top + 2 || whole.top >= own.bottom - 2).toBe(true)
        }, `${path} ${width}`).toPass({ timeout: 15_000 })
    }
  }
})

test.describe('in WeChat', () => {
  test.use({
    userAgent: 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126.0 Mobile MicroMessenger/8.0.49',
  })

  test('behavior: an export says what to do if no file was saved', async ({ page }) => {
    await page.addInitScript(() => Object.defineProperty(window, 'showSaveFilePicker', { value: undefined }))
    await visit(page, `/?address=${known}`)
    await page.getByRole('button', { name: '导出 CSV' }).click()
    await expect(page.getByText('没有找到文件？请点右上角')).toContainText(/已导出 [\d,]+ 行/)
  })
})

test('behavior: a pasted list is looked up, also after a reload and after Back', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { contract } = await demoCommunity()
  await visit(page, '/search')
  await page.evaluate((text) => navigator.clipboard.writeText(text), `${known}\n${contract}\n${unknown}\n0x1234`)
  await page.getByRole('combobox', { name: '地址' }).focus()
  await page.keyboard.press('ControlOrMeta+v')
  const done = page.getByText(/查完了：3\s个地址，1\s个是成员/)
  const row = (address: string) => page.getByRole('row', { name: shorten(address) }).first()
  const check = async () => {
    await expect(done).toBeVisible()
    await expect(row(known)).toContainText(/成员.*普通账户/)
    await expect(row(contract)).toContainText(/不是成员.*合约/)
    await expect(page.getByRole('main')).toContainText(/第\s4\s行/)
  }
  await check()
  expect(page.url().length).toBeLessThan(100)
  await reload(page)
  await check()
  await row(known).getByRole('button').first().click()
  await page.getByRole('menuitem', { name: '查看这个地址' }).click()
  await expect(page).toHaveURL(new RegExp(`address=${known}`))
  await page.goBack()
  await check()
})

test('behavior: the totals equal an independent count of the logs', async ({ page }) => {
  await visit(page, '/metrics')
  await expect(page.getByRole('region', { name: '成员', exact: true })).toContainText(/\d/)
  await expect(async () => {
    const { metrics, counted } = await figuresAndCount()
    expect(metrics).toMatchObject({
      members: counted.members,
      roots: counted.roots,
      maxDepth: counted.maxDepth,
      volume: counted.volume.toString(),
      rewards: counted.rewards.toString(),
      dirty: {
        self: counted.self,
        duplicate: counted.duplicate,
        cycle: counted.cycle,
        placeholder: counted.placeholders,
      },
    })
    await expect(page.getByRole('region', { name: '成员', exact: true })).toContainText(group(counted.members), {
      timeout: 4_000,
    })
  }).toPass()
})

/** Withholds the node's receipts until `release` is called. */
async function holdReceipts(page: Page) {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/v1/rpc', async (route) => {
    if (route.request().postData()?.includes('eth_getTransactionReceipt')) await released
    await route.continue()
  })
  return { release }
}

test('behavior: a member bound while the page is open appears', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const metricsPage = await context.newPage()
  await visit(metricsPage, '/metrics')
  const members = metricsPage.getByRole('region', { name: '成员', exact: true }).getByRole('paragraph')
  await expect(members).toContainText(/\d/)
  const before = Number(((await members.textContent()) ?? '').replace(/\D/g, ''))

  await visit(page, `/?address=${known}`)
  await connectDemoAccount(page, '0x90F79b')
  // Without a receipt the transaction stays pending while the test looks at it.
  const receipts = await holdReceipts(page)
  await page.getByRole('button', { name: '绑定到这位推荐人' }).click()
  await walletWindow(page).getByRole('button', { name: '发送' }).click()
  await expect(page.getByRole('button', { name: /0x90…b906.*1 笔交易确认中/ })).toBeVisible()
  await expect(page.getByRole('button', { name: '等待上链…' })).toBeDisabled()
  const toast = page.locator('[data-variant]').filter({ hasText: /交易已确认\s*绑定推荐人/ })
  await expect(toast).toHaveCount(0)
  receipts.release()
  await expect(toast).toHaveCount(1)
  await expect(page.getByRole('button', { name: /1 笔交易确认中/ })).toHaveCount(0)
  await expect(page.getByRole('button', { name: '绑定到这位推荐人' })).toHaveCount(0)

  const transaction = async () => {
    await page
      .getByRole('banner')
      .getByRole('button', { name: /0x90…b906/ })
      .click()
    const account = page.getByRole('dialog', { name: '账户' })
    await expect(account.getByRole('listitem')).toContainText(/绑定推荐人.*已确认/)
    await page.keyboard.press('Escape')
    await expect(account).toHaveCount(0)
  }
  await transaction()
  await reload(page)
  await transaction()
  // It was shown before the reload, and is not shown twice.
  await expect(toast).toHaveCount(0)

  await visit(page, '/?address=0x90F79bf6EB2c4f870365E785982E1f101E93b906')
  await expect(page.getByRole('main')).toContainText('团队与业绩')
  await expect(page.getByRole('main')).toContainText(shorten(known))
  await expect
    .poll(async () => Number(((await members.textContent()) ?? '').replace(/\D/g, '')))
    .toBeGreaterThan(before)
})

test('behavior: Firefox 115, which drops a rule with `:has`, loses no other selector by it', async ({ page }) => {
  await visit(page, `/?address=${known}`)
  for (const [index, path] of paths.entries()) {
    await page.getByRole('banner').getByRole('navigation').getByRole('link').nth(index).click()
    await expect(page).toHaveURL(new RegExp(`${path}(\\?.*)?$`))
    await expect(page.getByRole('main')).toContainText(/区块 \d/)
    const lost = await page.evaluate(() => {
      const selectorsOf = (rule: CSSRule): string[] => [
        ...(rule instanceof CSSStyleRule ? [rule.selectorText] : []),
        ...('cssRules' in rule ? [...(rule.cssRules as CSSRuleList)].flatMap(selectorsOf) : []),
      ]
      const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).flatMap(selectorsOf)
      // A comma in brackets separates no selectors of the rule.
      const parts = (selector: string) => selector.split(/,(?![^(]*\))/)
      return rules.filter((rule) => rule.includes(':has(') && parts(rule).some((part) => !part.includes(':has(')))
    })
    expect(lost, path).toEqual([])
  }
})

test('behavior: every answer of the server has its security headers', async ({ request }) => {
  const nonces = new Set<string>()
  for (const path of ['/', '/metrics', `/referrals?address=${known}`]) {
    const response = await request.get(path)
    const policy = response.headers()['content-security-policy'] ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
    expect(await response.text()).toContain(`<script id="nonce" type="text/plain">${nonce}</script>`)
    nonces.add(nonce)
  }
  expect(nonces.size).toBe(3)
})

test('behavior: the API answers malformed paths with problems', async ({ request }) => {
  for (const [path, status, code] of [
    ['/v1/nothing', 404, 'not_found'],
    ['/v1/communities/none/metrics', 404, 'community_not_found'],
    [`/v1/communities/${communityId}/members/0x12`, 400, 'invalid_address'],
    [`/v1/communities/${communityId}/members/${unknown}`, 404, 'member_not_found'],
    [`/v1/communities/${communityId}/members/${known}/referrals?cursor=x`, 400, 'invalid_cursor'],
    [`/v1/communities/${communityId}/members/${known}/referrals?level=-1`, 400, 'invalid_parameter'],
  ] as const) {
    const response = await request.get(path)
    expect(response.status(), path).toBe(status)
    expect(response.headers()['content-type']).toContain('application/problem+json')
    expect(await response.json()).toMatchObject({ status, code })
  }
})

const shorten = (address: string) => `${address.slice(0, 4)}…${address.slice(-4)}`

function figure(page: import('@playwright/test').Page, name: string) {
  return page
    .getByRole('main')
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .first()
}
