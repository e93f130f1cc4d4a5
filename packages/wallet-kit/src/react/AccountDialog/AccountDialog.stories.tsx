import type { Meta, StoryObj } from '@storybook/react-vite'
import { screen, userEvent } from 'storybook/test'
import { bsc } from 'viem/chains'
import { storageKey } from '../../core/lib/storage.ts'
import type { Transaction } from '../../core/state/state.ts'
import type { WalletKit } from '../../core/WalletKit.ts'
import {
  createScriptedAuthentication,
  type ScriptedAuthenticationOptions,
} from '../../testing/createScriptedAuthentication.ts'
import { createScriptedKit } from '../../testing/createScriptedKit.ts'
import { memoryStorage } from '../../testing/memoryStorage.ts'
import { defaultWallets } from '../../wallets/defaultWallets.ts'
import { StoryPage, storyText } from '../testing/StoryPage.tsx'

const create = () => createScriptedKit({ wallets: defaultWallets(), installed: { 'io.metamask': {} } })

const open = async (kit: WalletKit) => {
  await kit.connect({ walletId: 'metaMask' })
  kit.openAccountDialog()
}

/** Time limit for the first dialog of a page, which loads on demand and may take long on a busy machine. */
const patient = { timeout: 10_000 }

const meta: Meta<typeof StoryPage> = {
  title: 'Wallet kit/Account dialog',
  component: StoryPage,
  render: (args, { globals }) => <StoryPage {...args} locale={globals.locale} colorScheme={globals.colorScheme} />,
  args: { create, act: open },
  play: async () => {
    await screen.findByRole('dialog', {}, patient)
  },
}
export default meta
type Story = StoryObj<typeof StoryPage>

export const Account: Story = {}

const hash = (digit: string) => `0x${digit.repeat(64)}` as const

/**
 * Stores transactions, as if during the last visit. The pending one stays pending, because this node knows no
 * transaction.
 */
const withTransactions = (transactions: readonly Partial<Transaction>[]) => () => {
  const createdAt = Date.now() - 60_000
  const list = transactions.map((transaction, index) => ({ hash: hash(`${index}`), createdAt, ...transaction }))
  const lists = JSON.stringify({ '56:0xd8da6bf26964af9d7eed9e03e53415d37aa96045': list })
  return createScriptedKit({
    wallets: defaultWallets(),
    installed: { 'io.metamask': {} },
    storage: memoryStorage({ [storageKey('transactions')]: lists }),
  })
}

const eachStatus = withTransactions([
  { status: 'pending', description: 'Bind to referrer 0x12…cdef' },
  { status: 'confirmed', originalHash: hash('a'), description: 'Claimed rewards of November' },
  { status: 'failed', failureReason: 'reverted', description: 'Claimed rewards of October, all at once and in full' },
])

const eachFailure = withTransactions([
  { status: 'failed', failureReason: 'timeout', description: 'Bind to referrer 0x12…cdef' },
  { status: 'failed', failureReason: 'cancelled', description: 'Bind to referrer 0x12…cdef' },
  { status: 'failed', failureReason: 'dropped', description: 'Bind to referrer 0x12…cdef', createdAt: 1 },
])

const ofSafe = withTransactions([
  { status: 'pending', awaiting: 'owners', description: 'Bind to referrer 0x12…cdef' },
  { status: 'pending', awaiting: 'execution', description: 'Claimed rewards of November' },
  { status: 'confirmed', originalHash: hash('a'), executedAt: 1, description: 'Claimed rewards of October' },
])

export const Transactions: Story = { args: { create: eachStatus } }

export const TransactionsChinese: Story = {
  globals: { locale: 'zh-CN', colorScheme: 'dark' },
  args: { create: eachStatus },
}

export const TransactionsOnPhone: Story = {
  globals: { viewport: { value: 'phone' }, colorScheme: 'dark' },
  args: { create: eachStatus },
}

export const TransactionsOfSafe: Story = { args: { create: ofSafe } }

export const FailedTransactions: Story = { args: { create: eachFailure } }

export const FailedTransactionsOnPhone: Story = {
  globals: { viewport: { value: 'phone' }, locale: 'zh-CN' },
  args: { create: eachFailure },
}

export const WrongNetwork: Story = {
  args: {
    create: () => createScriptedKit({ wallets: defaultWallets(), installed: { 'io.metamask': { chainId: 1 } } }),
  },
}

