// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { demoAccounts } from '../../../../scripts/demo-chain/demoAccounts.ts'
import { announceDemoWallet, createDemoWindow, type DemoWindow } from './announceDemoWallet.ts'
import type { DemoProvider } from './createDemoProvider.ts'
import type { Question } from './questionContent.ts'
import { decodeMessage } from './readRequest.ts'

const accounts = demoAccounts.map(({ address }) => address)
const privateKeys = demoAccounts.map(({ privateKey }) => privateKey)
const [account, other] = accounts as [(typeof accounts)[number], (typeof accounts)[number]]
const sign = (text: string): Question => ({ kind: 'signMessage', account, message: decodeMessage(text) })
let opened: DemoWindow | undefined

// jsdom does not implement <dialog>'s methods. https://github.com/jsdom/jsdom/issues/3294
beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }))
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function () {
    if (!this.open) return
    this.open = false
    this.dispatchEvent(new Event('close'))
  }
})
afterEach(() => {
  opened?.destroy()
  opened = undefined
  document.documentElement.removeAttribute('data-mui-color-scheme')
  vi.unstubAllGlobals()
})

function open(locale = 'en') {
  opened = createDemoWindow({ locale: () => locale })
  return opened
}

const walletHosts = () => [...document.querySelectorAll<HTMLElement>('lineage-demo-wallet')]
const root = () => walletHosts()[0]?.shadowRoot as ShadowRoot
const dialog = () => root().querySelector('dialog') as HTMLDialogElement
const press = (name: string) =>
  [...root().querySelectorAll('button')]
    .find((each) => each.textContent === name || each.title.startsWith(name))
    ?.click()

test('behavior: the connect dialog returns the chosen account', async () => {
  const answer = open().ask({ kind: 'connect', accounts, account })
  const radios = [...dialog().querySelectorAll('input')]
  expect(radios.map((radio) => radio.checked)).toEqual([true, false, false, false])
  radios[1]?.click()
  press('Connect')
  expect(await answer).toEqual({ kind: 'approved', account: other })
  expect(dialog()).toBeNull()
})

test('behavior: rejects by the button, Escape and destroying the wallet', async () => {
  const window = open()
  const rejected = window.ask(sign('a'))
  press('Reject')
  const escaped = rejected.then(() => window.ask(sign('b')))
  await rejected
  await expect.poll(() => dialog().textContent).toContain('b')
  dialog().close()
  await escaped
  const taken = window.ask(sign('c'))
  window.destroy()
  const late = window.ask(sign('d'))
  expect(await Promise.all([rejected, escaped, taken, late])).toEqual(Array(4).fill({ kind: 'rejected' }))
  expect(walletHosts()).toEqual([])
})

test('behavior: markup in a message is shown as text', () => {
  const hostile = '<img src=x onerror=alert(1)></pre><button>Sign</button>'
  void open().ask(sign(hostile))
  expect(dialog().querySelector('pre')?.textContent).toBe(hostile)
  expect(dialog().querySelectorAll('button')).toHaveLength(2)
})

test.each([
  ['zh-CN', '发送交易'],
  ['zh-TW', '送出交易'],
])('behavior: a transaction shows its receiver, amount, call, fee and why it may fail (%s)', (locale, title) => {
  void open(locale).ask({
    kind: 'send',
    account,
    chainId: 56,
    to: other,
    value: 15n * 10n ** 17n,
    data: '0x81bac14f',
    call: { name: 'bind', arguments: [other] },
    maxFee: 10n ** 14n,
    warning: `AlreadyBound(${account})`,
  })
  const text = dialog().textContent ?? ''
  for (const shown of [title, other, '1.5 BNB', `bind(${other})`, '0.0001 BNB', `AlreadyBound(${account})`]) {
    expect(text).toContain(shown)
  }
})

test('behavior: uses the page’s colour scheme', async () => {
  open()
  expect(walletHosts()[0]?.dataset.scheme).toBe('light')
  document.documentElement.setAttribute('data-mui-color-scheme', 'dark')
  await expect.poll(() => walletHosts()[0]?.dataset.scheme).toBe('dark')
})

test('behavior: announces at once, on request, and not after stopping', () => {
  const heard: { info: Record<string, string>; provider: DemoProvider }[] = []
  const listener = (event: Event) => heard.push((event as CustomEvent).detail)
  window.addEventListener('eip6963:announceProvider', listener)
  const { stop } = announceDemoWallet({ privateKeys, rpcUrl: 'http://127.0.0.1:1', locale: 'zh-CN' })
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  stop()
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  window.removeEventListener('eip6963:announceProvider', listener)
  expect(heard).toHaveLength(2)
  expect(heard[0]?.info).toMatchObject({
    name: '演示钱包',
    rdns: 'app.lineage.demo',
    uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    icon: expect.stringMatching(/^data:image\/svg\+xml,/),
  })
  expect(heard[1]?.info).toBe(heard[0]?.info)
  expect(walletHosts()).toEqual([])
})

test('behavior: in the panel account and network change at once', async () => {
  const heard: DemoProvider[] = []
  const listener = (event: Event) => heard.push((event as CustomEvent).detail.provider)
  window.addEventListener('eip6963:announceProvider', listener, { once: true })
  const { openPanel, stop } = announceDemoWallet({ privateKeys, rpcUrl: 'http://127.0.0.1:1', locale: 'en' })
  const [provider] = heard as [DemoProvider]
  const connecting = provider.request({ method: 'eth_requestAccounts' })
  await expect.poll(() => dialog()).not.toBeNull()
  press('Connect')
  expect(await connecting).toEqual([account])
  openPanel()
  openPanel()
  expect(root().querySelectorAll('dialog')).toHaveLength(1)
  const [, second, , , , testnet] = dialog().querySelectorAll('input')
  second?.click()
  testnet?.click()
  expect(await provider.request({ method: 'eth_accounts' })).toEqual([other])
  expect(await provider.request({ method: 'eth_chainId' })).toBe('0x61')
  press('Disconnect')
  expect(await provider.request({ method: 'eth_accounts' })).toEqual([])
  expect(dialog()).toBeNull()
  stop()
})
