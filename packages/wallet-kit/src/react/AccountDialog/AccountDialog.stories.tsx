import type { Meta, StoryObj } from '@storybook/react-vite'
import { screen } from 'storybook/test'
import type { WalletKit } from '../../core/createWalletKit.ts'
import type { Transaction } from '../../core/state.ts'
import { storageKey } from '../../core/storage.ts'
import { createScriptedKit } from '../../testing/createScriptedKit.ts'
import { memoryStorage } from '../../testing/memoryStorage.ts'
import { defaultWallets } from '../../wallets/defaultWallets.ts'
import { StoryPage } from '../StoryPage.tsx'

const create = () => createScriptedKit({ wallets: defaultWallets(), installed: { 'io.metamask': {} } })

const open = async (kit: WalletKit) => {
  await kit.connect({ walletId: 'metaMask' })
  kit.openAccountDialog()
}

const meta: Meta<typeof StoryPage> = {
  title: 'Wallet kit/Account dialog',
  component: StoryPage,
  render: (args, { globals }) => <StoryPage {...args} locale={globals.locale} colorScheme={globals.colorScheme} />,
  args: { create, act: open },
  play: async () => {
    await screen.findByRole('dialog')
  },
}
export default meta
type Story = StoryObj<typeof StoryPage>

export const Account: Story = {}

const hash = (digit: string) => `0x${digit.repeat(64)}` as const

/** What was kept of the last visit. The pending one stays so: this node knows nothing. */
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

export const Transactions: Story = { args: { create: eachStatus } }

export const TransactionsChinese: Story = {
  globals: { locale: 'zh-CN', colorScheme: 'dark' },
  args: { create: eachStatus },
}

export const TransactionsOnPhone: Story = {
  globals: { viewport: { value: 'phone' }, colorScheme: 'dark' },
  args: { create: eachStatus },
}

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

export const OnPhone: Story = { globals: { viewport: { value: 'phone' } } }
