/**
 * `pnpm bench:kit [--runs 9] [--json]`: measures a page with the kit's button beside the same page without the kit: see
 * docs/benchmarks.md. Figures depend on the machine, ratios less so.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { Browser } from '@playwright/test'
import { startAnvil } from '../demo-chain/anvil.ts'
import { installMulticall3 } from '../demo-chain/multicall3.ts'
import { createRpc } from '../demo-chain/rpc.ts'
import { buildHostPage, filesOf, type HostPage } from '../lib/builds.ts'
import { freePort } from '../vitest/freePort.ts'
import { medians, printTable, readNumber, short } from './figures.ts'
import { launchAlone, openPage } from './openPage.ts'
import { type Site, serveFolder } from './serveFolder.ts'

type Figures = Partial<Record<keyof typeof titles, number>>

const titles = {
  js: 'JS before the click, kB',
  files: 'files',
  dialogJs: 'click → dialog, kB',
  outside: 'outside hosts before the click',
  button: 'button visible, ms',
  rows: 'first open: rows painted, ms',
  settled: 'first open: settled, ms',
  rowsAgain: 'second open: rows painted, ms',
  address: 'row click → address, ms',
  reload: 'reload → address, ms',
  flash: 'reloads that flash "Connect Wallet"',
  calls: 'node calls to connected',
  outsideConnected: 'outside hosts until connected',
  cpuLoad: 'work: load, ms of CPU',
  cpuOpen: 'work: first open, ms of CPU',
  cpuOpenAgain: 'work: second open, ms of CPU',
}

/** The budgets, from measurements of other kits (docs/benchmarks.md). A factor is relative to the MUI page. */
const budgets: Partial<Record<keyof typeof titles, { most: number } | { factor: number }>> = {
  js: { most: 125 },
  files: { most: 5 },
  dialogJs: { most: 40 },
  outside: { most: 0 },
  button: { factor: 1.1 },
  rows: { factor: 1.3 },
  settled: { most: 250 },
  rowsAgain: { factor: 1.1 },
  address: { most: 80 },
  reload: { most: 230 },
  flash: { most: 0 },
  calls: { most: 1 },
  outsideConnected: { most: 0 },
}

const button = { css: 'button', text: '^connect' }
const row = { css: '[role=dialog] button', text: 'metamask' }
const address = { css: 'button', text: '0xf3' }
const slowDown = 4

const runs = readNumber('runs', 9)
const folder = mkdtempSync(join(tmpdir(), 'lineage-bench-'))
const chain = await startAnvil({ port: await freePort() })
await installMulticall3(createRpc(chain.rpcUrl))
const sites = {} as Record<HostPage, Site>
/** The scripts that each page starts with; others are loaded later. */
const started = {} as Record<HostPage, Set<string>>
for (const page of ['react', 'mui', 'kit'] as const) {
  const built = await buildHostPage(page, join(folder, page), chain.rpcUrl)
  sites[page] = await serveFolder(built.folder)
  const files = filesOf(built, [`${page}.html`])
  started[page] = new Set(files.map((file) => `${sites[page].url}/${relative(built.folder, file)}`))
}

const measured: Record<HostPage, Figures[]> = { react: [], mui: [], kit: [] }
const before = loadavg()
for (let run = 0; run < runs; run++) {
  const browser = await launchAlone()
  // The pages take turns, in alternating order, so that a busy moment affects all of them.
  const order: HostPage[] = run % 2 ? ['kit', 'mui', 'react'] : ['react', 'mui', 'kit']
  for (const page of order) measured[page].push(await measure(browser, page))
  await browser.close()
  console.error(`run ${run + 1} of ${runs}`)
}
await Promise.all(Object.values(sites).map((site) => site.close()))
await chain.stop()
rmSync(folder, { recursive: true })

const [react, mui, kit] = [medians(measured.react), medians(measured.mui), medians(measured.kit)]
if (process.argv.includes('--json'))
  console.log(
    JSON.stringify({
      date: new Date().toISOString(),
      runs,
      slowDown,
      load: [before[0], loadavg()[0]],
      react,
      mui,
      kit,
    }),
  )
