import { act, screen, waitFor, within } from '@testing-library/react'
import type { ReactElement } from 'react'
import { bsc, mainnet } from 'viem/chains'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { WalletKit } from '../../core/WalletKit.ts'
import { createScriptedAuthentication } from '../../testing/createScriptedAuthentication.ts'
import { createScriptedKit, type ScriptedKitOptions } from '../../testing/createScriptedKit.ts'
import { metaMaskWallet, rabbyWallet, rainbowWallet, walletConnectWallet } from '../../wallets/table.ts'
import { ConnectButton } from '../ConnectButton/ConnectButton.tsx'
import { useWalletKitState } from '../hooks/useWalletKit.ts'
import { renderPage } from '../testing/renderPage.tsx'
import { Account, Connect, Network, SignIn } from './namespaces.ts'

const privateKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const wallets = [
  { groupName: 'Popular', wallets: [metaMaskWallet, rabbyWallet] },
  { groupName: 'Ours', wallets: [rainbowWallet, walletConnectWallet] },
]

function MyConnect() {
  return (
    <Connect.Root>
      <Connect.Title />
      <Connect.Back>Back</Connect.Back>
      <Connect.Close>Close</Connect.Close>
      <Connect.Status />
      <Connect.Step name="list">
        <Connect.Search />
        <Connect.List data-testid="list">
          {(groups) =>
            groups.map((group) => (
              <Connect.Group key={group.name} group={group}>
                <Connect.GroupLabel />
                {group.wallets.map((wallet) => (
                  <Connect.Wallet
                    key={wallet.id}
                    wallet={wallet}
                    className={({ installed }) => (installed ? 'here' : 'elsewhere')}
                  >
                    <Connect.WalletIcon />
                    <Connect.WalletName />
                    <Connect.WalletMark />
                  </Connect.Wallet>
                ))}
              </Connect.Group>
            ))
          }
        </Connect.List>
        <Connect.Empty />
      </Connect.Step>
      <Connect.Step name={['connecting', 'scan', 'openApp']} data-testid="step">
        <Connect.StepTitle />
        <Connect.StepText />
        <Connect.StepDetail />
        <Connect.Retry />
      </Connect.Step>
      <Connect.Step name="get">{({ wallets }) => <p>{wallets.length} to get</p>}</Connect.Step>
      <Connect.Step name="list">
        <Connect.Action event={{ type: 'get' }}>Get one</Connect.Action>
      </Connect.Step>
    </Connect.Root>
  )
}

function MyDialogs() {
  const name = useWalletKitState(({ dialog }) => dialog.name)
  if (name === 'connect')
    return (
      <section aria-label="connect">
        <MyConnect />
      </section>
    )
  if (name === 'account')
    return (
      <section aria-label="account">
        <Account.Root>
          <Account.Name />
          <Account.Balance />
          <Account.Address />
          <Account.Session />
          <Account.Disconnect />
        </Account.Root>
      </section>
    )
  if (name === 'network')
    return (
      <section aria-label="network">
        <Network.Root>
          <Network.Warning />
          <Network.List>
            {(chains) =>
              chains.map((chain) => (
                <li key={chain.chain.id}>
                  <Network.Chain chain={chain} />
                </li>
              ))
            }
          </Network.List>
          <Network.Outcome />
        </Network.Root>
      </section>
    )
  return name === 'signIn' ? (
    <section aria-label="sign in">
      <SignIn.Root>
        <SignIn.Address />
        <SignIn.Text />
        <SignIn.Outcome />
        <SignIn.Submit />
        <SignIn.Cancel />
      </SignIn.Root>
    </section>
  ) : null
}

const show = (options: Partial<ScriptedKitOptions> = {}, dialogs: ReactElement = <MyDialogs />) =>
  renderPage(createScriptedKit({ wallets, installed: { 'io.metamask': { privateKey } }, ...options }), {
    dialogs: 'none',
    locale: 'en',
    children: (
      <>
        <ConnectButton />
        {dialogs}
      </>
    ),
  })

const section = (name: string) => screen.findByRole('region', { name })
const inSection = async (name: string) => within(await section(name))

async function openConnect(options: Partial<ScriptedKitOptions> = {}) {
  const page = show(options)
  await page.user.click(screen.getByRole('button', { name: 'Connect Wallet' }))
  return { ...page, dialog: await inSection('connect') }
}

async function connect(kit: WalletKit) {
  await kit.connect({ walletId: 'metaMask' })
}

test('behavior: with dialogs of the app, the kit draws none, and the button opens those of the app', async () => {
  const { dialog, user, kit } = await openConnect()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(dialog.getByRole('heading', { name: 'Connect a Wallet' })).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'MetaMask' }))
  await waitFor(() => expect(kit.getState().status).toBe('connected'))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'connect' })).toBeNull())
  await user.click(screen.getByRole('button', { name: /0xf3…2266/ }))
  const account = await inSection('account')
  expect(account.getByRole('group').textContent).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
  await user.click(account.getByRole('button', { name: 'Disconnect' }))
  await waitFor(() => expect(kit.getState().status).toBe('disconnected'))
  expect(document.querySelector('dialog, .wk-paper')).toBeNull()
})

test('behavior: rows are grouped, named, marked, and have their state as classes and attributes', async () => {
  const { dialog } = await openConnect()
  expect(dialog.getAllByRole('group').map((group) => group.querySelector('h3')?.textContent)).toEqual([
    'Installed',
    'Popular',
    'Ours',
  ])
  const row = dialog.getByRole('button', { name: 'MetaMask' })
  expect([row.className, row.dataset]).toMatchObject(['here', { installed: '' }])
  expect(dialog.getByRole('button', { name: 'Rabby' }).className).toBe('elsewhere')
  await waitFor(() => expect(row.querySelector('img')?.getAttribute('src')).toMatch(/^data:image/))
})

