/**
 * `pnpm bench:kit [--runs 9] [--slow 4] [--rivals] [--json]`: measures a page with the kit's button, the same page without the
 * kit, and pages of other kits: see docs/benchmarks.md. Figures depend on the machine; ratios depend on it less.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { installMulticall3 } from '../demo-chain/contract.ts'
import { createRpc } from '../demo-chain/rpc.ts'
import { type Build, buildHostPage, filesOf } from '../lib/builds.ts'
import { readOptions } from '../lib/readOptions.ts'
import { runAnvil } from '../vitest/runAnvil.ts'
import { medians, printTable } from './figures.ts'
import { launchAlone, openPage } from './openPage.ts'
import { buildRival, rivals, type Targets } from './rivals.ts'
import { type Site, serveFolder } from './serveFolder.ts'

type Figures = Partial<Record<keyof typeof titles, number>>

const titles = {
  js: 'JS before the click, kB',
  files: 'files',
  jsIdle: 'JS loaded until idle, kB',
  dialogJs: 'click → dialog, kB',
  outside: 'outside hosts before the click',
  button: 'button visible, ms',
  rows: 'first open: rows painted, ms',
  settled: 'first open: settled, ms',
  rowsAgain: 'second open: rows painted, ms',
  address: 'row click → address, ms',
  reload: 'reload → address (without the kit: button), ms',
  flash: 'reloads that flash "Connect Wallet"',
  calls: 'node calls to connected',
  outsideConnected: 'outside hosts until connected',
  cpuLoad: 'work: load, ms of CPU',
  cpuOpen: 'work: first open, ms of CPU',
  cpuOpenAgain: 'work: second open, ms of CPU',
}

/** A factor is relative to the same figure of the MUI page, or to the one named. */
type Budget = { most: number } | { factor: number; of?: keyof typeof titles }

/** Budgets, based on measurements of other kits (docs/benchmarks.md). */
const budgets: Partial<Record<keyof typeof titles, Budget>> = {
  js: { most: 95 },
  files: { most: 5 },
  dialogJs: { most: 31 },
  outside: { most: 0 },
  button: { factor: 1 },
  rows: { factor: 0.9 },
  settled: { most: 250 },
  rowsAgain: { factor: 0.8 },
  address: { of: 'rows', factor: 0.5 },
  reload: { of: 'rows', factor: 1.3 },
  flash: { most: 0 },
  calls: { most: 1 },
  outsideConnected: { most: 0 },
}

const { runs, slow: slowDown, rivals: withRivals, json } = readOptions({ runs: 9, slow: 4, rivals: false, json: false })

/** A page to measure. */
type BenchPage = {
  name: string
  url: string
  site: Site
  /** Scripts that the page loads at its start. */
  started: Set<string>
  kind: 'button' | 'dialog' | 'kit'
  targets: Targets
}

const row = { css: '[role=dialog] button', text: 'metamask' }
const own: Targets = {
  button: { css: 'button', text: '^connect' },
  ...{ row, walletRow: row },
  address: { css: 'button', text: '0xf3' },
}

const folder = mkdtempSync(join(tmpdir(), 'lineage-bench-'))
const chain = await runAnvil()
await installMulticall3(createRpc(chain.url))
const pages: BenchPage[] = []
for (const [name, kind] of [
  ['react', 'button'],
  ['mui', 'dialog'],
  ['kit', 'kit'],
] as const)
  await addPage(await buildHostPage(name, join(folder, name), chain.url), `${name}.html`, {
    name,
    kind,
    targets: own,
  })
if (withRivals)
  for (const [name, targets] of Object.entries(rivals))
    await addPage(await buildRival(name, join(folder, name), chain.url), 'index.html', {
      name,
      kind: 'kit',
      targets,
    })

const measured = new Map<string, Figures[]>(pages.map(({ name }) => [name, []]))
const before = loadavg()
for (let run = 0; run < runs; run++) {
  const browser = await launchAlone()
  // The pages take turns in alternating order, so that a busy moment affects all of them.
  for (const page of run % 2 ? pages.toReversed() : pages) measured.get(page.name)?.push(await measure(browser, page))
  await browser.close()
  console.error(`run ${run + 1} of ${runs}`)
}
await Promise.all(pages.map(({ site }) => site.close()))
await chain.stop()
rmSync(folder, { recursive: true })

const results = Object.fromEntries([...measured].map(([name, figures]) => [name, medians(figures)]))
const { react = {}, mui = {}, kit = {}, ...others } = results
if (json)
  console.log(
    JSON.stringify({ date: new Date().toISOString(), runs, slowDown, load: [before[0], loadavg()[0]], ...results }),
  )
else {
  const rowsOf = (toRow: (name: keyof typeof titles) => object) =>
    Object.fromEntries(Object.entries(titles).map(([name, title]) => [title, toRow(name as keyof typeof titles)]))
  console.log(`Median of ${runs}, ${slowDown}× slower`)
  printTable(
    rowsOf((name) => {
      const budget = budgets[name]
      const most = budget && ('most' in budget ? budget.most : budget.factor * (mui[budget.of ?? name] ?? Number.NaN))
      const ours = kit[name]
      return {
        ...{ React: react[name], MUI: mui[name], ours, '÷ MUI': ours && mui[name] && ours / mui[name] },
        ...(budget && { 'at most': describeBudget(budget), within: (ours ?? Number.NaN) <= (most ?? 0) }),
      }
    }),
  )
  if (Object.keys(others).length > 0)
    printTable(
      rowsOf((name) => ({
        ours: kit[name],
        ...Object.fromEntries(Object.entries(others).map(([other, figures]) => [other, figures[name]])),
      })),
    )
  console.log(`\nThe machine's load: ${before[0]?.toFixed(1)} before, ${loadavg()[0]?.toFixed(1)} after.`)
}

