// @vitest-environment node
import { createTheme } from '@mui/material/styles'
import type { Page } from '@playwright/test'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { translatePage } from '../../../../scripts/lib/visitorBrowsers.ts'
import { createHostPages, type HostSettings, pageOf } from '../../test/hostPage.ts'

let pages: Awaited<ReturnType<typeof createHostPages>>
beforeAll(async () => {
  pages = await createHostPages({ mode: 'development' })
})

const act = (page: Page, call: string) => page.evaluate(`void window.${call}`)
const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name })
const paperOf = (page: Page) => page.locator('.wk-paper').evaluate((it) => getComputedStyle(it).backgroundColor)
const closed = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' })

/** Opens every dialog that loads or draws something different. */
async function visitAll(page: Page) {
  await page.getByRole('button', { name: 'Connect Wallet' }).click()
  await dialogOf(page, 'Connect a Wallet').waitFor()
  await act(page, 'kit.dispatch({ type: "get" })')
  await act(page, 'kit.dispatch({ type: "choose", walletId: "scan" })')
  await act(page, 'kit.dispatch({ type: "mobile" })')
  await page.getByRole('button', { name: 'Continue' }).waitFor()
  await act(page, 'kit.dispatch({ type: "pick", walletId: "scan" })')
  await page.getByRole('img', { name: /QR code/ }).waitFor()
  await page.getByRole('button', { name: 'Copy Link' }).click()
  await act(page, 'wallet.setBehaviour("eth_requestAccounts", "wait")')
  await act(page, 'kit.dispatch({ type: "pick", walletId: "metaMask" })')
  await page.getByRole('heading', { name: 'Opening MetaMask…' }).waitFor()
  await act(page, 'wallet.release()')
  await closed(page)
  await page.getByRole('button', { name: /0xd8…6045/ }).click()
  await dialogOf(page, 'Account').waitFor()
  await page.getByRole('button', { name: 'Copy Address' }).click()
  await act(page, 'kit.addTransaction({ hash: "0x" + "a".repeat(64), description: "Joined" })')
  await act(page, 'kit.openNetworkDialog()')
  await dialogOf(page, 'Switch Networks').waitFor()
  await act(page, 'kit.openSignInDialog()')
  await dialogOf(page, 'Verify your account').waitFor()
  await page.keyboard.press('Escape')
  await closed(page)
}

test('a strict content-security policy with a nonce: no dialog violates it', async () => {
  const nonce = 'bm9uY2U'
  const policy = `default-src 'none'; script-src 'nonce-${nonce}' 'strict-dynamic'; style-src 'nonce-${nonce}'; img-src 'self' data:; base-uri 'none'`
  const { page, problems } = await pages.open({
    settings: { authentication: {} },
    headers: { 'content-security-policy': policy },
    init: `window.__nonce__ = '${nonce}'; window.violations = []
      addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, sample }) => window.violations.push([violatedDirective, blockedURI, sample].join(' ')))`,
    html: pageOf(`nonce="${nonce}"`),
  })
  await visitAll(page)
  expect(await page.evaluate('window.violations')).toEqual([])
  expect(problems).toEqual([])
  // Check that the policy is enforced.
  await page.evaluate(() => document.body.setAttribute('style', 'color: red'))
  await page.waitForFunction('window.violations.length > 0')
})

test('a page that the browser translates: every dialog works, and each text stays current', async () => {
  const { page, problems } = await pages.open({
    settings: { authentication: {}, wallet: { behaviours: { eth_requestAccounts: 'reject' } } },
    init: `(${translatePage})()`,
  })
  await page.getByRole('button', { name: 'Connect Wallet' }).click()
  await page.getByRole('searchbox').fill('meta')
  await page.getByRole('button', { name: 'MetaMask' }).click()
  await page.getByRole('heading', { name: 'Not connected' }).waitFor()
  await act(page, 'wallet.setBehaviour("eth_requestAccounts", { error: { code: -32603, message: "Down" } })')
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('heading', { name: 'Could not connect to MetaMask' }).waitFor()
  await act(page, 'wallet.setBehaviour("eth_requestAccounts")')
  await page.keyboard.press('Escape')
  await closed(page)
  await visitAll(page)
  await page.getByRole('button', { name: /0xd8…6045/ }).click()
  await dialogOf(page, 'Account').getByRole('button', { name: 'Disconnect' }).click()
  await page.getByRole('button', { name: 'Connect Wallet' }).waitFor()
  expect(await page.locator('main').textContent()).toContain('Connect Wallet')
  expect(problems).toEqual([])
})

test('an app on React 18: every dialog, by keyboard from the first, and a reload that never says "Connect Wallet"', async () => {
  const older = await createHostPages({
    mode: 'development',
    instead: { react: 'react-18', 'react-dom': 'react-dom-18' },
  })
  const { page, problems } = await older.open({
    settings: { authentication: {}, strict: true, wallet: { authorized: true } },
  })
  await page.getByRole('button', { name: 'Connect Wallet' }).press('Enter')
  await dialogOf(page, 'Connect a Wallet').waitFor()
  // The search field, then the first wallet.
  for (const _ of [1, 2]) await page.keyboard.press('ArrowDown')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('MetaMask')
  await page.keyboard.press('Escape')
  await closed(page)
  await visitAll(page)
  await page.addInitScript(`
    window.seen = new Set()
    const look = () => { window.seen.add(document.querySelector('button')?.textContent); requestAnimationFrame(look) }
    look()`)
  await page.reload()
  await page.getByRole('button', { name: /0xd8…6045/ }).waitFor()
  expect(((await page.evaluate('[...window.seen]')) as string[]).join()).not.toContain('Connect')
  expect(problems).toEqual([])
})

