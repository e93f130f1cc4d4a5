// @vitest-environment node
import { devices, type Page } from '@playwright/test'
import { beforeAll, describe, expect, test } from 'vitest'
import { createHostPages, type HostPageOptions, type HostSettings, pageOf } from '../../../test/hostPage.ts'

/** Records every element that gets the focus. */
const watch = `
  window.visited = []
  addEventListener('focusin', ({ target }) => window.visited.push(target.getAttribute('role') ?? target.tagName), true)
`
const kit = (page: Page, call: string) => page.evaluate(`void window.kit.${call}`)
const closed = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' })
const focused = (page: Page) =>
  page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.textContent}`)
const overflowOf = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).overflow)
const isOnDialog = (page: Page) => page.evaluate('document.activeElement.matches("[role=dialog]")')
/** Makes a change, and returns the elements that the focus went to. */
const visit = async (page: Page, change: () => Promise<unknown>) => {
  await page.evaluate('void (window.visited.length = 0)')
  await change()
  return page.evaluate('window.visited')
}

/** Records the sizes that the page has with its button, and what of the kit's dialog is at points of the viewport before it opens. */
const watchSize = `
  window.sizes = []
  window.seen = []
  const look = () => {
    const { scrollWidth, scrollHeight } = document.documentElement
    const size = scrollWidth + ' ' + scrollHeight
    if (document.querySelector('button') && window.sizes.at(-1) !== size) window.sizes.push(size)
    const points = [0.2, 0.5, 0.8].map((part) => document.elementFromPoint(innerWidth / 2, innerHeight * part))
    const of = points.find((element) => element?.closest('dialog:not([open])'))
    if (of) window.seen.push(of.outerHTML)
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)`

describe.each(['production', 'development'] as const)("React's build for %s", (mode) => {
  let pages: Awaited<ReturnType<typeof createHostPages>>
  beforeAll(async () => {
    pages = await createHostPages({ mode })
  })

  const open = async (settings: HostSettings = {}) => {
    const { page } = await pages.open({ settings: { authentication: {}, ...settings }, init: watch })
    await page.getByRole('button', { name: 'Connect Wallet' }).waitFor()
    await page.evaluate('window.kit.connect({ walletId: "metaMask" }).then(() => {})')
    return page
  }
  const openAccount = async (page: Page) => {
    await page.getByRole('button', { name: /0xd8…6045/ }).press('Enter')
    await page.getByRole('dialog', { name: 'Account' }).waitFor()
  }

  test('a router replaces the body while a dialog is open, and keeps the button: the focus returns to it', async () => {
    const { page } = await pages.open({ init: watch })
    await page.getByRole('button', { name: 'Connect Wallet' }).press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.evaluate(`{
      const next = document.createElement('body')
      next.append(document.getElementById('root'))
      document.body.replaceWith(next)
    }`)
    await expect.poll(() => isOnDialog(page)).toBe(true)
    await page.keyboard.press('Escape')
    await closed(page)
    expect(await focused(page)).toBe('BUTTON Connect Wallet')
  })

  test('a field of the app that takes the focus when a wallet connects keeps it', async () => {
    const { page } = await pages.open({ settings: { field: true }, init: watch })
    await page.getByRole('button', { name: 'Connect Wallet' }).click()
    await page.getByRole('button', { name: /MetaMask/ }).click()
    await closed(page)
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Amount')
  })

  test('a button that goes away with its rows: the focus moves to the title at once', async () => {
    const page = await open()
    await kit(page, 'addTransaction({ hash: "0x" + "a".repeat(64), description: "Joined" })')
    await openAccount(page)
    const clear = page.getByRole('button', { name: 'Clear All' })
    await clear.focus()
    expect(await visit(page, () => page.keyboard.press('Enter'))).toEqual(['H2'])
    await clear.waitFor({ state: 'detached' })
    expect(await focused(page)).toBe('H2 Account')
  })

  test('a focused row that the app removes: the focus moves to the title at once', async () => {
    const page = await open()
    await kit(page, 'addTransaction({ hash: "0x" + "a".repeat(64), description: "Joined" })')
    await openAccount(page)
    await page.getByRole('link', { name: /Joined/ }).focus()
    expect(await visit(page, () => kit(page, 'clearTransactions()'))).toEqual(['H2'])
  })

  test('Retry, which goes away while the balance is read: the focus moves to the title at once', async () => {
    const page = await open({ failingNode: true })
    await openAccount(page)
    await page.getByRole('button', { name: 'Retry' }).focus()
    await page.evaluate('void (window.settings.failingNode = false)')
    const visited = visit(page, () =>
      page.keyboard.press('Enter').then(() => page.getByText('1.23 BNB').last().waitFor()),
    )
    expect(await visited).toEqual(['H2'])
  })

  test('a change elsewhere leaves the focus where it is', async () => {
    const page = await open()
    await kit(page, 'addTransaction({ hash: "0x" + "a".repeat(64), description: "Joined" })')
    await openAccount(page)
    await page.getByRole('button', { name: 'Copy Address' }).focus()
    expect(await visit(page, () => kit(page, 'clearTransactions()'))).toEqual([])
    expect(await focused(page)).toBe('BUTTON Copy Address')
  })

  test('a dialog after another one gets the focus, and gives it back to the element that opened the first', async () => {
    const page = await open()
    await openAccount(page)
    await page.getByRole('button', { name: 'Sign In' }).press('Enter')
    await page.getByRole('dialog', { name: 'Verify your account' }).waitFor()
    expect(await isOnDialog(page)).toBe(true)
    await kit(page, 'openNetworkDialog()')
    await page.getByRole('dialog', { name: 'Switch Networks' }).waitFor()
    expect(await isOnDialog(page)).toBe(true)
    await page.getByRole('button', { name: 'Ethereum' }).focus()
    await kit(page, 'openAccountDialog()')
    await page.getByRole('dialog', { name: 'Account' }).waitFor()
    expect(await isOnDialog(page)).toBe(true)
    await page.keyboard.press('Escape')
    await closed(page)
    expect(await focused(page)).toContain('BUTTON')
    expect(await focused(page)).toContain('0xd8…6045')
  })

  test('the element that opened the first of two dialogs is gone: the focus goes to the one nearest to its place', async () => {
    const page = await open()
    await page.evaluate(() => {
      document.body.insertAdjacentHTML(
        'beforeend',
        '<div><button id="item">Item</button><a href="#near">Near</a></div>',
      )
      document.getElementById('item')?.focus()
    })
    await kit(page, 'openAccountDialog()')
    await page.getByRole('dialog', { name: 'Account' }).waitFor()
    await page.evaluate(() => document.getElementById('item')?.remove())
    await kit(page, 'openNetworkDialog()')
    await page.getByRole('dialog', { name: 'Switch Networks' }).waitFor()
    await page.keyboard.press('Escape')
    await closed(page)
    expect(await focused(page)).toBe('A Near')
  })

  const early = (page: Page) => page.locator('dialog')
  const beIdle = async (page: Page) => {
    for (let turn = 0; turn < 10; turn++)
      await page.evaluate('new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve)))')
  }
  const laidOut = (page: Page) =>
    page.waitForFunction('document.querySelector("dialog").style.contentVisibility === "hidden"')
  /** Opens a page, and waits for the connect dialog that it renders when it is idle. */
  const openIdle = async (options: HostPageOptions = {}) => {
    const { page, problems } = await pages.open(options)
    await early(page).waitFor({ state: 'attached' })
    return { page, problems }
  }

  test('behavior: the connect dialog is rendered before the first press, hidden, and follows the wallets', async () => {
    const { page, problems } = await openIdle()
    expect(await early(page).isVisible()).toBe(false)
    await page.evaluate(`{
      const provider = { ...window.wallet.provider }
      const detail = Object.freeze({ info: Object.freeze({ uuid: 'late', name: 'Late Wallet', icon: '', rdns: 'example.late' }), provider })
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    }`)
    await page.getByRole('button', { name: 'Connect Wallet' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Late Wallet' }).waitFor()
    // The icons of all rows in view.
    const drawn = page.getByRole('dialog').locator('.wk-row img').filter({ visible: true })
    await expect.poll(() => drawn.count()).toBeGreaterThan(4)
    expect(problems).toEqual([])
  })

  test('behavior: an early dialog opens with the styles that it has: the browser computes only those of what changes', async () => {
    const { page } = await openIdle()
    await laidOut(page)
    const inside = await page.evaluate<number>('document.querySelectorAll("dialog *").length')
    const session = await page.context().browser()?.newBrowserCDPSession()
    type Traced = { name: string; args?: { elementCount?: number } }
    const computed: number[] = []
    session?.on('Tracing.dataCollected', ({ value }) => {
      for (const { name, args } of value as unknown as Traced[])
        if (name === 'UpdateLayoutTree') computed.push(args?.elementCount ?? 0)
    })
    await session?.send('Tracing.start', { traceConfig: { includedCategories: ['devtools.timeline'] } })
    await page.evaluate('void window.kit.openConnectDialog()')
    await page.getByRole('dialog').waitFor()
    const complete = new Promise((resolve) => session?.once('Tracing.tracingComplete', resolve))
    await session?.send('Tracing.end')
    await complete
    expect(Math.max(...computed)).toBeLessThan(inside / 2)
  })

  test('behavior: opened with a wallet, it shows that wallet; opened again, the list', async () => {
    const { page } = await openIdle()
    await kit(page, 'openConnectDialog({ walletId: "rabby" })')
    await page.getByRole('heading', { name: /Rabby/ }).waitFor()
    await page.keyboard.press('Escape')
    await closed(page)
    await page.getByRole('button', { name: 'Connect Wallet' }).click()
    await page.getByRole('heading', { name: 'What is a Wallet?' }).waitFor()
  })

  test('behavior: closed and opened in one frame: the page scrolls again after the second one', async () => {
    const { page } = await openIdle()
    const button = page.getByRole('button', { name: 'Connect Wallet' })
    await button.click()
    await page.getByRole('dialog').waitFor()
    await page.evaluate('window.kit.closeDialog(); void window.kit.openConnectDialog()')
    await page.getByRole('dialog').waitFor()
    expect(await overflowOf(page)).toBe('hidden')
    await page.keyboard.press('Escape')
    await closed(page)
    await expect.poll(() => overflowOf(page)).toBe('visible')
    expect(await focused(page)).toBe('BUTTON Connect Wallet')
  })

  test('behavior: two kits, one closed and the other opened in one tick: the page scrolls again after the second one', async () => {
    const { page } = await pages.open({ settings: { kit: { id: 'one' }, second: { id: 'two' } }, init: watch })
    for (const [first, other] of [
      ['kit', 'second'],
      ['second', 'kit'],
    ]) {
      await page.evaluate(`void window.${first}.openConnectDialog()`)
      await page.getByRole('dialog').waitFor()
      await page.evaluate(`window.${first}.closeDialog(); void window.${other}.openConnectDialog()`)
      await expect.poll(() => page.getByRole('dialog').count()).toBe(1)
      expect(await overflowOf(page)).toBe('hidden')
      await page.keyboard.press('Escape')
      await closed(page)
      await expect.poll(() => overflowOf(page)).toBe('visible')
    }
  })

  test.each([
    ['its body', 'html, body { height: 100% } body { overflow-x: hidden }'],
    ['its root', 'html { overflow-y: scroll } html, body { height: 100% }'],
  ])(
    'behavior: a page that sets the overflow of %s: it stays where it was scrolled to, and is not scrolled',
    async (_, css) => {
      const { page } = await pages.open({ html: pageOf('', `<style>${css} main { height: 3000px }</style>`) })
      await page.getByRole('button', { name: 'Connect Wallet' }).waitFor()
      const scrolled = () => page.locator('main').evaluate((main) => main.getBoundingClientRect().y)
      await page.mouse.wheel(0, 500)
      await expect.poll(scrolled).toBeLessThan(-400)
      const before = await scrolled()
      await kit(page, 'openConnectDialog()')
      await page.getByRole('dialog').waitFor()
      expect(await scrolled()).toBe(before)
      await page.mouse.wheel(0, 500)
      await page.keyboard.press('Escape')
      await closed(page)
      expect(await scrolled()).toBe(before)
      await page.mouse.wheel(0, 500)
      await expect.poll(scrolled).toBeLessThan(before)
    },
  )

  // As React Aria and Headless UI do.
  const openModal =
    'before = document.documentElement.style.overflow; document.documentElement.style.overflow = "hidden"'
  const closeModal = 'document.documentElement.style.overflow = before'
  const openDialog = 'void kit.openConnectDialog()'
  const closeDialog = 'kit.closeDialog()'
  test.each([
    ['opens before the dialog, and closes before it', [openModal, openDialog, closeModal, closeDialog]],
    ['opens before the dialog, and closes after it', [openModal, openDialog, closeDialog, closeModal]],
    ['opens above the dialog, and closes after it', [openDialog, openModal, closeDialog, closeModal]],
  ])('behavior: a modal that keeps the page from scrolling %s: the page scrolls after both', async (_, steps) => {
    const { page } = await openIdle()
    for (const [index, step] of steps.entries()) {
      await page.evaluate(step)
      if (step === openDialog) await page.getByRole('dialog').waitFor()
      expect(await overflowOf(page)).toBe(index < 3 ? 'hidden' : 'visible')
    }
  })

  test('behavior: a page that reserves room for a scroll bar at both sides: it keeps its place', async () => {
    const { page } = await openIdle({
      html: pageOf('', '<style>html { scrollbar-gutter: stable both-edges }</style>'),
      // The browser of tests hides scroll bars.
      init: 'Object.defineProperty(window, "innerWidth", { value: innerWidth + 1 })',
    })
    const place = () => page.locator('main').evaluate((main) => main.getBoundingClientRect().x)
    const before = await place()
    await kit(page, 'openConnectDialog()')
    await page.getByRole('dialog').waitFor()
    expect(await place()).toBe(before)
  })

  test('behavior: styles of the page for one direction stay', async () => {
    const { page } = await openIdle()
    await page.evaluate('document.documentElement.style.overflowX = "hidden"')
    await kit(page, 'openConnectDialog()')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await closed(page)
    expect(await page.evaluate('document.documentElement.getAttribute("style")')).toBe('overflow-x: hidden;')
  })

  test.each(['early', 'open'])(
    'behavior: something else empties the body, then the provider goes away with an %s dialog',
    async (kind) => {
      const { page, problems } = await openIdle()
      if (kind === 'open') await kit(page, 'openConnectDialog()')
      if (kind === 'open') await page.getByRole('dialog').waitFor()
      await page.evaluate('document.body.replaceChildren(document.getElementById("root")); window.root.unmount()')
      expect(await early(page).count()).toBe(0)
      expect(problems).toEqual([])
    },
  )

  test('behavior: the provider goes away with an open dialog: the page can be used and scrolled', async () => {
    const { page } = await openIdle()
    await page.getByRole('button', { name: 'Connect Wallet' }).click()
    await page.getByRole('dialog').waitFor()
    await page.evaluate('window.root.unmount()')
    expect(await overflowOf(page)).toBe('visible')
    expect(await early(page).count()).toBe(0)
  })

  test('behavior: a router empties the body each time, and keeps the button: every dialog opens, modal and styled', async () => {
    const { page, problems } = await openIdle()
    const shown = () =>
      page.evaluate(
        '[document.querySelectorAll("dialog:modal").length, document.querySelector("dialog").offsetWidth === innerWidth]',
      )
    const empty = () => page.evaluate('document.body.replaceChildren(document.getElementById("root"))')
    for (const _ of [1, 2]) {
      await early(page).waitFor({ state: 'attached' })
      await empty()
      await page.getByRole('button', { name: 'Connect Wallet' }).click()
      await page.getByRole('dialog').waitFor()
      expect(await shown()).toEqual([1, true])
      await empty()
      await expect.poll(shown).toEqual([1, true])
      await page.keyboard.press('Escape')
      await closed(page)
    }
    await early(page).waitFor({ state: 'attached' })
    await empty()
    await kit(page, 'connect({ walletId: "metaMask" })')
    const account = page.getByRole('button', { name: /0xd8…6045/ })
    await account.waitFor()
    await empty()
    await account.click()
    await page.getByRole('dialog', { name: 'Account' }).waitFor()
    expect(await shown()).toEqual([1, true])
    expect(problems).toEqual([])
  })

  test('behavior: a container in the document of another window: laid out for its width, arrow keys move the focus, Tab keeps it, and Escape closes', async () => {
    const { page } = await pages.open({
      html: pageOf('', '<iframe width="600" height="700"></iframe>'),
      init: 'settings.provider = { container: () => document.querySelector("iframe").contentDocument.body }',
    })
    await page.getByRole('button', { name: 'Connect Wallet' }).click()
    const dialog = page.frameLocator('iframe').getByRole('dialog')
    await dialog.waitFor()
    expect(await dialog.locator('.wk-paper').evaluate((it) => it.clientWidth)).toBe(368)
    const keys = async (key: string, count: number) => {
      const names: (string | null)[] = []
      for (let pressed = 0; pressed < count; pressed++) {
        await page.keyboard.press(key)
        names.push(await dialog.evaluate((it) => it.ownerDocument.activeElement?.textContent ?? null))
      }
      return names
    }
    expect(await keys('ArrowDown', 4)).toEqual(['', 'MetaMask', 'Rainbow', 'Coinbase Wallet'])
    const stops = await keys('Tab', 30)
    expect(stops.filter((text) => text?.includes('wallet-kit'))).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  test('behavior: an early dialog has no role and no disclaimer, and is hidden whatever the page says of dialogs', async () => {
    const html = pageOf('', '<style>dialog { display: flex !important; opacity: 1 !important }</style>')
    const { page } = await openIdle({ html, settings: { provider: { disclaimer: 'The terms' } } })
    expect(await early(page).isVisible()).toBe(false)
    expect(await page.locator('[role=dialog]').count()).toBe(0)
    expect(await page.getByText('The terms').count()).toBe(0)
    await page.getByRole('button', { name: 'Connect Wallet' }).click()
    await page.getByRole('dialog').getByText('The terms').waitFor()
  })

  test.each([
    ['shows everything', '* { visibility: visible !important; opacity: 1 !important }'],
    ['fades everything', '* { transition: all 300ms ease 100ms !important }'],
    ['moves dialogs', 'dialog { position: static !important; margin: 900px !important }'],
  ])(
    'behavior: a page that %s: an early dialog takes no room and no press, and gets the focus once it opens',
    async (_, css) => {
      const html = pageOf('', `<style>body { min-height: 120vh } ${css}</style>`)
      const { page } = await openIdle({ html, init: `{${watch}} {${watchSize}}` })
      await laidOut(page)
      expect(await page.getByRole('button').count()).toBe(1)
      expect(await page.evaluate('window.seen')).toEqual([])
      expect(await page.evaluate('window.sizes')).toHaveLength(1)
      await page.getByRole('button', { name: 'Connect Wallet' }).press('Enter')
      await page.getByRole('dialog').getByRole('button', { name: 'MetaMask', exact: true }).waitFor()
      expect(await page.evaluate('document.querySelector("dialog").contains(document.activeElement)')).toBe(true)
    },
  )

  test('behavior: a sheet rises when it opens, not while it is early', async () => {
    const context = devices['iPhone 15']
    const { page } = await openIdle({
      context,
      init: `
        window.rise = 0
        const look = () => {
          const paper = document.querySelector('dialog[open] > div')
          if (paper) window.rise = Math.max(window.rise, new DOMMatrix(getComputedStyle(paper).transform).f)
          requestAnimationFrame(look)
        }
        look()`,
    })
    await laidOut(page)
    await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished)).then(() => {})')
    await page.getByRole('button', { name: 'Connect Wallet' }).tap()
    await expect.poll(() => page.evaluate('window.rise')).toBeGreaterThan(0)
  })

  test('behavior: before the first press, no icon is asked of another host', async () => {
    const { page } = await openIdle({ settings: { icon: 'https://wallet.example/icon.svg' } })
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).hostname))
    await laidOut(page)
    await beIdle(page)
    expect(asked).not.toContain('wallet.example')
    await page.getByRole('button', { name: 'Connect Wallet' }).click()
    await expect.poll(() => asked).toContain('wallet.example')
  })

  test('behavior: a modal of the page has hidden the early dialog: screen readers find it once it opens', async () => {
    const { page } = await openIdle()
    await early(page).evaluate((dialog) => dialog.setAttribute('aria-hidden', 'true'))
    await page.getByRole('button', { name: 'Connect Wallet' }).click()
    await page.getByRole('dialog').waitFor()
  })

  test('error: an early dialog that fails is not rendered again before it opens', async () => {
    const { page } = await pages.open({
      init: `
        window.failures = 0
        const { split } = String.prototype
        String.prototype.split = function (...given) {
          if (!window.isMended && String(given[0]).includes('Lu')) throw new Error('Broken ' + ++window.failures)
          return split.apply(this, given)
        }`,
    })
    await expect.poll(() => page.evaluate('window.failures')).toBeGreaterThan(0)
    await early(page).waitFor({ state: 'detached' })
    const failures = await page.evaluate('window.failures')
    await beIdle(page)
    expect(await page.evaluate('window.failures')).toBe(failures)
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.evaluate('void (window.isMended = true)')
    await page.getByRole('button', { name: 'Connect Wallet' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'MetaMask', exact: true }).waitFor()
  })

  test('behavior: dialogs on demand are not loaded while the page is idle, and open on a press', async () => {
    const { page } = await pages.open({ settings: { provider: { dialogs: 'onDemand' } } })
    const button = page.getByRole('button', { name: 'Connect Wallet' })
    await button.waitFor()
    await beIdle(page)
    expect(await early(page).count()).toBe(0)
    await button.click()
    await page.getByRole('dialog').getByRole('button', { name: 'MetaMask', exact: true }).waitFor()
  })

  test('behavior: once a wallet is connected, no connect dialog waits', async () => {
    const { page } = await openIdle()
    await page.evaluate('window.kit.connect({ walletId: "metaMask" }).then(() => {})')
    await early(page).waitFor({ state: 'detached' })
  })

  test('sign-in that is required: the dialog after the list gets the focus, and gives it back', async () => {
    const { page } = await pages.open({
      settings: {
        authentication: { required: true },
        wallet: { behaviours: { personal_sign: { result: `0x${'1'.repeat(130)}` } } },
      },
      init: watch,
    })
    await page.getByRole('button', { name: 'Connect Wallet' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'MetaMask', exact: true }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Verify your account' })
    await dialog.waitFor()
    expect(await isOnDialog(page)).toBe(true)
    await dialog.getByRole('button', { name: 'Sign message' }).press('Enter')
    await closed(page)
    expect(await focused(page)).toContain('0xd8…6045')
  })
})
