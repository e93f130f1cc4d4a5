import { screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { storeDeepLink } from '../../core/wallets/deepLink.ts'
import { injectedConnector } from '../../core/wallets/injected.ts'
import type { ConnectorFactory } from '../../core/wallets/wallet.ts'
import {
  createScriptedAuthentication,
  type ScriptedAuthenticationOptions,
} from '../../testing/createScriptedAuthentication.ts'
import { createScriptedKit } from '../../testing/createScriptedKit.ts'
import { createScriptedWallet, type ScriptedWalletOptions } from '../../testing/createScriptedWallet.ts'
import { createScriptedRelay, staysOn } from '../../testing/scriptedConnectors.ts'
import { metaMaskWallet, rainbowWallet, walletConnectWallet } from '../../wallets/table.ts'
import { announced, renderPage } from '../testing/renderPage.tsx'

const privateKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

afterEach(() => {
  Reflect.deleteProperty(navigator, 'userAgent')
  localStorage.clear()
})

type Options = ScriptedAuthenticationOptions & {
  wallet?: ScriptedWalletOptions
  connector?: ConnectorFactory
  required?: boolean
}

async function arrive({ wallet, connector = injectedConnector(), required = true, ...server }: Options = {}) {
  const page = renderPage(
    createScriptedKit({
      wallets: [{ groupName: 'Popular', wallets: [{ ...metaMaskWallet, connectors: [connector] }] }],
      authentication: { adapter: createScriptedAuthentication(server), required },
      installed: { 'io.metamask': { privateKey, ...wallet } },
    }),
  )
  await page.user.click(screen.getByRole('button', { name: 'Connect Wallet' }))
  await page.user.click(await screen.findByRole('button', { name: /^MetaMask/ }))
  return page
}
const dialog = () => screen.findByRole('dialog', { name: 'Verify your account' })
const descriptionOf = (element: Element) =>
  document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent ?? ''
const button = (name: string) => screen.findByRole('button', { name })

describe('required', () => {
  test('opens after connecting; once signed in, the button shows the account', async () => {
    const { user, kit } = await arrive()
    const { textContent } = await dialog()
    expect(textContent).toContain(
      'To finish connecting, you must sign a message in your wallet to verify that you are the owner of this account.',
    )
    await user.click(await button('Sign message'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await screen.findByRole('button', { name: /0xf3…2266/ })).toBeTruthy()
    expect(kit.getState().session?.address).toBe(account)
  })

  test('Cancel disconnects', async () => {
    const { user, kit } = await arrive()
    await user.click(await button('Cancel'))
    await waitFor(() => expect(kit.getState().status).toBe('disconnected'))
    expect(await button('Connect Wallet')).toBeTruthy()
  })

  test('behavior: unauthenticated: the button says "Verify your account" and opens the dialog', async () => {
    const { user, kit } = await arrive()
    await user.click(await button('Sign message'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await kit.signOut()
    await user.click(await button('Verify your account'))
    await dialog()
  })
})

test('behavior: optional sign-in: the dialog does not say that connecting is not finished', async () => {
  const { kit } = await arrive({ required: false })
  await waitFor(() => expect(kit.getState().status).toBe('connected'))
  void kit.openSignInDialog()
  const { textContent } = await dialog()
  expect(textContent).toContain('Sign a message in your wallet to verify that you are the owner of this account.')
  expect(textContent).not.toContain('To finish connecting')
})

test('the button shows what is being waited for, keeps the focus, and asks only once', async () => {
  const { user, installed } = await arrive({ wallet: { behaviours: { personal_sign: 'wait' } }, verify: 'hang' })
  const sign = await button('Sign message')
  await user.click(sign)
  const waiting = await button('Waiting for signature…')
  expect([waiting, document.activeElement]).toEqual([sign, sign])
  expect(waiting.getAttribute('aria-disabled')).toBe('true')
  expect(announced()).toBe('Confirm the signature in MetaMask.')
  await user.click(waiting)
  const wallet = installed['io.metamask']
  expect(wallet?.requests.filter(({ method }) => method === 'personal_sign')).toHaveLength(1)
  wallet?.release()
  await button('Verifying signature…')
})

test('the request is read once when the dialog opens, as its description, and again when the wallet has declined', async () => {
  const { user } = await arrive({ wallet: { behaviours: { personal_sign: 'wait' } } })
  const sign = await button('Sign message')
  const request = descriptionOf(await dialog())
  expect(request).toMatch(/^To finish connecting, /)
  expect([announced(), descriptionOf(sign)]).toEqual(['', ''])
  await user.click(sign)
  await waitFor(() => expect(announced()).toBe('Confirm the signature in MetaMask.'))
  await user.keyboard('{Escape}')
})

test.each([
  ['declined', 'reject', /^To finish connecting, /],
  ['failed', { error: new Error('no') }, /^Error signing message/],
] as const)('behavior: the wallet %s: announced, and read with the button', async (_, personal_sign, text) => {
  const { user } = await arrive({ wallet: { behaviours: { personal_sign } } })
  await user.click(await button('Sign message'))
  await waitFor(() => expect(announced()).toMatch(text))
  expect(descriptionOf(await button('Sign message'))).toMatch(text)
})

test('behavior: the button says that the message is being prepared', async () => {
  await arrive({ getNonce: 'hang' })
  expect((await button('Preparing message…')).getAttribute('aria-disabled')).toBe('true')
})

test('behavior: rejected: no error, and the button can be used again', async () => {
  const { user, kit } = await arrive({ wallet: { behaviours: { personal_sign: 'reject' } } })
  await user.click(await button('Sign message'))
  await waitFor(() => expect(kit.getState()).toMatchObject({ dialog: { name: 'signIn' }, signIn: { name: 'idle' } }))
  expect((await dialog()).querySelector('.wk-paper')?.textContent).not.toMatch(/error|wrong|reject/i)
})

test.each<[string, Options, string, 'Sign message' | 'Retry']>([
  ['no nonce', { getNonce: 'fail' }, 'Error preparing message, please retry!', 'Retry'],
  [
    'the wallet fails',
    { wallet: { behaviours: { personal_sign: { error: { code: 4100, message: 'Unlock me' } } } } },
    'Error signing message, please retry! The wallet said: “Unlock me”',
    'Sign message',
  ],
  [
    'no signature',
    { wallet: { behaviours: { personal_sign: { result: '0x' } } } },
    'Error signing message, please retry!',
    'Sign message',
  ],
  [
    'a request is open',
    { wallet: { behaviours: { personal_sign: 'alreadyOpen' } } },
    'A request is already open in the wallet. Answer it there first.',
    'Sign message',
  ],
  ['the server says no', { verify: 'fail' }, 'Error verifying signature, please retry!', 'Sign message'],
  ['another account', { verify: 'otherAccount' }, 'Oops, something went wrong!', 'Sign message'],
])('error: %s: said, with a way on', async (_, options, text, next) => {
  const { user } = await arrive(options)
  if (next === 'Sign message') await user.click(await button('Sign message'))
  const opened = await dialog()
  await waitFor(() => expect(descriptionOf(opened)).toBe(text))
  // The dialog opens with it if the message cannot be prepared.
  if (next === 'Sign message') expect(announced()).toBe(text)
  expect((await button(next)).getAttribute('aria-disabled')).toBeNull()
})

describe('wrong network', () => {
  test('says so, switches, and continues by itself', async () => {
    const { user, installed } = await arrive({ wallet: { chainId: 137, knownChains: [56, 137] } })
    expect((await dialog()).textContent).toContain('Wrong network detected, switch or disconnect to continue.')
    installed['io.metamask']?.setBehaviour('wallet_switchEthereumChain', 'reject')
    await user.click(await button('Switch to BNB Smart Chain'))
    await waitFor(() => expect(announced()).toBe('The switch was declined in the wallet.'))
    installed['io.metamask']?.setBehaviour('wallet_switchEthereumChain', undefined)
    await user.click(await button('Switch to BNB Smart Chain'))
    await button('Sign message')
  })

  const warning = 'Wrong network detected, switch or disconnect to continue.'
  const reason = 'This wallet cannot switch networks for a page. Choose the network in the wallet itself.'

  test('behavior: a wallet known to stay on its network: the dialog also says why', async () => {
    const { installed } = await arrive({ wallet: { chainId: 137 }, connector: staysOn(137) })
    const { textContent } = await dialog()
    expect(textContent).toContain(warning)
    expect(textContent).toContain(reason)
    expect(descriptionOf(await dialog())).toBe(`${warning} ${reason}`)
    expect(await button('Disconnect')).toBeTruthy()
    installed['io.metamask']?.setChain(56)
    await button('Sign message')
  })

  test('behavior: a wallet that has got the network since: a press switches', async () => {
    const offered = new Set<number>([137])
    const { user } = await arrive({ wallet: { chainId: 137, knownChains: [56, 137] }, connector: staysOn(offered) })
    const press = await button('Switch to BNB Smart Chain')
    offered.add(56)
    await user.click(press)
    await button('Sign message')
  })

  test('behavior: a wallet that refuses every switch: says so', async () => {
    const unsupported = { error: Object.assign(new Error('Method not supported'), { code: 4200 }) }
    const wallet = { chainId: 137, behaviours: { wallet_switchEthereumChain: unsupported } }
    const { user } = await arrive({ wallet })
    await user.click(await button('Switch to BNB Smart Chain'))
    await waitFor(() => expect(announced()).toBe(reason))
  })

  test('Disconnect disconnects', async () => {
    const { user, kit } = await arrive({ wallet: { chainId: 137 } })
    await user.click(await button('Disconnect'))
    await waitFor(() => expect(kit.getState().status).toBe('disconnected'))
  })
})

describe('optional', () => {
  test('signs in and out from the account dialog', async () => {
    const { user, kit } = await arrive({ required: false })
    await user.click(await screen.findByRole('button', { name: /0xf3…2266/ }))
    await user.click(await button('Sign in'))
    await user.click(await button('Sign message'))
    await waitFor(() => expect(kit.getState().session).toBeDefined())
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(await screen.findByRole('button', { name: /0xf3…2266/ }))
    await user.click(await button('Sign out'))
    await screen.findByText('Not signed in')
    expect(kit.getState().status).toBe('connected')
    // The focus stays in the dialog, so that Esc closes it.
    expect(document.activeElement?.textContent).toBe('Sign in')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('error: the server could not be reached when signing out', async () => {
    const { user, kit } = await arrive({ required: false, signOut: 'fail' })
    await waitFor(() => expect(kit.getState().status).toBe('connected'))
    await kit.signIn()
    await user.click(await screen.findByRole('button', { name: /0xf3…2266/ }))
    await user.click(await button('Sign out'))
    await screen.findByText(/could not be reached/)
  })
})

describe('on a phone, over the relay', () => {
  async function arriveOnPhone(opened: string | undefined, walletId = 'rainbow') {
    const userAgent =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1'
    Object.defineProperty(navigator, 'userAgent', { configurable: true, value: userAgent })
    if (opened) storeDeepLink('javascript:alert(1)', opened)
    const relay = createScriptedRelay()
    const wallet = createScriptedWallet({ privateKey })
    const page = renderPage(
      createScriptedKit({
        wallets: [
          {
            groupName: 'Popular',
            wallets: [rainbowWallet, walletConnectWallet].map((it) => ({ ...it, connectors: [relay.connector] })),
          },
        ],
        authentication: { adapter: createScriptedAuthentication(), required: true },
      }),
    )
    const connected = page.kit.connect({ walletId })
    relay.approve({ provider: wallet.provider, accounts: [account], chainId: 56 })
    await connected
    return { ...page, wallet }
  }

  test.each(['rainbow', 'walletConnect'])(
    '%s: one tap asks the wallet and opens the app by the definition’s link',
    async (walletId) => {
      const { user, wallet } = await arriveOnPhone('Rainbow', walletId)
      const link = await button('Sign message')
      expect(link.getAttribute('href')).toBe('rainbow://wc')
      const asked = vi.fn(() => wallet.requests.at(-1)?.method)
      link.addEventListener('click', (event) => {
        event.preventDefault()
        queueMicrotask(asked)
      })
      await user.click(link)
      expect(asked.mock.results[0]?.value).toBe('personal_sign')
    },
  )

  test('behavior: Space presses the button, which is a link', async () => {
    const { user, wallet } = await arriveOnPhone('Rainbow')
    const link = await button('Sign message')
    link.addEventListener('click', (event) => event.preventDefault())
    link.focus()
    await user.keyboard(' ')
    await expect.poll(() => wallet.requests.at(-1)?.method).toBe('personal_sign')
  })

  test.each([
    ['another wallet', 'Trust Wallet'],
    ['none, the wallet is on another device', undefined],
  ])('behavior: what was opened here is %s: no link', async (_, opened) => {
    await arriveOnPhone(opened)
    expect((await button('Sign message')).hasAttribute('href')).toBe(false)
  })
})