test('an app on MUI 7: every dialog, in its theme and in the kit’s own', async () => {
  const older = await createHostPages({ mode: 'development', instead: { '@mui/material': 'mui-7/esm' } })
  const dark = { palette: { mode: 'dark', primary: { main: '#abcdef' }, background: { paper: '#010203' } } }
  const looks: [HostSettings, paper: string, accent: string][] = [
    [{ hostTheme: dark }, 'rgb(1, 2, 3)', 'rgb(171, 205, 239)'],
    [{}, 'rgb(26, 29, 33)', 'rgb(69, 208, 174)'],
    [{ theme: { accent: '#F0B90B' } }, 'rgb(26, 29, 33)', 'rgb(240, 185, 11)'],
  ]
  for (const [settings, paper, accent] of looks) {
    const { page, problems } = await older.open({
      settings: { ...settings, authentication: {} },
      context: { colorScheme: 'dark' },
    })
    const button = page.getByRole('button', { name: 'Connect Wallet' })
    expect(await button.evaluate((it) => getComputedStyle(it).backgroundColor)).toBe(accent)
    for (const _ of [1, 2]) await page.keyboard.press('Tab')
    expect(await button.evaluate((it) => getComputedStyle(it).outline)).toBe(`${accent} solid 2px`)
    await button.click()
    expect(await paperOf(page)).toBe(paper)
    await page.keyboard.press('Escape')
    await closed(page)
    await visitAll(page)
    expect(problems).toEqual([])
  }
})

/** Style sheets of pages, each with rules for elements that the kit uses. */
const sheets = {
  elements:
    'button,a,input,dialog,h2,h3,p,ul,li,img,svg,span,div,label,small,strong,section{margin:7px;padding:9px;border:3px dotted red;border-radius:1px;background:pink;color:red;font:italic 700 23px/3 serif;letter-spacing:3px;text-transform:uppercase;text-decoration:underline;box-shadow:0 0 3px red;min-width:200px;min-height:60px;float:left;opacity:.5;cursor:help;overflow:scroll;list-style:square;text-align:right;rotate:3deg;text-shadow:0 0 3px red;fill:red}',
  everything:
    '*{margin:0;padding:0;box-sizing:content-box;letter-spacing:2px;font-family:serif;line-height:2;color:red;border:1px solid red}*::before,*::after{content:"x";display:block;border:1px solid red}',
  'the preflight of Tailwind':
    '@layer base{*,::before,::after,::backdrop{box-sizing:border-box;margin:0;padding:0;border:0 solid}h2,h3{font-size:inherit;font-weight:inherit}ol,ul{list-style:none}img,svg{display:block;vertical-align:middle}img{max-width:100%;height:auto}button,input{font:inherit;letter-spacing:inherit;color:inherit;border-radius:0;background-color:transparent;opacity:1}a{color:inherit;text-decoration:inherit}}',
  'pseudo-elements':
    '@layer base{::backdrop{backdrop-filter:blur(9px)}}dialog::backdrop{display:block;background:yellow;opacity:.5}::placeholder{color:red;letter-spacing:3px;text-transform:uppercase;opacity:.2}',
  'nothing but text': '*{all:unset}head,head *,script{display:none}html,body,div{display:block}',
  'what text inherits':
    'body{letter-spacing:4px;word-spacing:9px;text-align:center;text-transform:uppercase;font:italic 700 30px/3 cursive;text-indent:20px;white-space:pre;text-shadow:0 0 4px red;word-break:break-all}',
}

test.each(Object.entries(sheets))('a page with rules for %s: the dialogs look the same', async (_, css) => {
  const looks = async (style: string) => {
    const { page } = await pages.open({
      context: { reducedMotion: 'reduce' },
      html: pageOf('', `<style>${style}</style>`),
    })
    await page.getByRole('button', { name: 'Connect Wallet' }).waitFor()
    await act(page, 'kit.openConnectDialog()')
    await dialogOf(page, 'Connect a Wallet').waitFor()
    // The icons of wallets load when their rows are seen.
    await expect.poll(() => page.locator('dialog img').count()).toBe(6)
    expect(await page.locator('body style:visible').count(), 'visible style sheets').toBe(0)
    return page.evaluate(
      (names) =>
        [...document.querySelectorAll('dialog, dialog .wk-own')].flatMap((element) => {
          const pseudo = { DIALOG: '::backdrop', INPUT: '::placeholder' }[element.tagName]
          return ['', ...(pseudo ? [pseudo] : [])].map((part) => {
            const style = getComputedStyle(element, part)
            // The rest says nothing about a pseudo-element that is not drawn.
            if (part && style.display === 'none') return [element.className, part, 'none'].join(' ')
            return [element.className, part, ...names.map((name) => style.getPropertyValue(name))].join(' ')
          })
        }),
      [
        'backdrop-filter',
        ...[
          'color',
          'font',
          'letter-spacing',
          'word-spacing',
          'text-align',
          'text-transform',
          'text-indent',
          'padding',
        ],
        ...['margin', 'background-color', 'border-top-width', 'border-radius', 'width', 'height', 'opacity', 'float'],
        ...['white-space', 'text-shadow', 'list-style-type', 'overflow', 'box-sizing', 'display', 'rotate', 'd'],
      ],
    )
  }
  const plain = await looks('')
  expect(plain.length).toBeGreaterThan(40)
  expect(await looks(css)).toEqual(plain)
})

