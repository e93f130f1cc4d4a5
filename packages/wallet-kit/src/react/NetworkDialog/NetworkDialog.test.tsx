import { screen, waitFor } from '@testing-library/react'
import { bsc, mainnet, polygon } from 'viem/chains'
import { expect, test } from 'vitest'
import type { WalletKitChain } from '../../core/state/config.ts'
import { injectedConnector } from '../../core/wallets/injected.ts'
import type { ConnectorFactory } from '../../core/wallets/wallet.ts'
import { createScriptedKit } from '../../testing/createScriptedKit.ts'
import type { ScriptedWalletOptions } from '../../testing/createScriptedWallet.ts'
import { staysOn } from '../../testing/scriptedConnectors.ts'
import { metaMaskWallet } from '../../wallets/table.ts'
import { announced, renderPage } from '../testing/renderPage.tsx'

async function openNetworks(
  options: ScriptedWalletOptions = {},
  connector: ConnectorFactory = injectedConnector(),
  chains: readonly [WalletKitChain, ...WalletKitChain[]] = [bsc, mainnet],
) {
  const page = renderPage(
    createScriptedKit({
      wallets: [{ groupName: 'Popular', wallets: [{ ...metaMaskWallet, connectors: [connector] }] }],
      chains,
      installed: { 'io.metamask': { knownChains: [56, 1], ...options } },
    }),
  )
  await page.kit.connect({ walletId: 'metaMask' })
  await page.user.click(await screen.findByRole('button', { name: /BNB Smart Chain|Wrong network/ }))
  return { ...page, dialog: await screen.findByRole('dialog', { name: 'Switch Networks' }) }
}

const description = (dialog: HTMLElement) =>
  document.getElementById(dialog.getAttribute('aria-describedby') ?? '')?.textContent

const row = (name: string) => screen.getByRole('button', { name: new RegExp(`^${name}`) })

