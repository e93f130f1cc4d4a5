import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { findProcesses } from '../lib/testing.ts'
import { api, bindMember, communityId, expect, reload, test, visit } from './product.ts'
import { stackEnvironment, stackUrl } from './stack.ts'

const known = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const reader = 'apps/reader/src/main.ts'
const server = 'apps/server/src/main.ts'

/** Finds the process of the running product that executes `script`. */
function processOf(script: string): number {
  const { pid } = JSON.parse(
    readFileSync(join(stackEnvironment.LINEAGE_DATA_DIR, stackEnvironment.PORT, 'running.json'), 'utf8'),
  ) as { pid: number }
  // The last one is below the process that ends it with its parent.
  const found = findProcesses(pid, script).at(-1)
  if (!found) throw new Error(`No process runs ${script}.`)
  return found
}

const main = (page: Page) => page.getByRole('main')
const unreachable = (page: Page) => page.getByRole('heading', { name: '连不上查询服务' })
const lookup = new RegExp(`/members/${known}(\\?|$)`, 'i')
const state = () => api.status().then((status) => status.state)

test.describe('the server does not answer', () => {
  /** Looks an address up while the server is stopped, and continues it once the page shows the failure. */
  async function lookUpDuringOutage(page: Page, whileStopped: () => Promise<void>) {
    await page.clock.install()
    const { leaders } = await api.metrics(communityId)
    // Loads the code of the answer.
    await visit(page, `/?address=${leaders.team[0]?.address}`)
    await expect(main(page)).toContainText('团队与业绩')
    const stopped = processOf(server)
    process.kill(stopped, 'SIGSTOP')
    try {
      await main(page).getByRole('textbox', { name: '地址' }).fill(known)
      await page.keyboard.press('Enter')
      await expect(async () => {
        // Two requests reach their time limit.
        await page.clock.fastForward(2_000)
        await expect(unreachable(page)).toBeVisible({ timeout: 100 })
      }).toPass()
      await whileStopped()
    } finally {
      process.kill(stopped, 'SIGCONT')
    }
    await expect.poll(state).toBe('ready')
  }

  test('behavior: Retry shows the answer', async ({ page }) => {
    // Stop the page's timers, so that only Retry repeats the request.
    await lookUpDuringOutage(page, async () => page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000)))
    await page.getByRole('button', { name: '重试' }).click()
    await expect(async () => {
      // Run the timers for less than the delay before the next automatic request.
      await page.clock.runFor(50)
      await expect(main(page)).toContainText('团队与业绩', { timeout: 100 })
    }).toPass({ timeout: 30_000 })
  })

  test('behavior: the page repeats the request without Retry', async ({ page }) => {
    await lookUpDuringOutage(page, async () => {})
    const repeated = page.waitForRequest(lookup)
    await page.clock.fastForward('00:10')
    await repeated
    await expect(main(page)).toContainText('团队与业绩')
  })
})

