import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { storageKey } from '../../core/lib/storage.ts'
import { createScriptedKit, type ScriptedKitOptions } from '../../testing/createScriptedKit.ts'
import { memoryStorage } from '../../testing/memoryStorage.ts'
import { metaMaskWallet } from '../../wallets/table.ts'
import { announced, renderPage } from '../testing/renderPage.tsx'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

async function openAccount(options: Partial<ScriptedKitOptions> = {}) {
  const page = renderPage(
    createScriptedKit({
      wallets: [{ groupName: 'Popular', wallets: [metaMaskWallet] }],
      installed: { 'io.metamask': {} },
      ...options,
    }),
  )
  await page.kit.connect({ walletId: 'metaMask' })
  await page.user.click(await screen.findByRole('button', { name: /0xd8…6045|alice/ }))
  return { ...page, dialog: await screen.findByRole('dialog', { name: 'Account' }) }
}

test('shows the whole address in groups of four that copy as one address', async () => {
  await openAccount()
  const full = screen.getByRole('group', { name: 'Full address' })
  expect(full.textContent).toBe(address)
  expect([...full.querySelectorAll('b')].map(({ textContent }) => textContent)).toEqual([
    '0x',
    'd8dA',
    '6BF2',
    '6964',
    'aF9D',
    '7eEd',
    '9e03',
    'E534',
    '15D3',
    '7aA9',
    '6045',
  ])
})

test('copies the address and shows “Copied” for a moment', async () => {
  const { user } = await openAccount()
  await user.click(screen.getByRole('button', { name: 'Copy Address' }))
  await screen.findByRole('button', { name: 'Copied' })
  expect(announced()).toBe('Copied')
  expect(await navigator.clipboard.readText()).toBe(address)
  await screen.findByRole('button', { name: 'Copy Address' })
})

test('shows “Copied” for 1,500 ms after the last click', async () => {
  await openAccount()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const label = () => screen.getByRole('button', { name: /Copy Address|Copied/ }).textContent
  const copy = async () => {
    screen.getByRole('button', { name: /Copy Address|Copied/ }).click()
    await act(() => vi.advanceTimersByTimeAsync(0))
  }
  await copy()
  await act(() => vi.advanceTimersByTimeAsync(1_400))
  await copy()
  await act(() => vi.advanceTimersByTimeAsync(1_400))
  expect(label()).toBe('Copied')
  await act(() => vi.advanceTimersByTimeAsync(100))
  expect(label()).toBe('Copy Address')
})

const refused = { writeText: () => Promise.reject(new DOMException('Denied', 'NotAllowedError')) }

test.each([
  ['clipboard refused, and the old way too', refused],
  ['no clipboard, and no old way', undefined],
])('behavior: %s', async (_, clipboard) => {
  const { user, dialog } = await openAccount()
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard })
  await user.click(screen.getByRole('button', { name: 'Copy Address' }))
  await waitFor(() =>
    expect(within(dialog).getAllByText('Could not copy. Select the address and copy it.')).toHaveLength(2),
  )
})

test('shows the name beside the whole address', async () => {
  await openAccount({
    names: { bnb: true },
    storage: memoryStorage({
      [storageKey('names')]: JSON.stringify({ [address.toLowerCase()]: { at: Date.now(), name: 'alice.bnb' } }),
    }),
  })
  expect(await screen.findByText('alice.bnb', { selector: 'strong' })).toBeTruthy()
  expect(screen.getByRole('group', { name: 'Full address' }).textContent).toBe(address)
})