else {
  const names = Object.keys(titles) as (keyof typeof titles)[]
  printTable([
    [`median of ${runs}, ${slowDown}× slower`, 'React', 'MUI', 'ours', '÷ MUI', 'at most', ''],
    ...names.map((name) => {
      const budget = budgets[name]
      const most = budget && ('most' in budget ? budget.most : budget.factor * (mui[name] ?? Number.NaN))
      const ours = kit[name] ?? Number.NaN
      return [
        titles[name],
        short(react[name]),
        short(mui[name]),
        short(ours),
        mui[name] ? (ours / mui[name]).toFixed(2) : '',
        budget ? ('factor' in budget ? `${budget.factor} × MUI` : `${budget.most}`) : '',
        most === undefined ? '' : ours <= most ? '✓' : '✗',
      ]
    }),
  ])
  console.log(`\nThe machine's load: ${before[0]?.toFixed(1)} before, ${loadavg()[0]?.toFixed(1)} after.`)
}

async function measure(browser: Browser, page: HostPage): Promise<Figures> {
  return {
    ...(await measureOpening(browser, page)),
    ...(await measureWork(browser, page)),
    ...(page === 'kit' && (await measureConnecting(browser))),
  }
}

function urlOf(page: HostPage): string {
  return `${sites[page].url}/${page}.html`
}

/** Returns the size of scripts in kB. */
function kilobytes(site: Site, scripts: Iterable<string>): number {
  return [...scripts].reduce((sum, url) => sum + site.sizeOf(url), 0) / 1_000
}

async function measureOpening(browser: Browser, name: HostPage): Promise<Figures> {
  const { page, scripts, outside, errors, settle, clickAndOpen, close } = await openPage(browser, {
    rpcUrl: chain.rpcUrl,
    slowDown,
    first: { button },
  })
  await page.goto(urlOf(name), { waitUntil: 'commit' })
  const figures: Figures = { button: await page.evaluate(() => window.watch.first.button) }
  await settle(1_500)
  figures.js = kilobytes(sites[name], started[name])
  figures.files = started[name].size
  figures.outside = new Set(outside).size

  if (name !== 'react') {
    const first = await clickAndOpen(button, row)
    await settle(1_000)
    figures.rows = first.rows
    figures.settled = first.settled
    figures.dialogJs = kilobytes(sites[name], scripts) - figures.js
    await page.keyboard.press('Escape')
    await page.mouse.move(700, 880)
    await page.waitForSelector('[role=dialog]', { state: 'detached' })
    await settle(500)
    figures.rowsAgain = (await clickAndOpen(button, row)).rows
  }
  if (errors.length > 0) throw new Error(`${name}: ${errors.join(', ')}`)
  await close()
  return figures
}

/** Measures the main thread's time on the processor, without a slow-down. */
async function measureWork(browser: Browser, name: HostPage): Promise<Figures> {
  const { page, settle, clickAndOpen, work, close } = await openPage(browser, {
    rpcUrl: chain.rpcUrl,
    time: 'threadTicks',
    first: { button },
  })
  const before = await work()
  await page.goto(urlOf(name), { waitUntil: 'commit' })
  await page.evaluate(() => window.watch.first.button)
  await settle(1_000)
  const figures: Figures = { cpuLoad: (await work()) - before }
  if (name !== 'react')
    for (const figure of ['cpuOpen', 'cpuOpenAgain'] as const) {
      const closed = await work()
      await clickAndOpen(button, row)
      await settle(500)
      figures[figure] = (await work()) - closed
      await page.keyboard.press('Escape')
      await page.mouse.move(700, 880)
      await page.waitForSelector('[role=dialog]', { state: 'detached' })
      await settle(300)
    }
  await close()
  return figures
}

async function measureConnecting(browser: Browser): Promise<Figures> {
  const { page, outside, calls, errors, settle, clickAndOpen, clickAndSee, close } = await openPage(browser, {
    rpcUrl: chain.rpcUrl,
    slowDown,
    wallet: 'announced',
    first: { button, address },
  })
  await page.goto(urlOf('kit'), { waitUntil: 'commit' })
  await page.evaluate(() => window.watch.first.button)
  await settle(1_000)
  await clickAndOpen(button, row)
  await settle(800)

  const figures: Figures = { address: await clickAndSee(row, address) }
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
  if (errors.length > 0) throw new Error(`connecting: ${errors.join(', ')}`)
  await close()
  return figures
}