test('a button that appears below the dialogs: they look the same', async () => {
  const { page } = await pages.open({ context: { reducedMotion: 'reduce' } })
  await page.getByRole('button', { name: 'Connect Wallet' }).click()
  const look = () =>
    dialogOf(page, 'Connect a Wallet').evaluate((dialog) =>
      [dialog, ...dialog.querySelectorAll('.wk-paper, .wk-search, .wk-row, .wk-title')].map((it) => {
        const style = getComputedStyle(it)
        return [...style].map((name) => style.getPropertyValue(name)).join()
      }),
    )
  const before = await look()
  // Each button brings its style sheet.
  await page.evaluate(() => document.body.append(document.querySelector('.wk-bar style')?.cloneNode(true) ?? ''))
  expect(await look()).toEqual(before)
})

test('parts of the app: their own rules win, and a text while a wallet connects leaves the dialog modal', async () => {
  const css = '@layer app{.picture{object-fit:contain;width:50%}.terms{line-height:2}}.terms{font-size:10px}'
  const { page, problems } = await pages.open({
    settings: { ownParts: true, locale: 'th', wallet: { behaviours: { eth_requestAccounts: 'wait' } } },
    html: pageOf('', `<style>@layer wallet-kit,app;${css}</style>`),
  })
  await page.locator('.wk-bar button').click()
  const terms = page.getByRole('dialog').getByText('Terms')
  expect(await terms.evaluate((it) => getComputedStyle(it).lineHeight)).toBe('20px')
  await page.getByRole('dialog').getByRole('button', { name: 'MetaMask', exact: true }).click()
  await page.getByText('Look into your wallet').waitFor()
  await page.locator('.wk-request-line').waitFor()
  expect(await page.locator('dialog:modal').count()).toBe(1)
  await page.evaluate('window.wallet.release()')
  const picture = page.locator('.wk-bar .picture')
  await picture.waitFor({ state: 'attached' })
  expect(await picture.evaluate((it) => [getComputedStyle(it).objectFit, it.clientWidth])).toEqual(['contain', 12])
  expect(problems).toEqual([])
})

test('Trusted Types: every dialog works', async () => {
  const { page, problems } = await pages.open({
    settings: { authentication: {} },
    headers: { 'content-security-policy': "require-trusted-types-for 'script'; trusted-types 'none'" },
  })
  await visitAll(page)
  expect(problems).toEqual([])
})

test('a wallet that draws into the page: its window can be used while it is asked', async () => {
  const { page, problems } = await pages.open({
    settings: { wallet: { behaviours: { eth_requestAccounts: 'wait' } } },
  })
  await page.getByRole('button', { name: 'Connect Wallet' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'MetaMask', exact: true }).click()
  await page.getByRole('heading', { name: 'Opening MetaMask…' }).waitFor()
  await page.evaluate(() => {
    const overlay = document.createElement('div')
    overlay.style.cssText = 'position: fixed; inset: 0 0 auto auto; z-index: 2147483647'
    const button = document.createElement('button')
    button.textContent = 'Approve'
    button.onclick = () => {
      overlay.remove()
      ;(window as unknown as { wallet: { release: () => void } }).wallet.release()
    }
    overlay.append(button)
    document.body.append(overlay)
  })
  await page.getByRole('button', { name: 'Approve' }).click()
  await closed(page)
  await page.getByRole('button', { name: /0xd8…6045/ }).waitFor()
  expect(problems).toEqual([])
})

test('loads only the language shown', async () => {
  const { page } = await pages.open({ settings: { locale: 'fr' } })
  const loaded = () =>
    page.evaluate(
      () =>
        performance
          .getEntriesByType('resource')
          .map(({ name }) => new URL(name).pathname.slice(1, -3))
          .filter((name) => /^[a-z]{2}(-[A-Z]{2})?$/.test(name)) as string[],
    )
  await page.getByRole('button', { name: 'Connecter un portefeuille' }).waitFor()
  // English comes with the dialogs, which are loaded when the page is idle.
  expect((await loaded()).filter((name) => !['fr', 'en'].includes(name))).toEqual([])
  await page.getByRole('button', { name: 'Connecter un portefeuille' }).click()
  await dialogOf(page, 'Connecter un portefeuille').waitFor()
  expect((await loaded()).filter((name) => name !== 'en')).toEqual(['fr'])
})

