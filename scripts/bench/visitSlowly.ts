import type { Browser, CDPSession } from '@playwright/test'

/** A cheap phone on a slow line: 400 kbit/s, 400 ms, a processor six times slower, 360 px. */
const line = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }
const slowDown = 6

/** Limits of a first visit. */
export const slowLimits = { readable: 2_500, works: 7_000, bytes: 200_000, requests: 25, shift: 0 }

export type SlowVisit = Record<keyof typeof slowLimits, number>

/**
 * Opens a page as a first visitor. Returns the milliseconds until its answer can be read and until presses work, what was
 * loaded until then, and how much the page has moved.
 */
export async function visitSlowly(browser: Browser, url: string): Promise<SlowVisit> {
  const context = await browser.newContext({ viewport: { width: 360, height: 640 }, locale: 'zh-CN' })
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', line)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowDown })
  const loaded = countRequests(cdp)
  await page.addInitScript(watchStart)
  await page.goto(url, { waitUntil: 'commit' })
  await page.waitForFunction(() => window.start?.works)
  const until = loaded()
  await page.waitForLoadState('networkidle')
  const { readable = Number.NaN, works = Number.NaN, shift } = await page.evaluate(() => window.start)
  await context.close()
  return { readable, works, shift, ...until }
}

/** Returns a function that returns the number of requests so far, and their bytes. */
function countRequests(cdp: CDPSession): () => { requests: number; bytes: number } {
  let requests = 0
  let bytes = 0
  cdp.on('Network.requestWillBeSent', () => requests++)
  cdp.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  return () => ({ requests, bytes })
}

declare global {
  interface Window {
    start: { readable?: number; works?: number; shift: number }
  }
}

/** Notes when the heading and the answer of the page are there, and when React has taken over its controls. */
function watchStart(): void {
  window.start = { shift: 0 }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) window.start.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  const isTaken = (element: Element) => Object.keys(element).some((key) => key.startsWith('__reactProps'))
  const look = () => {
    const { start } = window
    const controls = document.querySelectorAll('header button, main h1, main button')
    if (document.querySelector('main h1') && !document.querySelector('main [role="status"][aria-label]'))
      start.readable ??= performance.now()
    if (controls.length > 0 && [...controls].every(isTaken)) start.works ??= performance.now()
    if (start.works === undefined) setTimeout(look, 20)
  }
  look()
}
