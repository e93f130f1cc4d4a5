// @vitest-environment node
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { beforeAll, describe, expect, test } from 'vitest'
import { createHostPages, type HostPageOptions } from '../../test/hostPage.ts'

let pages: Awaited<ReturnType<typeof createHostPages>>
beforeAll(async () => {
  pages = await createHostPages()
})

/** Records the changes inside live regions, which a screen reader reads. */
const listen = `
  window.said = []
  new MutationObserver((records) => {
    const regions = new Set(records.map(({ target }) => (target.nodeType === 1 ? target : target.parentElement)?.closest('[role=status], [role=alert], [aria-live]')))
    for (const region of regions) if (region?.textContent && region.ariaLive !== 'off') window.said.push(region.textContent)
  }).observe(document, { subtree: true, childList: true, characterData: true })
`
const open = async (options: HostPageOptions = {}) => {
  const opened = await pages.open({ ...options, init: `${listen}${options.init ?? ''}` })
  await opened.page.getByRole('button').first().waitFor()
  return opened
}

const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement
    const labelled = element.getAttribute('aria-labelledby')
    const name = element.getAttribute('aria-label') ?? (labelled && document.getElementById(labelled)?.textContent)
    if (name) return name
    const copy = element.cloneNode(true) as HTMLElement
    for (const hidden of copy.querySelectorAll('[aria-hidden]')) hidden.remove()
    return copy.textContent
  })
const said = (page: Page) => page.evaluate('window.said') as Promise<string[]>
const isInside = (page: Page) => page.evaluate('Boolean(document.activeElement.closest("[role=dialog]"))')
const description = (page: Page) =>
  page.getByRole('dialog').evaluate((it) => {
    const ids = it.getAttribute('aria-describedby') ?? ''
    return document.getElementById(ids)?.textContent
  })
const closed = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' })
const findFaults = async (page: Page, what: 'all' | 'colours') => {
  // The legacy mode reads only one frame, which is enough here, in a quarter of the time.
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .include('[role=dialog]')
  const { violations } = await (what === 'all'
    ? axe.withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
    : axe.withRules(['color-contrast'])
  ).analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}
/** Waits until the dialog has faded in. */
const calm = (page: Page) =>
  page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getTiming().iterations === Infinity),
  )