test('marks the chain the wallet is on, and switches to another', async () => {
  const { user, kit } = await openNetworks()
  expect(row('BNB Smart Chain Connected').getAttribute('aria-current')).toBe('true')
  await user.click(row('Ethereum'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(kit.getState().chainId).toBe(1)
})

test('a switch is announced after the dialog has closed, in an element that was there before, and leaves nothing', async () => {
  const { user, dialog, installed } = await openNetworks({ behaviours: { wallet_switchEthereumChain: 'wait' } })
  const region = dialog.nextElementSibling
  expect(region?.getAttribute('aria-live')).toBe('polite')
  expect(region?.textContent).toBe('')
  await user.click(row('Ethereum'))
  installed['io.metamask']?.release()
  await waitFor(() => expect(dialog.isConnected).toBe(false))
  await waitFor(() => expect(region?.textContent).toBe('Ethereum Connected'))
  expect(region?.isConnected).toBe(true)
  await waitFor(() => expect(region?.isConnected).toBe(false))
})

test('a dialog that closes without a switch announces nothing', async () => {
  const { user, dialog } = await openNetworks()
  const region = dialog.nextElementSibling
  await user.keyboard('{Escape}')
  await waitFor(() => expect(dialog.isConnected).toBe(false))
  await waitFor(() => expect(region?.isConnected).toBe(false))
  expect(region?.textContent).toBe('')
})

test('every button has tabindex 0, without which Safari does not focus a clicked button', async () => {
  const { dialog } = await openNetworks()
  const buttons = [...dialog.querySelectorAll('button')]
  expect(buttons.length).toBeGreaterThan(2)
  expect(buttons.filter((it) => it.getAttribute('tabindex') !== '0').map((it) => it.outerHTML)).toEqual([])
})

test('behavior: shows the icon of the app, else the kit’s own, else the initial', async () => {
  const own = 'data:image/svg+xml,own'
  const { dialog } = await openNetworks({}, undefined, [
    bsc,
    mainnet,
    { ...polygon, iconUrl: own },
    { ...mainnet, id: 999_999, name: 'Testing' },
  ])
  const iconOf = (name: string) => row(name).querySelector('img')?.getAttribute('src') ?? row(name).textContent?.[0]
  await waitFor(() => expect(iconOf('Ethereum')).toMatch(/^data:image\/svg\+xml,%3Csvg/))
  expect(iconOf('BNB Smart Chain Connected')).toMatch(/^data:image\/svg\+xml,%3Csvg/)
  expect(iconOf('Polygon')).toBe(own)
  expect(iconOf('Testing')).toBe('T')
  expect(dialog.querySelectorAll('img')).toHaveLength(3)
})

test('behavior: user rejected the switch', async () => {
  const { user, dialog } = await openNetworks({ behaviours: { wallet_switchEthereumChain: 'reject' } })
  await user.click(row('Ethereum'))
  await waitFor(() => expect(dialog.textContent).toContain('The switch was declined in the wallet.'))
  expect(announced()).toBe('The switch was declined in the wallet.')
})

test('behavior: wallet could not switch', async () => {
  const { user, dialog } = await openNetworks({
    behaviours: { wallet_switchEthereumChain: { error: new Error('Internal error') } },
  })
  await user.click(row('Ethereum'))
  await waitFor(() => expect(dialog.textContent).toContain('The wallet did not switch.'))
})

test('behavior: wallet cannot switch for any page', async () => {
  const { user, dialog } = await openNetworks({
    behaviours: {
      wallet_switchEthereumChain: { error: Object.assign(new Error('Method not supported'), { code: 4200 }) },
    },
  })
  await user.click(row('Ethereum'))
  const text = 'This wallet cannot switch networks for a page. Choose the network in the wallet itself.'
  await waitFor(() => expect(dialog.textContent).toContain(text))
  expect(announced()).toBe(text)
})

const unsupportedText = 'This wallet cannot switch networks for a page. Choose the network in the wallet itself.'

test('behavior: a wallet known to stay on its network: the dialog says why and where to switch', async () => {
  const { dialog, installed } = await openNetworks({}, staysOn(bsc.id))
  expect(row('Ethereum Switch in the wallet')).toBeTruthy()
  expect(row('BNB Smart Chain Connected')).toBeTruthy()
  expect(dialog.textContent).toContain(unsupportedText)
  expect(description(dialog)).toContain(unsupportedText)
  expect(installed['io.metamask']?.requests.map(({ method }) => method)).not.toContain('wallet_switchEthereumChain')
})

test('behavior: a wallet that has got a network since: a press switches', async () => {
  const offered = new Set<number>([bsc.id])
  const { user, kit } = await openNetworks({}, staysOn(offered))
  offered.add(mainnet.id)
  await user.click(row('Ethereum'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(kit.getState().chainId).toBe(mainnet.id)
})

test('behavior: a wallet with some of the networks: the dialog does not say that it cannot switch', async () => {
  const refusal = { error: Object.assign(new Error('Method not supported'), { code: 4200 }) }
  const behaviours = { wallet_switchEthereumChain: refusal }
  const { user, dialog } = await openNetworks({ behaviours }, staysOn([bsc.id, mainnet.id]), [bsc, mainnet, polygon])
  expect(row('Ethereum').textContent).not.toContain('Switch in the wallet')
  expect(dialog.textContent).not.toContain(unsupportedText)
  await user.click(row('Polygon Switch in the wallet'))
  await waitFor(() => expect(announced()).toContain('The wallet did not switch.'))
  expect(dialog.textContent).not.toContain(unsupportedText)
})

test('one network: the dialog does not say that the wallet cannot switch', async () => {
  const { dialog, installed } = await openNetworks({ chainId: 137 }, staysOn(137), [bsc])
  expect(dialog.textContent).toContain(unsupportedText)
  installed['io.metamask']?.setChain(bsc.id)
  await waitFor(() => expect(row('BNB Smart Chain Connected')).toBeTruthy())
  expect(dialog.textContent).not.toContain(unsupportedText)
})

test.each([
  ['a request that is open', Object.assign(new Error('pending'), { code: -32002 }), 'already open in the wallet'],
  ['a wallet without its network', Object.assign(new Error('offline'), { code: 4900 }), 'The wallet did not switch.'],
  ['what a wallet without its network says', Object.assign(new Error('No node'), { code: 4900 }), 'said: “No node”'],
  ['what a locked wallet says', Object.assign(new Error('Unlock me'), { code: 4100 }), 'said: “Unlock me”'],
  ['an error that says nothing', {}, 'The wallet did not switch.'],
  ['no error at all', undefined, 'The wallet did not switch.'],
])('error: %s is said', async (_, error, text) => {
  const { user, dialog } = await openNetworks({ behaviours: { wallet_switchEthereumChain: { error } } })
  await user.click(row('Ethereum'))
  await waitFor(() => expect(dialog.textContent).toContain(text))
})

test('error: the wallet’s own words stay in their place', async () => {
  const { user, dialog } = await openNetworks({
    behaviours: { wallet_switchEthereumChain: { error: new Error(`No\u202e ${'x'.repeat(10_000)}`) } },
  })
  await user.click(row('Ethereum'))
  await waitFor(() => expect(dialog.textContent).toMatch(/The wallet said: “No x{157}”/))
})

test('a second tap asks the wallet no second time', async () => {
  const { user, installed } = await openNetworks({ behaviours: { wallet_switchEthereumChain: 'wait' } })
  await user.click(row('Ethereum'))
  await user.click(await waitFor(() => row('Ethereum Confirm in wallet')))
  const asked = () => installed['io.metamask']?.requests.filter(({ method }) => method === 'wallet_switchEthereumChain')
  expect(asked()).toHaveLength(1)
  installed['io.metamask']?.release()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('while the wallet is asked, the row says so', async () => {
  const { user } = await openNetworks({ behaviours: { wallet_switchEthereumChain: 'hang' } })
  await user.click(row('Ethereum'))
  await waitFor(() => expect(row('Ethereum Confirm in wallet').getAttribute('aria-busy')).toBe('true'))
})

test('wrong network: the warning, and the way out', async () => {
  const { user, dialog, kit } = await openNetworks({ chainId: 137 })
  expect(dialog.textContent).toContain('Wrong network detected, switch or disconnect to continue.')
  await user.click(row('Disconnect'))
  await waitFor(() => expect(kit.getState().status).toBe('disconnected'))
})
