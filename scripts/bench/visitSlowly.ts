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
  const countUntil = watchRequests(cdp)
  await page.addInitScript(watchStart)
  await page.goto(url, { waitUntil: 'commit' })
  await page.waitForFunction(() => window.start?.works)
  await page.waitForLoadState('networkidle')
  const { readable = Number.NaN, works = Number.NaN, shift } = await page.evaluate(() => window.start)
  const until = countUntil((await page.evaluate(() => performance.timeOrigin)) + works)
  await context.close()
  return { readable, works, shift, ...until }
}

/** Returns a function that returns the number of requests until a time in milliseconds since 1970, and their bytes. */
function watchRequests(cdp: CDPSession): (time: number) => { requests: number; bytes: number } {
  // The browser's clock of events, in seconds, starts at any time.
  let clockStart = 0
  const begun: number[] = []
  const ended: { at: number; bytes: number }[] = []
  cdp.on('Network.requestWillBeSent', ({ timestamp, wallTime }) => {
    clockStart = wallTime - timestamp
    begun.push(wallTime * 1_000)
  })
  cdp.on('Network.loadingFinished', ({ timestamp, encodedDataLength }) => {
    ended.push({ at: (clockStart + timestamp) * 1_000, bytes: encodedDataLength })
  })
  return (time) => ({
    requests: begun.filter((at) => at <= time).length,
    bytes: ended.reduce((sum, { at, bytes }) => (at <= time ? sum + bytes : sum), 0),
  })
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
  // The visitor's own labels are no answer: the browser has them.
  const isAnswer = (waiting: Element) => waiting.closest('section')?.querySelector('h2')?.textContent !== '备注与关注'
  const look = () => {
    const { start } = window
    const controls = document.querySelectorAll('header button, main h1, main button')
    const waiting = [...document.querySelectorAll('main [role="status"][aria-label]')]
    if (document.querySelector('main h1') && !waiting.some(isAnswer)) start.readable ??= performance.now()
    if (controls.length > 0 && [...controls].every(isTaken)) start.works ??= performance.now()
    if (start.works === undefined) setTimeout(look, 20)
  }
  look()
}