describe('the language is still loading', () => {
  const openLate = async (settings: HostSettings) => {
    // Let the kit preload nothing.
    const init = 'Object.defineProperty(navigator, "connection", { value: { saveData: true } })'
    const { page, problems } = await pages.open({ settings: { ...settings, locale: 'zh-CN' }, init })
    let come = () => {}
    const late = new Promise<void>((resolve) => {
      come = resolve
    })
    await page.route('**/zh-CN.js', (route) => late.then(() => route.fallback()))
    await page.evaluate('window.kit.connect({ walletId: "metaMask" }).then(() => {})')
    return { page, problems, come }
  }

  test('"Wrong network" is in English until then', async () => {
    const { page, problems, come } = await openLate({ wallet: { chainId: 137 } })
    await page.getByRole('button', { name: 'Wrong network' }).waitFor()
    await page.getByRole('button', { name: '0xd8…6045' }).waitFor()
    come()
    await page.getByRole('button', { name: '网络不正确' }).waitFor()
    expect(problems).toEqual([])
  })

  test('the button keeps its text until "Verify your account" is loaded', async () => {
    const { page, problems, come } = await openLate({ authentication: { required: true } })
    await page.waitForFunction('window.kit.getState().status === "unauthenticated"')
    expect(await page.getByText(/^(连接钱包|…)$/).allTextContents()).toEqual(['连接钱包'])
    come()
    await page.getByText('验证你的账户', { exact: true }).first().waitFor()
    expect(problems).toEqual([])
  })
})

describe('the theme of the app', () => {
  const both = {
    colorSchemes: {
      light: { palette: { primary: { main: '#123456' }, background: { paper: '#fffffe' } } },
      dark: { palette: { primary: { main: '#abcdef' }, background: { paper: '#010203' } } },
    },
  }
  const openIn = async (
    settings: HostSettings,
    rest: { stored?: Record<string, string>; colorScheme?: 'light' | 'dark' } = {},
  ) => {
    const opened = await pages.open({
      settings,
      context: { colorScheme: rest.colorScheme ?? 'light', viewport: { width: 1000, height: 800 } },
      init: Object.entries(rest.stored ?? {})
        .map(([key, value]) => `localStorage.setItem('${key}', '${value}');`)
        .join(''),
    })
    await opened.page.getByRole('button', { name: 'Connect Wallet' }).click()
    await opened.page.getByRole('dialog').waitFor()
    return opened
  }

  test.each([
    ['by the system', 'media', {}, 'dark'],
    ['by a class', 'class', { 'mui-mode': 'dark' }, 'light'],
    ['by an attribute', 'data', { 'mui-mode': 'dark' }, 'light'],
    ['by an attribute of its own', 'data-theme', { 'mui-mode': 'dark' }, 'light'],
    ['by a selector', '[data-look="%s"]', { 'mui-mode': 'system' }, 'dark'],
  ] as const)('variables and two schemes, %s', async (_, colorSchemeSelector, stored, colorScheme) => {
    const { page, problems } = await openIn(
      { hostTheme: { cssVariables: { colorSchemeSelector }, ...both } },
      { stored, colorScheme },
    )
    expect(await paperOf(page)).toBe('rgb(1, 2, 3)')
    expect(problems).toEqual([])
  })

  test('a scheme stored under mui-color-scheme-dark wins over the default', async () => {
    // MUI requires the complete palette of a custom scheme.
    const dim = { palette: createTheme({ palette: { mode: 'dark', background: { paper: '#040506' } } }).palette }
    const { page } = await openIn(
      { hostTheme: { cssVariables: { colorSchemeSelector: 'data' }, colorSchemes: { ...both.colorSchemes, dim } } },
      { stored: { 'mui-mode': 'dark', 'mui-color-scheme-dark': 'dim' } },
    )
    expect(await paperOf(page)).toBe('rgb(4, 5, 6)')
  })

  test('buttons with another default colour: the dialogs keep the accent', async () => {
    const { page } = await openIn({ hostTheme: { components: { MuiButton: { defaultProps: { color: 'inherit' } } } } })
    const link = page.getByRole('dialog').getByRole('link', { name: 'Learn More' })
    expect(await link.evaluate((it) => getComputedStyle(it).color)).toBe('rgb(25, 118, 210)')
  })

  test('one dark scheme without variables', async () => {
    const { page } = await openIn({ hostTheme: { palette: { mode: 'dark', background: { paper: '#010203' } } } })
    expect(await paperOf(page)).toBe('rgb(1, 2, 3)')
  })

  test('two schemes without variables', async () => {
    const { page } = await openIn({ hostTheme: both }, { stored: { 'mui-mode': 'dark' } })
    expect(await paperOf(page)).toBe('rgb(1, 2, 3)')
  })

  test('nested themes: the nearest', async () => {
    const { page } = await openIn({
      hostTheme: { palette: { mode: 'dark' } },
      innerTheme: { palette: { background: { paper: '#fedcba' } } },
    })
    expect(await paperOf(page)).toBe('rgb(254, 220, 186)')
  })

  test('no theme: the kit’s own, by the system’s scheme', async () => {
    const { page } = await openIn({}, { colorScheme: 'dark' })
    expect(await paperOf(page)).toBe('rgb(26, 29, 33)')
  })

  test('a dark look on a light system: the browser draws scroll bars and fields dark', async () => {
    const { page } = await openIn({ theme: { colorScheme: 'dark' } })
    for (const part of ['dialog', 'dialog .wk-wallets', 'dialog input', '.wk-bar'])
      expect(await page.locator(part).evaluate((it) => getComputedStyle(it).colorScheme)).toBe('dark')
  })

  test('no theme, but a class on the page: the kit follows it and writes none', async () => {
    const { page } = await openIn({
      theme: { colorScheme: 'class', accent: '#F0B90B', radius: 0, overlay: 'rgb(9, 8, 7)', fontFamily: 'serif' },
    })
    expect(await page.evaluate('document.documentElement.className')).toBe('')
    await page.evaluate('document.documentElement.className = "dark"')
    await page.waitForFunction(
      () => getComputedStyle(document.querySelector('.wk-paper') as Element).backgroundColor === 'rgb(26, 29, 33)',
    )
    const paper = page.locator('.wk-paper')
    expect(await paper.evaluate((it) => getComputedStyle(it).borderRadius)).toBe('4px')
    expect(await paper.evaluate((it) => getComputedStyle(it).fontFamily)).toBe('serif')
    const overlay = () => page.getByRole('dialog').evaluate((it) => getComputedStyle(it).backgroundColor)
    // It fades in.
    await expect.poll(overlay).toBe('rgb(9, 8, 7)')
    expect(await page.evaluate('document.documentElement.className')).toBe('dark')
  })
})

