import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { bsc, mainnet } from 'viem/chains'
import { describe, expect, test, vi } from 'vitest'
import { storageKey } from '../../core/lib/storage.ts'
import { createScriptedAuthentication } from '../../testing/createScriptedAuthentication.ts'
import { createScriptedKit } from '../../testing/createScriptedKit.ts'
import { memoryStorage } from '../../testing/memoryStorage.ts'
import { metaMaskWallet } from '../../wallets/table.ts'
import { useName } from '../hooks/useName.ts'
import { renderPage } from '../testing/renderPage.tsx'
import { ConnectButton } from './ConnectButton.tsx'
import type { ConnectButtonRenderProps } from './useConnectButton.ts'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const wallets = [{ groupName: 'Popular', wallets: [metaMaskWallet] }]
/** Returns the screens on which a part is hidden by its styles. */
const readHidden = (piece: Element | null | undefined) => piece?.getAttribute('data-hidden') ?? ''

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

describe('a stored account whose wallet has not answered yet', () => {
  /** Renders the button of the account. `answer` lets its wallet answer. */
  function render() {
    const page = renderPage(
      createScriptedKit({
        wallets,
        storage: remembered(),
        installed: { 'io.metamask': { authorized: true, behaviours: { eth_accounts: 'wait' } } },
      }),
    )
    expect(screen.queryByRole('button', { name: 'Connect Wallet' })).toBeNull()
    const button = screen.getByRole('button', { name: /0xd8…6045/ })
    expect(button.getAttribute('aria-busy')).toBe('true')
    const answer = async () => {
      page.installed['io.metamask']?.release()
      await waitFor(() => expect(button.getAttribute('aria-busy')).toBeNull())
    }
    return { ...page, button, answer }
  }
  const findWallets = () => screen.findByRole('dialog', { name: 'Connect a Wallet' })

  test('behavior: it answers soon: the press opens the account', async () => {
    const { button, answer } = render()
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    fireEvent.click(button)
    vi.useRealTimers()
    await answer()
    expect(await screen.findByRole('dialog', { name: 'Account' })).toBeTruthy()
  })

  test('behavior: it is silent: other wallets can be chosen, until it answers', async () => {
    const { user, button, answer } = render()
    await user.click(button)
    await findWallets()
    expect(button.getAttribute('aria-expanded')).toBe('true')
    await answer()
    expect(await screen.findByRole('dialog', { name: 'Account' })).toBeTruthy()
  })

  test('behavior: a dialog that was closed meanwhile stays closed', async () => {
    const { user, button, answer } = render()
    await user.click(button)
    await findWallets()
    await user.keyboard('{Escape}')
    await answer()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

test('behavior: a node that fails: a dash takes the place of the balance', async () => {
  const node = { eth_getBalance: () => Promise.reject(new Error('down')) }
  renderPage(
    createScriptedKit({ wallets, node, storage: remembered(), installed: { 'io.metamask': { authorized: true } } }),
  )
  expect((await screen.findByText('–')).getAttribute('aria-hidden')).toBe('true')
  expect(screen.getByRole('button', { name: '0xd8…6045' })).toBeTruthy()
})

test('a stored account is in the first render', () => {
  const drawn: string[] = []
  const children = (
    <ConnectButton.Custom>
      {({ status }) => {
        drawn.push(status)
        return null
      }}
    </ConnectButton.Custom>
  )
  renderPage(createScriptedKit({ wallets, storage: remembered() }), { children })
  expect(drawn[0]).toBe('reconnecting')
})

test('behavior: the stored wallet is locked: disconnected, no error', async () => {
  renderPage(createScriptedKit({ wallets, storage: remembered(), installed: { 'io.metamask': {} } }))
  expect(await screen.findByRole('button', { name: 'Connect Wallet' })).toHaveProperty('disabled', false)
})

test('reads the balance once for all components', async () => {
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

test('shows the number of pending transactions, also in its accessible name', async () => {
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
  expect(await screen.findByRole('button', { name: /BNB, 0xd8…6045, 2 pending$/ })).toBeTruthy()
  expect(screen.getByRole('button', { name: '0xd8…6045, 2 pending' })).toBeTruthy()
  receipt = { status: '0x1', blockNumber: '0x1', logs: [] }
  await waitFor(() => expect(screen.queryByRole('button', { name: /pending/ })).toBeNull())
  expect(screen.getByRole('button', { name: '0xd8…6045' })).toBeTruthy()
})

test('on an unsupported chain: "Wrong network" opens the network dialog, the account stays reachable', async () => {
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

test('shows the chain if the app has several', async () => {
  const page = renderPage(createScriptedKit({ wallets, chains: [bsc, mainnet], installed: { 'io.metamask': {} } }))
  await page.kit.connect({ walletId: 'metaMask' })
  await screen.findByRole('button', { name: 'BNB Smart Chain' })
})

test('Custom passes account, chain and actions', async () => {
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

test('Custom passes the sign-in status, also while it is unknown', async () => {
  const seen: unknown[] = []
  const page = renderPage(
    createScriptedKit({
      wallets,
      storage: remembered(),
      installed: { 'io.metamask': { authorized: true, behaviours: { eth_accounts: 'wait' } } },
      authentication: { adapter: createScriptedAuthentication(), required: true },
    }),
    {
      children: (
        <ConnectButton.Custom>
          {({ authenticationStatus }) => {
            if (seen.at(-1) !== authenticationStatus) seen.push(authenticationStatus)
            return null
          }}
        </ConnectButton.Custom>
      ),
    },
  )
  await waitFor(() => expect(page.installed['io.metamask']?.requests).toHaveLength(1))
  page.installed['io.metamask']?.release()
  await waitFor(() => expect(seen).toEqual(['loading', 'unauthenticated']))
})

const withNames = (names: Record<string, string>) => ({
  names: { bnb: true },
  storage: memoryStorage({
    [storageKey('names')]: JSON.stringify(
      Object.fromEntries(Object.entries(names).map(([of, name]) => [of.toLowerCase(), { at: Date.now(), name }])),
    ),
  }),
})

test('shows the account’s name, cut at 24 characters, with its address', async () => {
  const page = renderPage(
    createScriptedKit({
      wallets,
      installed: { 'io.metamask': {} },
      ...withNames({ [address]: 'reallylongensnameheretotestlongnames.eth' }),
    }),
  )
  await page.kit.connect({ walletId: 'metaMask' })
  const button = await screen.findByRole('button', { name: /reallylongensnameheretot\.\.\./ })
  expect(within(button).getByTitle(`reallylongensnameheretotestlongnames.eth ${address}`)).toBeTruthy()
})

test('behavior: the account changes: the old name disappears', async () => {
  const other = '0x00000000219ab540356cBB839Cbe05303d7705Fa'
  const page = renderPage(
    createScriptedKit({ wallets, installed: { 'io.metamask': {} }, ...withNames({ [address]: 'alice.bnb' }) }),
  )
  await page.kit.connect({ walletId: 'metaMask' })
  await screen.findByRole('button', { name: /alice\.bnb/ })
  act(() => page.installed['io.metamask']?.setAccounts([other]))
  await screen.findByRole('button', { name: /0x00…05Fa/ })
  expect(screen.queryByText('alice.bnb')).toBeNull()
})

test('useName({ address }) returns any account’s name while connected', async () => {
  const friend = '0x00000000219ab540356cBB839Cbe05303d7705Fa'
  const Friend = () => {
    const { status, name } = useName({ address: friend })
    return <p>{`${status} ${name}`}</p>
  }
  const page = renderPage(
    createScriptedKit({ wallets, installed: { 'io.metamask': {} }, names: { bnb: true }, node: { eth_call: '0x' } }),
    { children: <Friend /> },
  )
  expect(screen.getByText('idle undefined')).toBeTruthy()
  await page.kit.connect({ walletId: 'metaMask' })
  await screen.findByText('ready undefined')
})

test('useName({ address }) with a source of the app’s own returns a name without a wallet', async () => {
  const Friend = () => <p>{useName({ address: '0x00000000219ab540356cBB839Cbe05303d7705Fa' }).name}</p>
  const resolve = vi.fn(async () => ({ name: 'friend.eth' }))
  renderPage(createScriptedKit({ wallets, names: { resolve } }), {
    children: [<Friend key="a" />, <ConnectButton key="b" />],
  })
  await screen.findByText('friend.eth')
  expect(resolve).toHaveBeenCalledTimes(1)
})

test.each([
  ['disconnected', {}, {}],
  ['connected', { 'io.metamask': {} }, { address, name: 'alice.bnb', displayName: 'alice.bnb', balanceDecimals: 18 }],
])('a render prop gets all of it, typed: %s', async (status, installed, account) => {
  let given: ConnectButtonRenderProps | undefined
  const page = renderPage(createScriptedKit({ wallets, installed, ...withNames({ [address]: 'alice.bnb' }) }), {
    children: (
      <ConnectButton.Custom>
        {(props) => {
          given = props
          return null
        }}
      </ConnectButton.Custom>
    ),
  })
  if (status === 'connected') {
    await page.kit.connect({ walletId: 'metaMask' })
    await waitFor(() =>
      expect(given?.account).toMatchObject({
        ...account,
        balanceFormatted: '1.2345',
        balanceSymbol: 'BNB',
        displayBalance: '1.23 BNB',
        hasPendingTransactions: false,
      }),
    )
    expect(given?.chain).toMatchObject({ id: 56, name: 'BNB Smart Chain', hasIcon: true, unsupported: false })
  } else expect(given).not.toHaveProperty('account')
  expect(given).toMatchObject({
    status,
    mounted: true,
    accountModalOpen: false,
    chainModalOpen: false,
    connectModalOpen: false,
  })
  expect(given?.authenticationStatus).toBeUndefined()
})

/** Hidden parts of the button by screen. */
test.each([
  ['by default', {}, { picture: '', name: '', balance: 'small' }],
  ['an avatar alone', { accountStatus: 'avatar' }, { picture: '', name: 'small large', balance: 'small' }],
  [
    'an address alone',
    { accountStatus: 'address', showBalance: false },
    { picture: 'small large', name: '', balance: 'small large' },
  ],
  [
    'by screen',
    {
      accountStatus: { smallScreen: 'avatar', largeScreen: 'address' },
      showBalance: { smallScreen: true, largeScreen: false },
    },
    { picture: 'large', name: 'small', balance: 'large' },
  ],
] as const)('account: %s', async (_, props, hidden) => {
  const page = renderPage(createScriptedKit({ wallets, installed: { 'io.metamask': {} } }), {
    children: <ConnectButton {...props} />,
  })
  await page.kit.connect({ walletId: 'metaMask' })
  const name = await screen.findByTitle(address)
  const picture = name.previousElementSibling
  expect({
    picture: readHidden(picture),
    name: readHidden(name),
    balance: readHidden(picture?.previousElementSibling),
  }).toEqual(hidden)
})

test('the label prop replaces the kit’s text', () => {
  renderPage(createScriptedKit({ wallets }), { children: <ConnectButton label="Join" /> })
  expect(screen.getByRole('button', { name: 'Join' })).toBeTruthy()
})
