/**
 * `pnpm bench:web [--runs 5] [--json]`: measures the product on demo data, and a plain MUI page for comparison. See
 * docs/benchmarks.md. It prints figures and never fails.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, Page } from '@playwright/test'
import { buildHostPage } from '../lib/builds.ts'
import { readOptions } from '../lib/readOptions.ts'
import { median, printTable } from './figures.ts'
import { launchAlone, openPage } from './openPage.ts'
import { serveFolder } from './serveFolder.ts'
import { startProduct } from './startProduct.ts'
import { type SlowVisit, slowLimits, visitSlowly } from './visitSlowly.ts'

const slowDown = 4
const member = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const lookups = ['/', '/search', '/referrals', '/referrers']
const routes = [...lookups, ...lookups.map((path) => `${path}?address=${member}`), '/metrics']

/** Main controls, each with its page and the way to use it. */
const controls: Record<string, { at: string; use: (page: Page) => Promise<void> }> = {
  'a link of the bar': { at: '/', use: (page) => page.getByRole('link', { name: '全网累计数据' }).click() },
  'the language menu': { at: '/', use: (page) => page.getByRole('button', { name: '语言' }).click() },
  'another language': {
    at: '/',
    use: async (page) => {
      await page.getByRole('button', { name: '语言' }).click()
      await page.getByRole('menuitemradio', { name: 'English' }).click()
    },
  },
  'another colour mode': {
    at: '/',
    use: async (page) => {
      await page.getByRole('button', { name: '颜色模式' }).click()
      await page.getByRole('menuitemradio', { name: '深色' }).click()
    },
  },
  'typing an address': {
    at: '/search',
    use: (page) => page.getByRole('combobox', { name: '地址' }).pressSequentially('0xf39F', { delay: 150 }),
  },
  'a choice over the chart': {
    at: '/metrics',
    use: (page) =>
      page
        .getByRole('region', { name: '增长' })
        .getByRole('group', { name: '时间范围' })
        .locator('label')
        .last()
        .click(),
  },
  'connect a wallet': { at: '/', use: (page) => page.getByRole('button', { name: '连接钱包' }).click() },
}

const { runs, json } = readOptions({ runs: 5, json: false })
const folder = mkdtempSync(join(tmpdir(), 'lineage-bench-'))
const mui = await serveFolder((await buildHostPage('mui', folder)).folder)
const product = await startProduct()
const { url } = product

const before = loadavg()
const empty = (names: readonly string[]): Record<string, number[]> =>
  Object.fromEntries(names.map((name) => [name, []]))
const paints = empty(['mui', ...routes])
const shifts = empty(routes)
const delays = empty(Object.keys(controls))
const slow: Record<string, SlowVisit[]> = Object.fromEntries(routes.map((route) => [route, []]))
for (let run = 0; run < runs; run++) {
  const browser = await launchAlone()
  paints.mui?.push((await visit(browser, `${mui.url}/mui.html`)).paint)
  for (const route of routes) {
    const { paint, shift } = await visit(browser, `${url}${route}`)
    paints[route]?.push(paint)
    shifts[route]?.push(shift)
  }
  for (const route of routes) slow[route]?.push(await visitSlowly(browser, `${url}${route}`))
  for (const [name, { at, use }] of Object.entries(controls)) {
    const { slowest } = await visit(browser, `${url}${at}`, use)
    delays[name]?.push(slowest)
  }
  await browser.close()
  console.error(`run ${run + 1} of ${runs}`)
}
await product.stop()
await mui.close()
rmSync(folder, { recursive: true })

const load = [before[0], loadavg()[0]]
const slowNames = Object.keys(slowLimits) as (keyof SlowVisit)[]
const plain = median(paints.mui ?? [])
const summary = {
  paints: Object.fromEntries(Object.entries(paints).map(([name, values]) => [name, median(values)])),
  shifts: Object.fromEntries(Object.entries(shifts).map(([name, values]) => [name, Math.max(...values)])),
  slow: Object.fromEntries(
    Object.entries(slow).map(([route, visits]) => [
      route,
      Object.fromEntries(slowNames.map((name) => [name, median(visits.map((visit) => visit[name]))])),
    ]),
  ),
  delays: Object.fromEntries(Object.entries(delays).map(([name, values]) => [name, median(values)])),
}
if (json) console.log(JSON.stringify({ date: new Date().toISOString(), runs, slowDown, load, ...summary }))
else {
  console.log(`Median of ${runs}, ${slowDown}× slower; at most 1.5 × MUI, and a shift of 0.02`)
  printTable({
    'the MUI page': { 'largest paint, ms': plain },
    ...Object.fromEntries(
      routes.map((route) => {
        const [paint, shift] = [summary.paints[route] ?? Number.NaN, summary.shifts[route] ?? Number.NaN]
        const figures = { 'largest paint, ms': paint, '÷ MUI': paint / plain, 'worst shift': shift }
        return [route, { ...figures, within: paint <= plain * 1.5 && shift <= 0.02 }]
      }),
    ),
  })
  console.log('From an input to the next paint, at most 100 ms')
  printTable(summary.delays)
  console.log('First visit, 400 kbit/s, 6× slower')
  printTable({ ...summary.slow, 'at most': slowLimits })
  console.log(`\nThe machine's load: ${load[0]?.toFixed(1)} before, ${load[1]?.toFixed(1)} after.`)
}

/** Opens a page in a fresh profile, uses a control, and returns the figures. */
async function visit(browser: Browser, address: string, use?: (page: Page) => Promise<void>) {
  const { page, settle, errors, close } = await openPage(browser, { rpcUrl: url, slowDown, locale: 'zh-CN' })
  await page.goto(address)
  await settle(1_000)
  const paint = await page.evaluate(() => window.watch.largestPaint())
  const shift = await page.evaluate(() => window.watch.shift())
  await use?.(page)
  await delay(1_000)
  const slowest = await page.evaluate(() => window.watch.slowest())
  if (errors.length > 0) throw new Error(`${address}: ${errors.join(', ')}`)
  await close()
  return { paint, shift, slowest }
}