describe('rules of the app for the page', () => {
  const rules =
    '<style>:root{color-scheme:light;--app:1}html{background:#fff;color:#111}body{margin:0;font:16px serif}</style>'
  /** Returns the styles of the app's own elements: root, body, text and form controls. */
  const look = (page: Page) =>
    page.evaluate(() =>
      ['html', 'body', 'main p', '#own input', '#own select', '#own'].map((selector) => {
        const style = getComputedStyle(document.querySelector(selector) as Element)
        const { colorScheme, color, backgroundColor, fontFamily, borderColor } = style
        return [selector, colorScheme, color, backgroundColor, fontFamily, borderColor]
      }),
    )
  const own = '<form id="own"><input value="Text"><select><option>One</select></form>'

  const themes: [string, HostSettings][] = [
    ['no theme', {}],
    ['an accent and a radius', { theme: { accent: '#F0B90B', radius: 8 } }],
    ['a fixed dark scheme', { theme: { colorScheme: 'dark' } }],
    ['a scheme by class', { theme: { colorScheme: 'class' } }],
    ['an MUI theme with variables', { plainTheme: { cssVariables: true, colorSchemes: { light: true, dark: true } } }],
  ]
  const cases = themes.flatMap(([name, settings]) =>
    (['light', 'dark'] as const).map((scheme) => [name, scheme, settings] as const),
  )

  test.each(cases)('%s, %s system: the kit changes none of them', async (_, colorScheme, settings) => {
    const { page } = await pages.open({
      settings,
      context: { colorScheme },
      html: pageOf('', rules).replace('<body>', `<body>${own}`),
    })
    await page.evaluate('document.documentElement.className = "dark"')
    await page.getByRole('button', { name: 'Connect Wallet' }).waitFor()
    const shown = await look(page)
    await page.evaluate('window.root.render(null)')
    await page.getByRole('button', { name: 'Connect Wallet' }).waitFor({ state: 'detached' })
    await page.evaluate('document.querySelector("#root").innerHTML = "<main><p>Text</p></main>"')
    expect(shown).toEqual(await look(page))
  })

  test('a dark kit on a light page: the connected button has the page’s colours', async () => {
    const { page } = await pages.open({
      settings: { theme: { colorScheme: 'dark' } },
      context: { colorScheme: 'dark' },
      html: pageOf('', rules),
    })
    await page.evaluate('window.kit.connect({ walletId: "metaMask" }).then(() => {})')
    const button = page.getByRole('button', { name: /0xd8…6045/ })
    const style = (name: 'color' | 'borderTopColor') => button.evaluate((it, name) => getComputedStyle(it)[name], name)
    await expect.poll(() => style('color')).toBe('rgb(17, 17, 17)')
    await expect.poll(() => style('borderTopColor')).toMatch(/^color\(srgb (0\.066\d* ){3}\/ 0\.2\)$/)
  })

  test.each(cases)('%s, %s system: every rule of the kit is for its own elements', async (_, colorScheme, settings) => {
    const { page } = await pages.open({ settings, context: { colorScheme }, html: pageOf('', rules) })
    await page.getByRole('button', { name: 'Connect Wallet' }).click()
    await page.getByRole('dialog').waitFor()
    const selectors = await page.evaluate(() => {
      const read = (list: CSSRuleList): string[] =>
        [...list].flatMap((rule) =>
          rule instanceof CSSStyleRule
            ? [rule.selectorText]
            : rule instanceof CSSGroupingRule && !(rule instanceof CSSStyleRule)
              ? read(rule.cssRules)
              : [],
        )
      const sheets = [...document.styleSheets].filter(({ ownerNode }) => ownerNode?.textContent?.includes('.wk'))
      return sheets.flatMap(({ cssRules }) => read(cssRules))
    })
    expect(selectors.length).toBeGreaterThan(10)
    expect(selectors.filter((selector) => !/\.wk\b/.test(selector))).toEqual([])
    expect(await page.evaluate('getComputedStyle(document.documentElement).getPropertyValue("--wk-line")')).toBe('')
  })
})

