import { screen, waitFor } from '@testing-library/react'
import { bsc, mainnet } from 'viem/chains'
import { expect, test } from 'vitest'
import { storageKey } from '../core/storage.ts'
import { createScriptedKit } from '../testing/createScriptedKit.ts'
import { memoryStorage } from '../testing/memoryStorage.ts'
import { metaMask } from '../wallets/definitions/metaMask.ts'
import { ConnectButton } from './ConnectButton.tsx'
import { renderPage } from './renderPage.tsx'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const wallets = [{ groupName: 'Popular', wallets: [metaMask] }]
const remembered = () =>
  memoryStorage({
    [storageKey('connection')]: JSON.stringify({
      walletId: 'metaMask',
      kind: 'injected',
      rdns: 'io.metamask',
      address,
      chainId: 56,
    }),
  })

test('a remembered account is shown from the first paint, disabled until the wallet has answered', async () => {
  const page = renderPage(
    createScriptedKit({
      wallets,
      storage: remembered(),
      installed: { 'io.metamask': { authorized: true, behaviours: { eth_accounts: 'wait' } } },
    }),
  )
  expect(screen.queryByRole('button', { name: 'Connect Wallet' })).toBeNull()
  const button = screen.getByRole('button', { name: /0xd8…6045/ })
  expect(button).toHaveProperty('disabled', true)
  await waitFor(() => expect(page.installed['io.metamask']?.requests).toHaveLength(1))
  page.installed['io.metamask']?.release()
  await waitFor(() => expect(button).toHaveProperty('disabled', false))
})

test('a remembered wallet that is locked now: disconnected, without an error', async () => {
  renderPage(createScriptedKit({ wallets, storage: remembered(), installed: { 'io.metamask': {} } }))
  expect(await screen.findByRole('button', { name: 'Connect Wallet' })).toHaveProperty('disabled', false)
})

test('the balance is asked of the node once for all who show it', async () => {
  let asked = 0
  const eth_getBalance = () => {
    asked++
    return '0xde0b6b3a7640000'
  }
  const page = renderPage(createScriptedKit({ wallets, installed: { 'io.metamask': {} }, node: { eth_getBalance } }), {
    children: [<ConnectButton key="a" />, <ConnectButton key="b" />],
  })
  await page.kit.connect({ walletId: 'metaMask' })
  expect(await screen.findAllByText('1 BNB')).toHaveLength(2)
  expect(asked).toBe(1)
})

test('says how many transactions are pending, by name too, and no longer when they are settled', async () => {
  const page = renderPage(
    createScriptedKit({
      wallets,
      installed: { 'io.metamask': {} },
      node: { eth_getTransactionReceipt: () => receipt },
    }),
    { children: [<ConnectButton key="a" />, <ConnectButton key="b" accountStatus="avatar" showBalance={false} />] },
  )
  let receipt: unknown = null
  await page.kit.connect({ walletId: 'metaMask' })
  for (const digit of ['1', '2'])
    page.kit.addTransaction({ hash: `0x${digit.repeat(64)}`, description: `Payment ${digit}` })
  expect(await screen.findByRole('button', { name: /0xd8…6045 2 pending$/ })).toBeTruthy()
  expect(screen.getByRole('button', { name: '0xd8…6045, 2 pending' })).toBeTruthy()
  receipt = { status: '0x1', blockNumber: '0x1', logs: [] }
  await waitFor(() => expect(screen.queryByRole('button', { name: /pending/ })).toBeNull(), { timeout: 3_000 })
  expect(screen.getByRole('button', { name: '0xd8…6045' })).toBeTruthy()
})

test('on a wrong network it says so, opens the network dialog, and the account stays reachable', async () => {
  const page = renderPage(
    createScriptedKit({ wallets, installed: { 'io.metamask': { chainId: 1, knownChains: [1, 56] } } }),
  )
  await page.kit.connect({ walletId: 'metaMask' })
  await page.user.click(await screen.findByRole('button', { name: 'Wrong network' }))
  const dialog = await screen.findByRole('dialog', { name: 'Switch Networks' })
  expect(dialog.textContent).toContain('Wrong network detected, switch or disconnect to continue.')
  await page.user.click(screen.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await page.user.click(screen.getByRole('button', { name: /0xd8…6045/ }))
  await screen.findByRole('dialog', { name: 'Account' })
})

test('the chain is shown where there is a choice', async () => {
  const page = renderPage(createScriptedKit({ wallets, chains: [bsc, mainnet], installed: { 'io.metamask': {} } }))
  await page.kit.connect({ walletId: 'metaMask' })
  await screen.findByRole('button', { name: 'BNB Smart Chain' })
})

test('a render prop gets the account, the chain and the openers', async () => {
  const page = renderPage(createScriptedKit({ wallets, installed: { 'io.metamask': {} } }), {
    children: (
      <ConnectButton.Custom>
        {({ account, chain, mounted, status, openAccountModal, openConnectModal, connectModalOpen }) => (
          <button type="button" onClick={account ? openAccountModal : openConnectModal}>
            {[status, mounted, connectModalOpen, account?.displayName, account?.displayBalance, chain?.name].join(' ')}
          </button>
        )}
      </ConnectButton.Custom>
    ),
  })
  const button = screen.getByRole('button', { name: /disconnected true false/ })
  await page.user.click(button)
  await screen.findByRole('dialog', { name: 'Connect a Wallet' })
  await page.user.click(screen.getByRole('button', { name: 'MetaMask' }))
  await waitFor(() => expect(button.textContent).toBe('connected true false 0xd8…6045 1.23 BNB BNB Smart Chain'))
})

test('a label of the host goes before the kit’s', () => {
  renderPage(createScriptedKit({ wallets }), { children: <ConnectButton label="Join" /> })
  expect(screen.getByRole('button', { name: 'Join' })).toBeTruthy()
})