test.describe('kill -9', () => {
  test('behavior: lookups go on without the reader, and it comes back with the same data', async ({ page }) => {
    test.setTimeout(180_000)
    const before = await api.metrics(communityId)
    const killed = processOf(reader)
    process.kill(killed, 'SIGKILL')
    await visit(page, `/?address=${known}`)
    await expect(main(page)).toContainText('团队与业绩')

    const restarted = () => {
      try {
        return processOf(reader) !== killed
      } catch {
        return false
      }
    }
    await expect.poll(restarted).toBe(true)
    await bindMember(known)
    const newest = () => api.member(communityId, known).then(({ asOf }) => asOf.block)
    await expect.poll(newest, { timeout: 90_000 }).toBeGreaterThan(before.asOf.block)
    const after = await api.metrics(communityId)
    expect(after.members).toBeGreaterThanOrEqual(before.members)
    expect(after.dirty).toEqual(before.dirty)
    expect(after.series.slice(0, -1)).toEqual(before.series.slice(0, -1))
  })

  test('behavior: the server comes back, and the open page with it', async ({ page, complaints }) => {
    const figures = page.getByRole('region', { name: '成员', exact: true })
    await visit(page, '/metrics')
    await expect(figures).toContainText(/\d/)
    // The demo wallet is loaded last, when the page is idle.
    await page.getByRole('button', { name: '演示数据' }).click()
    await expect(page.getByRole('button', { name: '打开演示钱包' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(figures).toBeVisible()

    process.kill(processOf(server), 'SIGKILL')
    const isAlive = () =>
      fetch(`${stackUrl}/v1/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    await expect.poll(isAlive, { intervals: [20] }).toBe(false)
    // The page may be answered before the test knows that the server is back.
    const answered = page.waitForResponse(
      (response) => /\/demo\/metrics(\?|$)/.test(response.url()) && response.status() < 400,
      { timeout: 60_000 },
    )
    await expect.poll(isAlive).toBe(true)
    await answered
    await expect(figures).toContainText(/\d/)
    await reload(page)
    await expect(figures).toContainText(/\d/)

    // The browser reports each request that the page sent while the server was away, and the stream that was cut off.
    const refused = /net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)/
    complaints.splice(0, complaints.length, ...complaints.filter((complaint) => !refused.test(complaint)))
  })
})

test.describe('a script of the page is not loaded', () => {
  /** Aborts the requests for a script of the build until the returned function is called. */
  async function loseScript(page: Page, name: string, end = '') {
    const scripts = new RegExp(`/assets/${name}-[^/]*\\.js${end}`)
    await page.route(scripts, (route) => route.abort())
    return () => page.unroute(scripts)
  }

  test.afterEach(({ complaints }) => {
    const lost = /net::ERR_FAILED|Failed to fetch dynamically imported module|LoadError/
    expect(complaints.some((complaint) => lost.test(complaint))).toBe(true)
    complaints.splice(0, complaints.length, ...complaints.filter((complaint) => !lost.test(complaint)))
  })

  const broken = (page: Page) => page.getByRole('heading', { name: '这一页没能打开' })
  const link = (page: Page, name: string) =>
    page.getByRole('navigation', { name: '查询' }).getByRole('link', { name, exact: true })

  test('behavior: the page is loaded when it is opened again', async ({ page }) => {
    await visit(page, '/')
    const giveBack = await loseScript(page, 'Referrals')
    await link(page, '查询下级推荐').click()
    await expect(broken(page)).toBeVisible()
    await giveBack()
    await link(page, '社区查询').click()
    await expect(broken(page)).toHaveCount(0)
    await link(page, '查询下级推荐').click()
    await expect(main(page).getByRole('textbox', { name: '地址' })).toBeVisible()
  })

  test('behavior: Reload loads it', async ({ page }) => {
    await visit(page, '/')
    const giveBack = await loseScript(page, 'Referrals')
    await link(page, '查询下级推荐').click()
    await expect(broken(page)).toBeVisible()
    await giveBack()
    await page.getByRole('button', { name: '重新加载' }).click()
    await expect(main(page).getByRole('textbox', { name: '地址' })).toBeVisible()
  })

  test('behavior: a menu is loaded in a browser that never asks again for a script that it lost', async ({ page }) => {
    await visit(page, '/')
    await loseScript(page, 'RadioMenu', '$')
    await page.getByRole('button', { name: '语言' }).click()
    await expect(page.getByRole('menuitemradio', { name: 'English' })).toBeVisible()
  })

  test('behavior: a script that is lost twice is loaded once in a browser that asks again', async ({ page }) => {
    await visit(page, '/')
    const asked: string[] = []
    await page.route(/\/assets\/RadioMenu-[^/]*\.js/, (route) =>
      asked.push(route.request().url()) <= 2 ? route.abort() : route.fallback(),
    )
    await page.getByRole('button', { name: '语言' }).click()
    await expect(page.getByRole('menuitemradio', { name: 'English' })).toBeVisible()
    expect(asked.length).toBeGreaterThan(2)
    expect([...new Set(asked)]).toHaveLength(1)
  })

  test('behavior: a menu is loaded when it is opened again, and the page stays', async ({ page }) => {
    await visit(page, '/')
    const button = page.getByRole('button', { name: '语言' })
    await expect(button).toBeVisible()
    const giveBack = await loseScript(page, 'RadioMenu')
    await button.click()
    await expect(button).toHaveAttribute('aria-expanded', 'false')
    await giveBack()
    await button.click()
    await expect(page.getByRole('menuitemradio', { name: 'English' })).toBeVisible()
  })
})

test.describe('toasts on a weak connection', () => {
  test.use({ permissions: ['clipboard-write'] })

  test.afterEach(({ complaints }) => {
    const lost = /net::ERR_(FAILED|INTERNET_DISCONNECTED)|LoadError|dynamically imported module/
    complaints.splice(0, complaints.length, ...complaints.filter((complaint) => !lost.test(complaint)))
  })

  const copied = (page: Page) => page.locator('[data-variant]').filter({ hasText: '已复制' })
  const copy = (page: Page) => main(page).getByRole('button', { name: '复制地址' }).first().click()

  test('behavior: a copied address is confirmed offline', async ({ page, context }) => {
    const answered = page.waitForResponse('**/assets/Toasts-*.js')
    await visit(page, `/?address=${known}`)
    // Its answer may have begun only, and it imports other scripts.
    await page.evaluate((url) => import(url), (await answered).url())
    await context.setOffline(true)
    await copy(page)
    await expect(copied(page)).toBeVisible()
  })

  test('behavior: the script of the toasts is lost twice, and loaded for the first of them', async ({ page }) => {
    let lost = 0
    const lostTwice = new Promise<void>((resolve) => {
      void page.route('**/assets/Toasts-*.js', (route) => {
        lost++
        if (lost === 2) resolve()
        return lost > 2 ? route.continue() : route.abort('failed')
      })
    })
    await visit(page, `/?address=${known}`)
    await lostTwice
    await copy(page)
    await expect(copied(page)).toBeVisible()
  })
})