describe('a screen of 320 px', () => {
  const openList = async () => {
    const { page } = await pages.open({ context: { viewport: { width: 320, height: 640 } } })
    await page.getByRole('button', { name: 'Connect Wallet' }).click()
    await dialogOf(page, 'Connect a Wallet').waitFor()
    return page
  }

  test('every row that gets the focus is clear of the search field and the fade', async () => {
    const page = await openList()
    const rows = page.getByRole('dialog').getByRole('list').getByRole('button')
    const covered: unknown[] = []
    const focus = async (index: number) => {
      const row = rows.nth(index)
      if (await row.isDisabled()) return
      await row.focus()
      const { text, top, bottom } = await row.evaluate((element) => {
        const list = element.closest('.wk-wallets') as Element
        const search = list.querySelector('input')?.parentElement?.getBoundingClientRect().bottom ?? 0
        const box = element.getBoundingClientRect()
        return {
          text: element.textContent,
          top: box.top - search,
          bottom: list.getBoundingClientRect().bottom - 24 - box.bottom,
        }
      })
      if (top < -0.5 || bottom < -0.5) covered.push([text, top, bottom])
    }
    const count = await rows.count()
    for (let index = 0; index < count; index++) await focus(index)
    for (let index = count - 1; index >= 0; index--) await focus(index)
    expect(count).toBeGreaterThan(8)
    expect(covered).toEqual([])
  })

  test('no name of a wallet breaks over two lines beside "(unsupported)"', async () => {
    const page = await openList()
    const row = page.getByRole('dialog').getByRole('button', { name: 'WalletConnect' })
    expect(await row.textContent()).toContain('(unsupported)')
    const { height } = await row.locator('bdi').evaluate((name) => name.getBoundingClientRect())
    expect(height).toBeLessThan(30)
  })
})

test.each([
  ['zh-CN', ['签名', '钱包', '账户']],
  ['zh-TW', ['簽名', '錢包', '帳戶']],
  ['ja', ['署名', '接続']],
])(
  'behavior: %s, at any width of a phone: no line of a text ends inside a word, none is cut off',
  async (locale, words) => {
    const { page } = await pages.open({ settings: { locale, authentication: {} } })
    await page.evaluate(`kit.connect({ walletId: 'metaMask' }).then(() => void kit.openSignInDialog())`)
    await page.getByRole('dialog').getByText('0xd8…6045').waitFor()
    const broken: unknown[] = []
    for (let width = 320; width <= 430; width += 10) {
      await page.setViewportSize({ width, height: 800 })
      const found = await page.getByRole('dialog').evaluate((dialog, words) => {
        const texts: string[] = []
        const walker = document.createTreeWalker(dialog, NodeFilter.SHOW_TEXT)
        for (let node = walker.nextNode(); node; node = walker.nextNode())
          for (const word of words) {
            const at = node.textContent?.indexOf(word) ?? -1
            if (at < 0) continue
            const range = new Range()
            range.setStart(node, at)
            range.setEnd(node, at + word.length)
            if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) texts.push(node.textContent ?? '')
          }
        const paper = dialog.firstElementChild as Element
        return paper.scrollWidth > paper.clientWidth ? [...texts, 'cut off'] : texts
      }, words)
      if (found.length > 0) broken.push([width, ...found])
    }
    expect(broken).toEqual([])
  },
)

describe('two kits on one page', () => {
  test('with different ids: each has its own connection and storage', async () => {
    const { page, problems } = await pages.open({ settings: { kit: { id: 'one' }, second: { id: 'two' } } })
    await page.getByRole('button', { name: 'First' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'MetaMask', exact: true }).click()
    await closed(page)
    expect(await page.evaluate('window.kit.getState().status')).toBe('connected')
    expect(await page.evaluate('window.second.getState().status')).toBe('disconnected')
    await page.getByRole('button', { name: 'Second' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'MetaMask', exact: true }).click()
    await closed(page)
    // Both kits use the same wallet.
    await act(page, 'wallet.setChain(1)')
    await page.waitForFunction('window.kit.getState().chainId === 1 && window.second.getState().chainId === 1')
    await page.evaluate('window.kit.disconnect()')
    expect(await page.evaluate('window.second.getState().status')).toBe('connected')
    const keys = (await page.evaluate('Object.keys(localStorage)')) as string[]
    expect(keys.filter((key) => key.endsWith('.connection'))).toEqual(['walletKit.v1.two.connection'])
    expect(problems).toEqual([])
  })

  test('only tabs with the same id disconnect too', async () => {
    const { page } = await pages.open({ settings: { kit: { id: 'one' }, second: { id: 'two' } } })
    await page.evaluate(
      'Promise.all([window.kit, window.second].map((kit) => kit.connect({ walletId: "metaMask" }))).then(() => {})',
    )
    const other = await page.context().newPage()
    await other.route('https://app.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Tab</title>' }),
    )
    await other.goto('https://app.example/tab')
    await other.evaluate('new BroadcastChannel("walletKit.v1.one").postMessage("disconnected")')
    await page.waitForFunction('window.kit.getState().status === "disconnected"')
    expect(await page.evaluate('window.second.getState().status')).toBe('connected')
  })
})