test('shortens a long name; copying copies the address', async () => {
  const { user } = await openAccount({
    names: { bnb: true },
    storage: memoryStorage({
      [storageKey('names')]: JSON.stringify({
        [address.toLowerCase()]: { at: Date.now(), name: `alice${'a'.repeat(100)}.bnb` },
      }),
    }),
  })
  expect(await screen.findByText(`alice${'a'.repeat(19)}...`, { selector: 'strong' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Copy Address' }))
  await screen.findByRole('button', { name: 'Copied' })
  expect(await navigator.clipboard.readText()).toBe(address)
})

test('behavior: the balance is loading, fails, and succeeds on retry', async () => {
  let answer: (value: unknown) => void = () => {}
  const eth_getBalance = () =>
    new Promise((resolve) => {
      answer = resolve
    })
  const { user } = await openAccount({ node: { eth_getBalance } })
  screen.getByRole('img', { name: 'Reading the balance…' })
  answer('nonsense')
  await screen.findByText('The balance could not be read.')
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  answer('0xde0b6b3a7640000')
  expect(await screen.findAllByText('1 BNB')).toHaveLength(2)
})

test('behavior: reading fails again: the last balance stays, marked as possibly out of date', async () => {
  let balance = '0xde0b6b3a7640000'
  const { user } = await openAccount({ node: { eth_getBalance: () => balance } })
  await screen.findAllByText('1 BNB')
  balance = 'nonsense'
  await user.click(screen.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(screen.getByRole('button', { name: /0xd8…6045/ }))
  await screen.findByText('This balance may be out of date.')
  expect(screen.getAllByText('1 BNB')).toHaveLength(2)
})

test('on an unsupported chain: no balance, but a way to switch', async () => {
  const { user } = await openAccount({ installed: { 'io.metamask': { chainId: 137 } } })
  await user.click(screen.getByRole('button', { name: 'Switch Networks' }))
  await screen.findByRole('dialog', { name: 'Switch Networks' })
})

test('Disconnect forgets the account and closes the dialog', async () => {
  const { user, kit } = await openAccount()
  await user.click(screen.getByRole('button', { name: 'Disconnect' }))
  await screen.findByRole('button', { name: 'Connect Wallet' })
  expect(kit.getState()).toMatchObject({ status: 'disconnected', dialog: { name: 'none' } })
})

test('lists the three latest transactions with their status; Clear All removes them', async () => {
  const { user, kit } = await openAccount({
    node: { eth_getTransactionReceipt: { status: '0x0', blockNumber: '0x1' } },
  })
  for (const digit of ['1', '2', '3', '4'])
    kit.addTransaction({ hash: `0x${digit.repeat(64)}`, description: `Payment ${digit}` })
  const items = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent?.split(' · ')[0])
  await waitFor(() =>
    expect(items()).toEqual(['Payment 4Reverted on chain', 'Payment 3Reverted on chain', 'Payment 2Reverted on chain']),
  )
  expect(screen.getByRole('link', { name: /Payment 4/ }).getAttribute('href')).toBe(
    `https://bscscan.com/tx/0x${'4'.repeat(64)}`,
  )
  await user.click(screen.getByRole('button', { name: 'Clear All' }))
  await waitFor(() => expect(items()).toEqual([]))
})

test('a sped-up transaction is one row: links the new hash, names the first', async () => {
  const [first, second] = [`0x${'1'.repeat(64)}`, `0x${'2'.repeat(64)}`]
  const transaction = { hash: second, originalHash: first, description: 'Join', status: 'confirmed', createdAt: 1 }
  const lists = { [`56:${address.toLowerCase()}`]: [transaction] }
  await openAccount({ storage: memoryStorage({ [storageKey('transactions')]: JSON.stringify(lists) }) })
  const link = screen.getByRole('link', { name: /Join Confirmed ?· ?Jan 1, 1970 Sped up, was 0x11…1111/ })
  expect(link.getAttribute('href')).toBe(`https://bscscan.com/tx/${second}`)
})

test('a Safe transaction shows what it waits for, and is linked once executed', async () => {
  const hash = (digit: string) => `0x${digit.repeat(64)}`
  const transactions = [
    { hash: hash('1'), description: 'Join', status: 'pending', awaiting: 'owners', createdAt: 1 },
    { hash: hash('2'), description: 'Claim', status: 'pending', awaiting: 'execution', createdAt: 1 },
    { hash: hash('3'), originalHash: hash('4'), executedAt: 2, description: 'Vote', status: 'confirmed', createdAt: 1 },
  ]
  const lists = { [`56:${address.toLowerCase()}`]: transactions }
  await openAccount({ storage: memoryStorage({ [storageKey('transactions')]: JSON.stringify(lists) }) })
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'JoinWaiting for the other owners · Jan 1, 1970',
    'ClaimSigned, not yet executed · Jan 1, 1970',
    'VoteConfirmed · Jan 1, 1970',
  ])
  expect(screen.queryByRole('link', { name: /Join|Claim/ })).toBeNull()
  expect(screen.getByRole('link', { name: /Vote/ }).getAttribute('href')).toBe(`https://bscscan.com/tx/${hash('3')}`)
})

test('links to the account on the explorer', async () => {
  await openAccount()
  expect(screen.getByRole('link', { name: 'View on BscScan' }).getAttribute('href')).toBe(
    `https://bscscan.com/address/${address}`,
  )
})