test('behavior: the search finds by name; without a match it says so, and arrow keys move in the list', async () => {
  const { dialog, user } = await openConnect()
  dialog.getByRole('button', { name: 'MetaMask' }).focus()
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement?.textContent).toContain('Rabby')
  await user.type(dialog.getByRole('searchbox', { name: 'Search wallets' }), 'rain')
  expect(dialog.getAllByRole('button').map((it) => it.textContent)).toEqual(['Close', 'Rainbow', 'Get one'])
  await user.type(dialog.getByRole('searchbox'), 'zzz')
  expect(dialog.getByText('No wallet found for “rainzzz”.')).toBeTruthy()
})

test('behavior: a step leads to another, and Back returns; Close closes', async () => {
  const { dialog, user, kit } = await openConnect()
  expect(dialog.queryByRole('button', { name: 'Back' })).toBeNull()
  await user.click(dialog.getByRole('button', { name: 'Get one' }))
  expect(await dialog.findByText('4 to get')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Back' }))
  await dialog.findByTestId('list')
  await user.click(dialog.getByRole('button', { name: 'Close' }))
  expect(kit.getState().dialog.name).toBe('none')
})

test('behavior: a rejected request is described, and Retry asks again', async () => {
  const { dialog, user, installed } = await openConnect({
    installed: { 'io.metamask': { behaviours: { eth_requestAccounts: 'reject' } } },
  })
  await user.click(dialog.getByRole('button', { name: 'MetaMask' }))
  const step = await dialog.findByTestId('step')
  await waitFor(() => expect(step.dataset).toMatchObject({ step: 'connecting', phase: 'rejected' }))
  const asked = () =>
    installed['io.metamask']?.requests.filter(({ method }) => method === 'eth_requestAccounts').length ?? 0
  const before = asked()
  await user.click(within(step).getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(asked()).toBe(before + 1))
})

test('behavior: a wrong network is warned of, and one press switches', async () => {
  const { kit, user } = show({
    chains: [bsc, mainnet],
    installed: { 'io.metamask': { privateKey, chainId: 137, knownChains: [56, 1, 137] } },
  })
  await connect(kit)
  await user.click(await screen.findByRole('button', { name: 'Wrong network' }))
  const dialog = await inSection('network')
  expect(dialog.getByText(/^Wrong network/)).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'BNB Smart Chain' }))
  await waitFor(() => expect(kit.getState().chainId).toBe(56))
})

test('behavior: sign-in asks the wallet once, and ends with a session', async () => {
  const { kit, user } = show({ authentication: { adapter: createScriptedAuthentication(), required: true } })
  await connect(kit).catch(() => undefined)
  const dialog = await inSection('sign in')
  await user.click(await dialog.findByRole('button', { name: 'Sign message' }))
  await waitFor(() => expect(kit.getState().session).toBeTruthy())
})

test('behavior: render replaces the element; handlers of both are called, and preventDefault skips the part’s own', async () => {
  const pressed = vi.fn()
  const { kit, user } = show(
    {},
    <Connect.Root>
      <Connect.Close render={<a href="#close">leave</a>} onClick={pressed} />
      <Connect.Close
        render={(props, state) => (
          <button type="button" {...(props as object)} data-of={typeof state}>
            stay
          </button>
        )}
        onClick={(event) => event.preventDefault()}
      />
    </Connect.Root>,
  )
  await user.click(screen.getByRole('button', { name: 'Connect Wallet' }))
  expect(kit.getState().dialog.name).toBe('connect')
  await user.click(screen.getByText('stay'))
  expect(kit.getState().dialog.name).toBe('connect')
  await user.click(screen.getByText('leave'))
  expect([pressed.mock.calls.length, kit.getState().dialog.name]).toEqual([1, 'none'])
})

test.each([
  ['Connect.Title', 'Connect.Root', <Connect.Title key="1" />],
  ['Network.List', 'Network.Root', <Network.List key="2" />],
  ['SignIn.Text', 'SignIn.Root', <SignIn.Text key="3" />],
  ['Account.Name', 'Account.Root', <Account.Name key="4" />],
])('error: %s outside of its root names the root', (_, root, part) => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  onTestFinished(() => log.mockRestore())
  expect(() => show({}, part)).toThrow(`This part must be inside of ${root}.`)
})

test('behavior: opening the dialog, also a second time, draws no list again that has not changed', async () => {
  // Without links to downloads, which are optional.
  const { downloadUrls: _, ...plain } = rainbowWallet
  const scripted = createScriptedKit({ wallets: [{ groupName: 'Popular', wallets: [plain] }] })
  const { kit } = scripted
  const list = vi.fn(() => null)
  renderPage(scripted, {
    dialogs: 'none',
    children: (
      <Connect.Root>
        <Connect.List>{list}</Connect.List>
      </Connect.Root>
    ),
  })
  await waitFor(() => expect(list).toHaveBeenCalled())
  const turn = async () => {
    act(() => void kit.openConnectDialog())
    await act(async () => kit.closeDialog())
  }
  await turn()
  const { wallets } = kit.getState()
  const drawn = list.mock.calls.length
  await turn()
  expect(list).toHaveBeenCalledTimes(drawn)
  expect(kit.getState().wallets).toBe(wallets)
})