test.each([[false], [true]])(
  'inside a modal of the app, StrictMode %s: clicks, the focus, and Esc one after the other',
  async (strict) => {
    const { page, problems } = await pages.open({ settings: { modal: true, strict } })
    await page.getByRole('button', { name: 'Cart' }).click()
    const cart = page.getByRole('dialog', { name: 'Cart' })
    await cart.waitFor()
    await cart.getByRole('button', { name: 'Connect Wallet' }).click()
    const dialog = dialogOf(page, 'Connect a Wallet')
    await dialog.waitFor()
    for (let press = 0; press < 30; press++) {
      await page.keyboard.press('Tab')
      expect(
        await page.evaluate('document.activeElement.closest("dialog")?.textContent.includes("Connect a Wallet")'),
      ).toBe(true)
    }
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await cart.isVisible()).toBe(true)
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Connect Wallet')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'MetaMask', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await cart.getByRole('button', { name: /0xd8…6045/ }).waitFor()
    await page.keyboard.press('Escape')
    await cart.waitFor({ state: 'detached' })
    expect(await page.evaluate('window.kit.getState().status')).toBe('connected')
    const asked = (await page.evaluate('window.wallet.requests.map(({ method }) => method)')) as string[]
    expect(asked.filter((method) => method === 'eth_requestAccounts')).toHaveLength(1)
    expect(problems).toEqual([])
  },
)

/** Counts listeners, timers and channels. Runs before the page's own script. */
const count = `
  window.open = new Map()
  const change = (name, by) => window.open.set(name, (window.open.get(name) ?? 0) + by)
  const wrap = (target, owner) => {
    const { addEventListener: add, removeEventListener: remove } = target
    const known = new Map()
    const id = (type, listener, options) => type + (typeof options === 'object' ? Boolean(options?.capture) : Boolean(options))
    target.addEventListener = function (type, listener, options) {
      if (!owner(this)) return add.call(this, type, listener, options)
      const kept = known.get(listener) ?? new Set(); known.set(listener, kept)
      const key = id(type, listener, options)
      if (listener && !kept.has(key)) { kept.add(key); change(owner(this) + ' ' + type, 1); options?.signal?.addEventListener('abort', () => kept.delete(key) && change(owner(this) + ' ' + type, -1)) }
      return add.call(this, type, listener, options)
    }
    target.removeEventListener = function (type, listener, options) {
      if (owner(this) && known.get(listener)?.delete(id(type, listener, options))) change(owner(this) + ' ' + type, -1)
      return remove.call(this, type, listener, options)
    }
  }
  wrap(EventTarget.prototype, (it) => (it === window || it === null || it === undefined ? 'window' : it === document ? 'document' : it instanceof MediaQueryList ? 'media' : undefined))
  const Channel = BroadcastChannel
  window.BroadcastChannel = class extends Channel { constructor(name) { super(name); change('channel', 1) } close() { super.close(); change('channel', -1) } }
  for (const [set, clear] of [['setTimeout', 'clearTimeout'], ['setInterval', 'clearInterval']]) {
    const start = window[set].bind(window), stop = window[clear].bind(window), running = new Map()
    window[set] = (act, ...rest) => { const key = start((...args) => { if (set === 'setTimeout' && running.delete(key)) change(set, -1); return act(...args) }, ...rest); running.set(key, new Error().stack); change(set, 1); return key }
    window[clear] = (key) => { if (running.delete(key)) change(set, -1); stop(key) }
    window['running' + set] = running
  }
`