async function addPage(built: Build, file: string, page: Pick<BenchPage, 'name' | 'kind' | 'targets'>) {
  const site = await serveFolder(built.folder)
  const started = new Set(filesOf(built, [file]).map((path) => `${site.url}/${relative(built.folder, path)}`))
  pages.push({ ...page, site, started, url: `${site.url}/${file}` })
}

async function measure(browser: Browser, page: BenchPage): Promise<Figures> {
  return {
    ...(await measureOpening(browser, page)),
    ...(await measureWork(browser, page)),
    ...(page.kind === 'kit' && (await measureConnecting(browser, page))),
  }
}

function describeBudget(budget: Budget): string {
  return 'most' in budget ? `${budget.most}` : `${budget.factor} × MUI${budget.of ? ', first open' : ''}`
}

/** Returns the total size of scripts in kB. */
function kilobytes(site: Site, scripts: Iterable<string>): number {
  return [...scripts].reduce((sum, url) => sum + site.sizeOf(url), 0) / 1_000
}

/** Opens a page. Requests of other kits to their hosts may fail and repeat. */
async function open(browser: Browser, { name, targets }: BenchPage, options: Partial<Parameters<typeof openPage>[1]>) {
  const opened = await openPage(browser, { rpcUrl: chain.url, first: { button: targets.button }, ...options })
  const isRival = name in rivals
  return {
    ...opened,
    settle: (quiet: number) => opened.settle(quiet).catch((thrown) => !isRival && Promise.reject(thrown)),
    close: async () => {
      if (!isRival && opened.errors.length > 0) throw new Error(`${name}: ${opened.errors.join(', ')}`)
      await opened.close()
    },
  }
}

/** Closes the dialog with Escape or with its button. */
async function closeDialog(page: Page, { row, close }: Targets): Promise<void> {
  const isGone = (timeout: number) => page.waitForFunction((row) => !window.watch.place(row), row, { timeout })
  await page.keyboard.press('Escape')
  await isGone(2_500).catch(async (thrown) => {
    const place = close && (await page.evaluate((target) => window.watch.place(target), close))
    if (!place) throw thrown
    await page.mouse.click(place.x, place.y)
    await isGone(10_000)
  })
  await page.mouse.move(700, 880)
}

async function measureOpening(browser: Browser, bench: BenchPage): Promise<Figures> {
  const { url, site, started, kind, targets } = bench
  const { page, scripts, outside, settle, clickAndOpen, close } = await open(browser, bench, { slowDown })
  await page.goto(url, { waitUntil: 'commit' })
  const figures: Figures = { button: await page.evaluate(() => window.watch.first.button) }
  await settle(1_500)
  figures.js = kilobytes(site, started)
  figures.files = started.size
  figures.jsIdle = kilobytes(site, scripts)
  figures.outside = new Set(outside).size

  if (kind !== 'button') {
    const first = await clickAndOpen(targets.button, targets.row)
    await settle(1_000)
    figures.rows = first.rows
    figures.settled = first.settled
    figures.dialogJs = kilobytes(site, scripts) - figures.js
    await closeDialog(page, targets)
    await settle(500)
    figures.rowsAgain = (await clickAndOpen(targets.button, targets.row)).rows
  }
  if (kind !== 'kit') {
    await page.reload({ waitUntil: 'commit' })
    figures.reload = await page.evaluate(() => window.watch.first.button)
  }
  await close()
  return figures
}

/** Measures the processor time of the main thread, without throttling. */
async function measureWork(browser: Browser, bench: BenchPage): Promise<Figures> {
  const { page, settle, clickAndOpen, work, close } = await open(browser, bench, { time: 'threadTicks' })
  const { url, kind, targets } = bench
  const before = await work()
  await page.goto(url, { waitUntil: 'commit' })
  await page.evaluate(() => window.watch.first.button)
  await settle(1_000)
  const figures: Figures = { cpuLoad: (await work()) - before }
  if (kind !== 'button')
    for (const figure of ['cpuOpen', 'cpuOpenAgain'] as const) {
      const closed = await work()
      await clickAndOpen(targets.button, targets.row)
      await settle(500)
      figures[figure] = (await work()) - closed
      await closeDialog(page, targets)
      await settle(300)
    }
  await close()
  return figures
}

async function measureConnecting(browser: Browser, bench: BenchPage): Promise<Figures> {
  const { button, walletRow, address } = bench.targets
  const { page, outside, calls, settle, clickAndOpen, clickAndSee, close } = await open(browser, bench, {
    slowDown,
    wallet: 'announced',
    first: { button, address },
  })
  await page.goto(bench.url, { waitUntil: 'commit' })
  await page.evaluate(() => window.watch.first.button)
  await settle(1_000)
  await clickAndOpen(button, walletRow)
  await settle(800)

  const figures: Figures = { address: await clickAndSee(walletRow, address) }
  await settle(3_000)
  figures.calls = calls.length
  figures.outsideConnected = new Set(outside).size

  await page.reload({ waitUntil: 'commit' })
  figures.reload = await page.evaluate(() => window.watch.first.address)
  await settle(300)
  const flashed = page.evaluate(() =>
    Promise.race([window.watch.first.button?.then(() => 1), new Promise<number>((end) => setTimeout(end, 50, 0))]),
  )
  figures.flash = (await flashed) ?? 0
  await close()
  return figures
}