const avatar = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="#3451B2"/><circle cx="4" cy="4" r="2" fill="#FBFAF7"/></svg>')}`

/** Stores the name of the account. */
const withName = (name: string, image?: string) => () =>
  createScriptedKit({
    wallets: defaultWallets(),
    installed: { 'io.metamask': {} },
    names: { bnb: true },
    storage: memoryStorage({
      [storageKey('names')]: JSON.stringify({
        '0xd8da6bf26964af9d7eed9e03e53415d37aa96045': { at: Date.now(), name, avatar: image },
      }),
    }),
  })

export const WithName: Story = { args: { create: withName('alice.bnb', avatar) } }

export const LongName: Story = { args: { create: withName('reallylongensnameheretotestlongnames.eth') } }

export const BrokenAvatar: Story = { args: { create: withName('broken.bnb', 'data:image/png;base64,AAAA') } }

const withBalance = (eth_getBalance: () => unknown) => () =>
  createScriptedKit({ wallets: defaultWallets(), installed: { 'io.metamask': {} }, node: { eth_getBalance } })

export const ReadingBalance: Story = { args: { create: withBalance(() => new Promise(() => {})) } }

export const BalanceFailed: Story = {
  args: { create: withBalance(() => 'nonsense') },
  play: async ({ globals }) => {
    await screen.findByText(await storyText(globals, 'balanceFailed'), {}, patient)
  },
}

export const BalanceStale: Story = {
  args: {
    create: () => {
      const answers = ['0x1121d33597384000']
      return withBalance(() => answers.pop() ?? 'nonsense')()
    },
    act: async (kit) => {
      await kit.connect({ walletId: 'metaMask' })
      // The button reads it first, then the dialog.
      await screen.findByText('1.23 BNB', {}, patient)
      kit.openAccountDialog()
    },
  },
  play: async ({ globals }) => {
    await screen.findByText(await storyText(globals, 'balanceStale'), {}, patient)
  },
}

/** Replaces the page's clipboard during a story. */
const withClipboard = (clipboard: unknown) => () => {
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard })
  Object.defineProperty(document, 'execCommand', { configurable: true, value: () => false })
  return () => {
    Reflect.deleteProperty(navigator, 'clipboard')
    Reflect.deleteProperty(document, 'execCommand')
  }
}

export const Copied: Story = {
  beforeEach: withClipboard({ writeText: async () => {} }),
  play: async ({ globals }) => {
    await userEvent.click(await screen.findByRole('button', { name: await storyText(globals, 'copyAddress') }, patient))
    await screen.findByRole('button', { name: await storyText(globals, 'copied') })
  },
}

export const CopyFailed: Story = {
  beforeEach: withClipboard(undefined),
  play: async ({ globals }) => {
    await userEvent.click(await screen.findByRole('button', { name: await storyText(globals, 'copyAddress') }, patient))
    await screen.findAllByText(await storyText(globals, 'copyFailed'))
  },
}

export const WithoutExplorer: Story = {
  args: {
    create: () =>
      createScriptedKit({
        wallets: defaultWallets(),
        installed: { 'io.metamask': {} },
        chains: [{ ...bsc, blockExplorers: undefined }],
      }),
  },
}

const withSignIn =
  (server: ScriptedAuthenticationOptions = {}) =>
  () =>
    createScriptedKit({
      wallets: defaultWallets(),
      installed: {
        'io.metamask': { privateKey: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80' },
      },
      authentication: { adapter: createScriptedAuthentication(server) },
    })

const openSignedIn = async (kit: WalletKit) => {
  await kit.connect({ walletId: 'metaMask' })
  await kit.signIn()
  kit.openAccountDialog()
}

export const NotSignedIn: Story = { args: { create: withSignIn() } }

export const SignedIn: Story = { args: { create: withSignIn(), act: openSignedIn } }

export const SignedInOnPhone: Story = {
  globals: { viewport: { value: 'phone' }, locale: 'zh-CN' },
  args: { create: withSignIn(), act: openSignedIn },
}

export const SignOutFailed: Story = {
  args: { create: withSignIn({ signOut: 'fail' }), act: openSignedIn },
  play: async ({ globals }) => {
    await userEvent.click(await screen.findByRole('button', { name: await storyText(globals, 'signOut') }, patient))
    await screen.findByText(await storyText(globals, 'signOutFailed'))
  },
}

export const OnPhone: Story = { globals: { viewport: { value: 'phone' } } }