describe('by keyboard alone', () => {
  test.each([['Enter'], [' ']])(
    'the connect dialog is opened by "%s", walked, and gives the focus back',
    async (key) => {
      const { page, problems } = await open()
      const button = page.getByRole('button', { name: 'Connect Wallet' })
      await button.focus()
      await page.keyboard.press(key)
      const dialog = page.getByRole('dialog', { name: 'Connect a Wallet' })
      await dialog.waitFor()
      await calm(page)
      expect(await focused(page)).toBe('Connect a Wallet')
      expect(await description(page)).toBe('Choose the wallet to connect.')

      // Forwards and backwards, around the dialog.
      const stops: (string | null)[] = []
      for (let press = 0; press < 40; press++) {
        await page.keyboard.press('Tab')
        expect(await isInside(page)).toBe(true)
        stops.push(await focused(page))
      }
      expect(stops.slice(0, 3)).toEqual(['Search wallets', 'MetaMask', 'Rainbow'])
      expect(stops).toContain('Close')
      expect(stops.filter((stop) => stop === 'MetaMask').length).toBeGreaterThan(1)
      await page.keyboard.press('Shift+Tab')
      expect(await isInside(page)).toBe(true)

      await page.keyboard.press('Escape')
      await closed(page)
      expect(await focused(page)).toBe('Connect Wallet')
      expect(await said(page)).toEqual([])
      expect(problems).toEqual([])
    },
  )

  test('wide: arrow keys to a wallet with a QR code, to its downloads, Back, and the link is copied', async () => {
    const { page } = await open({ context: { viewport: { width: 1440, height: 900 } } })
    await page.getByRole('button', { name: 'Connect Wallet' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await calm(page)
    await page.keyboard.type('scan')
    await page.keyboard.press('ArrowDown')
    expect(await focused(page)).toBe('Scan Wallet')
    await page.keyboard.press('Enter')
    await page.getByRole('img', { name: /QR code/ }).waitFor()
    expect(await focused(page)).toBe('Scan Wallet')
    const [found, ...news] = (await said(page)).slice(-2)
    expect(found).toBe('Scan Wallet')
    expect(news).toEqual([expect.stringContaining('Scan with Scan Wallet')])

    await page.getByRole('button', { name: 'Copy Link' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    await page.getByRole('button', { name: 'Copy Link' }).waitFor()
    expect((await said(page)).filter((text) => text.endsWith('Copied'))).toHaveLength(1)

    await page.getByRole('button', { name: 'Get Scan Wallet' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Get Scan Wallet' }).waitFor()
    expect(await focused(page)).toBe('Get Scan Wallet')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Back' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('img', { name: /QR code/ }).waitFor()
    expect(await isInside(page)).toBe(true)
    await page.keyboard.press('Escape')
    await closed(page)
    expect(await focused(page)).toBe('Connect Wallet')
    expect(await page.evaluate('window.relay.cancelled()')).toBeGreaterThan(0)
  })

  test('compact: a wallet rejects, is asked again and connects; each status is read once', async () => {
    const { page } = await open({
      context: { viewport: { width: 600, height: 800 } },
      settings: { wallet: { behaviours: { eth_requestAccounts: 'reject' } } },
    })
    await page.getByRole('button', { name: 'Connect Wallet' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await calm(page)
    for (const stop of ['Close', 'Search wallets', 'MetaMask']) {
      await page.keyboard.press('Tab')
      expect(await focused(page)).toBe(stop)
    }
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Retry' }).waitFor()
    expect(await focused(page)).toBe('MetaMask')
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H2')
    const news = await said(page)
    expect(new Set(news).size).toBe(news.length)
    await page.evaluate('window.wallet.setBehaviour("eth_requestAccounts", undefined)')
    await page.getByRole('button', { name: 'Retry' }).focus()
    await page.keyboard.press('Enter')
    await closed(page)
    expect(await focused(page)).toContain('0xd8…6045')
  })

  test('the account dialog: "Copied" is read once, Esc returns the focus', async () => {
    const { page } = await open()
    await page.evaluate('window.kit.connect({ walletId: "metaMask" }).then(() => {})')
    await page.getByRole('button', { name: /0xd8…6045/ }).focus()
    await page.keyboard.press(' ')
    await page.getByRole('dialog', { name: 'Account' }).waitFor()
    await calm(page)
    const purpose = await description(page)
    expect(purpose).toBeTruthy()
    await page.getByRole('button', { name: 'Copy Address' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await description(page)).toBe(purpose)
    await page.getByRole('button', { name: 'Copy Address' }).waitFor()
    expect(await said(page)).toEqual(['Copied'])
    expect(await focused(page)).toBe('Copy Address')
    await page.keyboard.press('Escape')
    await closed(page)
    expect(await focused(page)).toContain('0xd8…6045')
  })

  test('the network dialog: arrow keys, a rejection is read, the next try closes it', async () => {
    const { page } = await open({ settings: { wallet: { behaviours: { wallet_switchEthereumChain: 'reject' } } } })
    await page.evaluate('window.kit.connect({ walletId: "metaMask" }).then(() => {})')
    await page.getByRole('button', { name: 'BNB Smart Chain' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Switch Networks' }).waitFor()
    await calm(page)
    await page
      .getByRole('button', { name: /^BNB Smart Chain/ })
      .last()
      .focus()
    await page.keyboard.press('ArrowDown')
    expect(await focused(page)).toBe('Ethereum')
    await page.keyboard.press('Enter')
    await page.waitForFunction('window.kit.getState().dialog.error')
    const news = await said(page)
    expect(news.length).toBeGreaterThan(0)
    expect(new Set(news).size).toBe(news.length)
    await page.evaluate('window.wallet.setBehaviour("wallet_switchEthereumChain", undefined)')
    await page.keyboard.press('Enter')
    await closed(page)
    expect(await focused(page)).toBe('Ethereum')
  })

  test('signing in: the button keeps the focus until the session', async () => {
    const { page } = await open({
      settings: {
        authentication: { required: true },
        wallet: { behaviours: { personal_sign: { result: `0x${'1'.repeat(130)}` } } },
      },
    })
    await page.evaluate('void window.kit.connect({ walletId: "metaMask" })')
    await page.getByRole('dialog', { name: 'Verify your account' }).waitFor()
    await calm(page)
    expect(await isInside(page)).toBe(true)
    await page.getByRole('button', { name: 'Sign message' }).focus()
    await page.keyboard.press('Enter')
    await closed(page)
    expect(await page.evaluate('window.kit.getState().status')).toBe('connected')
  })
})

/** Opens every dialog in every state that looks different. */
async function visitAll(page: Page, visit: (state: string) => Promise<void>) {
  const kit = (call: string) => page.evaluate(`void window.kit.${call}`)
  const shown = async (state: string) => {
    await page.getByRole('dialog').waitFor()
    await calm(page)
    await visit(state)
  }
  await kit('openConnectDialog()')
  await shown('list')
  await kit('dispatch({ type: "learn" })')
  await shown('learn')
  await kit('dispatch({ type: "get" })')
  await shown('get')
  await kit('dispatch({ type: "choose", walletId: "scan" })')
  await shown('downloadOptions')
  await kit('dispatch({ type: "extension" })')
  await shown('extensionInstructions')
  await kit('dispatch({ type: "back" })')
  await kit('dispatch({ type: "mobile" })')
  await shown('download')
  await kit('dispatch({ type: "continue" })')
  await shown('mobileInstructions')
  await kit('dispatch({ type: "pick", walletId: "scan" })')
  await page.locator('[role=dialog] svg[role=img]').waitFor()
  await shown('code')
  await page.evaluate('window.wallet.setBehaviour("eth_requestAccounts", "wait")')
  await kit('dispatch({ type: "pick", walletId: "metaMask" })')
  await shown('connecting')
  await page.evaluate('window.wallet.release()')
  await closed(page)
  if ((await page.evaluate('window.kit.getState().dialog.name')) === 'none') {
    await kit('openAccountDialog()')
    await page.evaluate(
      'window.kit.addTransaction({ hash: "0x" + "a".repeat(64), description: "Joined under 0x12…cdef" })',
    )
    await shown('account')
    await kit('openNetworkDialog()')
    await shown('network')
    await kit('openSignInDialog()')
    await page.getByRole('dialog').getByRole('button').nth(1).waitFor()
    await shown('signIn')
  }
}

const looks = [
  // Each state is checked in more widths, languages and schemes by `.storybook/looks.test.ts`; this one as built.
  ['600 px, Arabic, right to left', 'all', { viewport: { width: 600, height: 800 } }, { locale: 'ar', dir: 'rtl' }],
  [
    'an accent too light for text',
    'colours',
    { viewport: { width: 1440, height: 900 } },
    { theme: { accent: '#F0B90B' } },
  ],
  [
    'an accent too dark for text',
    'colours',
    { viewport: { width: 600, height: 900 }, colorScheme: 'dark' },
    { theme: { accent: '#5B2A9D', radius: 0 } },
  ],
  [
    'an accent of the app’s theme',
    'colours',
    { viewport: { width: 600, height: 900 } },
    { hostTheme: { palette: { primary: { main: '#F0B90B' } } } },
  ],
  [
    'accents of the app’s theme of two schemes',
    'colours',
    { viewport: { width: 600, height: 900 }, colorScheme: 'dark' },
    {
      hostTheme: {
        cssVariables: true,
        colorSchemes: {
          light: { palette: { primary: { main: '#F0B90B' } } },
          dark: { palette: { primary: { main: '#3A3AD0' } } },
        },
      },
    },
  ],
] as const

describe.each(looks)('axe finds nothing: %s', (_, what, context, settings) => {
  test('in any state', async () => {
    const { page } = await open({ context, settings: { ...settings, authentication: {} } })
    const faults: Record<string, string[]> = {}
    await visitAll(page, async (state) => {
      const found = await findFaults(page, what)
      if (found.length > 0) faults[state] = found
    })
    expect(faults).toEqual({})
  })
})

/** Returns text that is cut off, and elements reachable only by scrolling sideways. */
const findLoss = (page: Page) =>
  page.evaluate(() => {
    const dialog = document.querySelector('[role=dialog]') as HTMLElement
    const all = [dialog, ...dialog.querySelectorAll<HTMLElement>('*')].filter(
      (element) => element.getClientRects().length > 0 && getComputedStyle(element).clipPath === 'none',
    )
    const wide = all.filter(
      (element) =>
        element.scrollWidth > element.clientWidth + 1 &&
        element.clientWidth > 0 &&
        getComputedStyle(element).overflowX !== 'visible' &&
        !element.closest('svg'),
    )
    const box = dialog.getBoundingClientRect()
    const outside = box.left < 0 || box.right > innerWidth || box.top < 0 || box.bottom > innerHeight
    return {
      sideways: document.documentElement.scrollWidth > innerWidth,
      outside,
      cut: wide.map((element) => `${element.tagName} ${element.className}: ${element.textContent?.slice(0, 60)}`),
      small: all
        .filter((element) => element.matches('button, a[href], [role=button]'))
        .filter((element) => element.getBoundingClientRect().height < 44 || element.getBoundingClientRect().width < 44)
        .map((element) => element.textContent || element.ariaLabel),
    }
  })

test.each([
  ['en', 'ltr'],
  ['zh-CN', 'ltr'],
  ['ar', 'rtl'],
] as const)(
  'at twice the size nothing is lost, targets are 44 px, and nothing scrolls two ways: %s',
  async (locale, dir) => {
    const { page } = await open({
      context: { viewport: { width: 640, height: 450 } },
      settings: { locale, dir, authentication: {} },
    })
    const losses: Record<string, unknown> = {}
    await visitAll(page, async (state) => {
      const loss = await findLoss(page)
      if (loss.sideways || loss.outside || loss.cut.length + loss.small.length > 0) losses[state] = loss
    })
    expect(losses).toEqual({})
  },
)

test.each([['en'], ['zh-CN']])('text alone at twice its size: nothing is lost: %s', async (locale) => {
  const { page } = await open({
    context: { viewport: { width: 1280, height: 900 } },
    settings: { locale, authentication: {} },
  })
  const losses: Record<string, unknown> = {}
  await visitAll(page, async (state) => {
    await page.evaluate(() => {
      const texts = [...document.querySelectorAll<HTMLElement>('[role=dialog], [role=dialog] *')]
      const sizes = texts
        .map((text) => getComputedStyle(text))
        .map(({ fontSize, lineHeight }) => ({ fontSize, lineHeight }))
      texts.forEach((text, index) => {
        const { fontSize = '', lineHeight = '' } = sizes[index] ?? {}
        text.style.fontSize = `${Number.parseFloat(fontSize) * 2}px`
        text.style.lineHeight = `${Number.parseFloat(lineHeight) * 2}px`
      })
    })
    const { cut, sideways, outside } = await findLoss(page)
    if (sideways || outside || cut.length > 0) losses[state] = { cut, sideways, outside }
    await page.evaluate(() => {
      for (const text of document.querySelectorAll<HTMLElement>('[role=dialog], [role=dialog] *')) {
        text.style.fontSize = ''
        text.style.lineHeight = ''
      }
    })
  })
  expect(losses).toEqual({})
})

describe('forced colours', () => {
  const forced = { forcedColors: 'active', colorScheme: 'dark', viewport: { width: 1440, height: 900 } } as const

  test('a QR code is dark on light', async () => {
    const { page } = await open({ context: forced })
    await page.evaluate('void window.kit.openConnectDialog(); window.kit.dispatch({ type: "pick", walletId: "scan" })')
    const code = page.getByRole('img', { name: /QR code/ })
    await code.waitFor()
    expect(await code.evaluate((it) => getComputedStyle(it.parentElement as Element).backgroundColor)).toBe(
      'rgb(255, 255, 255)',
    )
    expect(await code.locator('path').evaluate((it) => getComputedStyle(it).fill)).toBe('rgb(0, 0, 0)')
  })

  test('buttons and dialogs have an edge; selection and focus are visible', async () => {
    const { page } = await open({ context: forced })
    const button = page.getByRole('button', { name: 'Connect Wallet' })
    expect(await button.evaluate((it) => getComputedStyle(it).outlineStyle)).toBe('solid')
    await page.evaluate('void window.kit.openConnectDialog(); window.kit.dispatch({ type: "pick", walletId: "scan" })')
    const chosen = page.locator('[aria-current]')
    await chosen.waitFor()
    const other = page.getByRole('button', { name: 'MetaMask', exact: true })
    const paper = page.locator('.wk-paper')
    expect(await paper.evaluate((it) => getComputedStyle(it).outlineStyle)).toBe('solid')
    const background = (it: Element) => getComputedStyle(it).backgroundColor
    expect(await chosen.evaluate(background)).not.toBe(await other.evaluate(background))
    await page.keyboard.press('Tab')
    await other.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    expect(await other.evaluate((it) => getComputedStyle(it).outlineStyle)).toBe('solid')
  })
})

test('reduced motion: nothing in a dialog moves, not even pseudo-elements', async () => {
  const { page } = await open({
    context: { reducedMotion: 'reduce' },
    settings: { wallet: { behaviours: { eth_requestAccounts: 'wait' } } },
  })
  await page.evaluate(
    'void window.kit.openConnectDialog(); window.kit.dispatch({ type: "pick", walletId: "metaMask" })',
  )
  await page.getByRole('heading', { name: 'Opening MetaMask…' }).waitFor()
  const moving = () =>
    page
      .getByRole('dialog')
      .evaluate((it) => it.getAnimations({ subtree: true }).filter(({ playState }) => playState === 'running').length)
  expect(await moving()).toBe(0)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  expect(await moving()).toBeGreaterThan(0)
})