describe('destroy()', () => {
  /** Returns the remaining listeners without Playwright's own. */
  const left = (page: Page) =>
    page.evaluate(
      `Object.fromEntries([...window.open].filter(([name, count]) => count !== 0 && !/playwright|click|contextmenu|mouse|pointer|touch/.test(name)))`,
    )
  /** Listeners of React's root and the scripted wallet. */
  const others = { 'document selectionchange': 1, 'window eip6963:requestProvider': 1 }

  test('removes every listener, timer and channel after all features were used', async () => {
    const { page, problems } = await pages.open({
      settings: {
        authentication: {},
        wallet: { listeners: undefined },
        kit: { names: { baseUrl: 'https://app.example/names', bnb: true } },
      },
      init: count,
    })
    await visitAll(page)
    await page.evaluate(`window.kit.signIn().catch(() => {})`)
    await act(page, 'kit.connect({ walletId: "scan" }).catch(() => {})')
    await page.waitForFunction('window.kit.getState().transactions.length > 0')
    await page.evaluate('window.root.render(null)')
    await page.evaluate('window.kit.destroy()')
    await expect.poll(() => left(page)).toEqual(others)
    expect(await page.evaluate('window.wallet.listenerCount?.() ?? 0')).toBe(0)
    expect(problems.filter((text) => !text.includes('404') && !text.includes('personal_sign'))).toEqual([])
  })

  test.each([
    [
      'a wallet is asked',
      { wallet: { behaviours: { eth_requestAccounts: 'hang' } } },
      'kit.openConnectDialog(), kit.dispatch({ type: "pick", walletId: "metaMask" })',
    ],
    ['a code is shown', {}, 'kit.openConnectDialog(), kit.dispatch({ type: "pick", walletId: "scan" })'],
    [
      'the chain is switched',
      { wallet: { behaviours: { wallet_switchEthereumChain: 'hang' } } },
      'kit.connect({ walletId: "metaMask" }).then(() => { kit.openNetworkDialog(); kit.switchChain({ chainId: 1 }).catch(() => {}) })',
    ],
    [
      'a message is signed',
      { authentication: {}, wallet: { behaviours: { personal_sign: 'hang' } } },
      'kit.connect({ walletId: "metaMask" }).then(() => { kit.openSignInDialog(); kit.signIn().catch(() => {}) })',
    ],
    [
      'a nonce is waited for',
      { authentication: { options: { getNonce: 'hang' } } },
      'kit.connect({ walletId: "metaMask" }).then(() => { kit.openSignInDialog() })',
    ],
    [
      'a name is looked up',
      { kit: { names: { baseUrl: 'https://app.example/hang', bnb: true } } },
      'kit.connect({ walletId: "metaMask" })',
    ],
    [
      'a balance is read',
      { silentNode: true },
      'kit.connect({ walletId: "metaMask" }).then(() => kit.openAccountDialog())',
    ],
    [
      'a transaction is pending',
      {},
      'kit.connect({ walletId: "metaMask" }).then(() => kit.addTransaction({ hash: "0x" + "a".repeat(64), description: "Joined" }))',
    ],
  ] as const)('and the page goes while %s: nothing is left, warned of or unhandled', async (_, settings, doing) => {
    const { page, problems } = await pages.open({
      settings: { ...settings, strict: true } as HostSettings,
      init: count,
    })
    await page.route('https://app.example/hang/**', () => new Promise(() => {}))
    await page.getByRole('button', { name: 'Connect Wallet' }).waitFor()
    await page.evaluate(`{ const { kit } = window; ${doing} }`)
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
    await page.evaluate('window.root.render(null)')
    await page.evaluate('window.kit.destroy()')
    await expect.poll(() => left(page)).toEqual(others)
    expect(problems).toEqual([])
  })
})

describe('restricted pages', () => {
  const connects = async (page: Page) => {
    await page.getByRole('button', { name: 'Connect Wallet' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'MetaMask', exact: true }).click()
    await closed(page)
    await page.getByRole('button', { name: /0xd8…6045/ }).waitFor()
  }
  const full = 'Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError") }'
  const nothing = (name: string) => `Object.defineProperty(window, '${name}', { get: () => null })`

  test.each([
    ['localStorage is null', nothing('localStorage'), 'https'],
    ['localStorage is full', full, 'https'],
    ['there is no BroadcastChannel', 'delete window.BroadcastChannel', 'https'],
    [
      'there is no crypto.randomUUID',
      'Object.defineProperty(Crypto.prototype, "randomUUID", { value: undefined })',
      'https',
    ],
    ['there is no clipboard', 'Object.defineProperty(Navigator.prototype, "clipboard", { value: undefined })', 'https'],
  ])('%s: a wallet connects', async (_, init) => {
    const { page, problems } = await pages.open({ init })
    await connects(page)
    expect(problems).toEqual([])
  })

  test('a sandboxed frame, where storage throws: a wallet connects', async () => {
    const { page, problems } = await pages.open({
      html: '<!doctype html><title>Frame</title><iframe sandbox="allow-scripts" src="/inner" width="800" height="700"></iframe>',
    })
    await page.route('https://app.example/inner', (route) =>
      route.fulfill({ contentType: 'text/html', body: pageOf('crossorigin') }),
    )
    await page.reload()
    const frame = page.frameLocator('iframe')
    await frame.getByRole('button', { name: 'Connect Wallet' }).click()
    await frame.getByRole('dialog').getByRole('button', { name: 'MetaMask', exact: true }).click()
    await frame.getByRole('button', { name: /0xd8…6045/ }).waitFor()
    expect(problems).toEqual([])
  })

  test('an insecure page (http): a wallet connects', async () => {
    const context = await pages.browser.newContext()
    onTestFinished(() => context.close())
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(String(error)))
    await page.route('http://app.example/**', (route) => {
      const file = pages.files.get(new URL(route.request().url()).pathname)
      return route.fulfill(
        file === undefined
          ? { contentType: 'text/html', body: pageOf('') }
          : { contentType: 'text/javascript', body: file },
      )
    })
    await page.addInitScript('window.settings = {}')
    await page.goto('http://app.example/')
    expect(await page.evaluate('isSecureContext')).toBe(false)
    await connects(page)
    expect(errors).toEqual([])
  })
})
