import { setTimeout as delay } from 'node:timers/promises'
import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test'
import { findBrowser } from '../lib/browser.ts'
import { type Target, watchPage } from './watchPage.ts'

/** Starts a browser that can reach only this machine: every other name fails to resolve at once. */
export async function launchAlone(): Promise<Browser> {
  const { executablePath, args } = await findBrowser()
  const alone = '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1'
  const quiet = ['--disable-gpu', '--disable-background-networking', '--disable-component-update', '--no-proxy-server']
  const browser = await chromium.launch({ executablePath, args: [...args, alone, ...quiet, '--no-first-run'] })
  const warm = await browser.newPage()
  await warm.goto('data:text/html,<p>warm')
  await warm.close()
  return browser
}

export type PageOptions = {
  /** Elements by name; `window.watch.first` has the time when each was first visible. */
  first?: Record<string, Target>
  /** URL of the node that the page reads from. */
  rpcUrl: string
  wallet?: 'announced' | 'none'
  /** Factor by which the processor is slowed down. */
  slowDown?: number
  /** Kind of time that the browser adds up: wall-clock time, or processor time, which other programs disturb less. */
  time?: 'timeTicks' | 'threadTicks'
  locale?: string
}

/** Opens a page in a fresh profile and records its requests without changing them. */
export async function openPage(browser: Browser, options: PageOptions) {
  const { first = {}, rpcUrl, wallet = 'none', slowDown = 1, time = 'timeTicks', locale = 'en-US' } = options
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale, colorScheme: 'light' })
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  const requests = recordRequests(page, cdp, rpcUrl)
  await cdp.send('Network.enable')
  await cdp.send('Performance.enable', { timeDomain: time })
  if (slowDown !== 1) await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowDown })
  if (wallet === 'announced') await page.addInitScript(injectWallet, rpcUrl)
  await page.addInitScript(watchPage, first)

  return {
    page,
    errors,
    ...requests,
    /** Clicks an element. Returns the milliseconds from the click until `shown` is visible. */
    clickAndSee: async (target: Target, shown: Target) => {
      const { clickedAt, answer } = await click(page, target, () =>
        page.evaluate((shown) => window.watch.seen(shown), shown),
      )
      return answer - clickedAt
    },
    /** Clicks to open a dialog. Returns the milliseconds until its row is visible, and until it no longer moves. */
    clickAndOpen: async (target: Target, row: Target) => {
      const { clickedAt, answer } = await click(page, target, () =>
        page.evaluate((row) => window.watch.opened(row), row),
      )
      return { rows: answer.rows - clickedAt, settled: answer.settled - clickedAt }
    },
    /** Returns the main thread's work so far, in ms. */
    work: () => readWork(cdp),
    close: () => context.close(),
  }
}

/** Records the requests of a page: its scripts, other hosts, and methods of the node. */
function recordRequests(page: Page, cdp: CDPSession, rpcUrl: string) {
  const scripts = new Set<string>()
  const outside: string[] = []
  const calls: string[] = []
  const open = new Set<string>()
  let changedAt = Date.now()

  const visit = (address: string) => {
    const { protocol, hostname, host } = new URL(address)
    if (/^(http|ws)s?:$/.test(protocol) && hostname !== 'localhost' && hostname !== '127.0.0.1') outside.push(host)
  }
  page.on('websocket', (socket) => visit(socket.url()))
  cdp.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
    changedAt = Date.now()
    open.add(requestId)
    visit(request.url)
    if (type === 'Script' || /\.js(\?|$)/.test(request.url)) scripts.add(request.url)
    if (request.url === new URL(rpcUrl).href && request.method === 'POST') {
      const asked = JSON.parse(request.postData ?? '[]')
      calls.push(...[asked].flat().map(({ method }: { method: string }) => method))
    }
  })
  const end = ({ requestId }: { requestId: string }) => {
    changedAt = Date.now()
    open.delete(requestId)
  }
  cdp.on('Network.loadingFinished', end)
  // A stream that has begun stays open as long as the page.
  cdp.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.mimeType === 'text/event-stream') open.delete(requestId)
  })
  cdp.on('Network.loadingFailed', end)

  /** Waits until there has been no request for `quiet` ms. */
  async function settle(quiet: number) {
    const from = Date.now()
    while (open.size > 0 || Date.now() - Math.max(changedAt, from) < quiet) {
      if (Date.now() - from > 20_000) throw new Error('The page still makes requests after 20 s.')
      await delay(20)
    }
  }
  return { scripts, outside, calls, settle }
}

/** Clicks an element. `then` starts to wait before the click, because a later call would disturb the page. */
async function click<answer>(page: Page, target: Target, then: () => Promise<answer>) {
  const place = await page.evaluate((target) => window.watch.place(target), target)
  if (!place) throw new Error(`No element ${target.css} has the text ${target.text}.`)
  const count = await page.evaluate(() => window.watch.clicks.length)
  const answer = then()
  // From here on the page watches for the element.
  await page.evaluate(() => new Promise(requestAnimationFrame))
  await page.mouse.move(place.x, place.y)
  await page.mouse.down()
  await page.mouse.up()
  const answered = await answer
  const clickedAt = await page.evaluate((count) => window.watch.clicks[count], count)
  if (clickedAt === undefined) throw new Error(`The page got no click on ${target.css}.`)
  return { clickedAt, answer: answered }
}

async function readWork(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000
}

/**
 * Announces a wallet like an extension (EIP-6963). It approves at once and remembers that. It does little else, so
 * that it does not disturb the measurement. It forwards reads to the node, marked `?via=wallet`. It is inserted into
 * the page as text.
 */
function injectWallet(rpcUrl: string): void {
  if (window.top !== window) return
  const account = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
  const isGranted = () => localStorage.getItem('bench-wallet') === 'granted'
  const grant = () => localStorage.setItem('bench-wallet', 'granted')

  const answers: Record<string, () => unknown> = {
    eth_chainId: () => '0x38',
    net_version: () => '56',
    eth_accounts: () => (isGranted() ? [account] : []),
    eth_requestAccounts: () => {
      grant()
      return [account]
    },
    // wagmi asks for permissions.
    wallet_requestPermissions: () => {
      grant()
      return [{ parentCapability: 'eth_accounts', caveats: [{ type: 'restrictReturnedAccounts', value: [account] }] }]
    },
    wallet_switchEthereumChain: () => null,
  }
  const passOn = async (method: string, params: unknown) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${rpcUrl}?via=wallet`, { method: 'POST', headers, body })
    return (await answer.json()).result
  }
  const provider = {
    isMetaMask: true,
    on: () => {},
    removeListener: () => {},
    request: async ({ method, params = [] }: { method: string; params?: unknown }) =>
      answers[method] ? answers[method]() : passOn(method, params),
  }
  const icon =
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><path fill='%23f6851b' d='M0 0h32v32H0z'/></svg>"
  const info = { uuid: '350670db-19fa-4704-a166-e52e178b59d2', name: 'MetaMask', rdns: 'io.metamask', icon }
  const detail = Object.freeze({ info: Object.freeze(info), provider })
  const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
}
