import type { Meta, StoryObj } from '@storybook/react-vite'
import { screen } from 'storybook/test'
import type { WalletKit } from '../../core/createWalletKit.ts'
import { createScriptedKit } from '../../testing/createScriptedKit.ts'
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

export const WithTransactions: Story = {
  args: {
    create: () =>
      createScriptedKit({
        wallets: defaultWallets(),
        installed: { 'io.metamask': {} },
        node: { eth_getTransactionReceipt: { status: '0x1', blockNumber: '0x10' }, eth_blockNumber: '0x10' },
      }),
    act: async (kit) => {
      await kit.connect({ walletId: 'metaMask' })
      const hash = (digit: string) => `0x${digit.repeat(64)}` as const
      kit.addTransaction({ hash: hash('1'), description: 'Joined under 0x12…cdef' })
      kit.addTransaction({ hash: hash('2'), description: 'Claimed rewards of November', confirmations: 40 })
      kit.openAccountDialog()
    },
  },
}

export const WrongNetwork: Story = {
  args: {
    create: () => createScriptedKit({ wallets: defaultWallets(), installed: { 'io.metamask': { chainId: 1 } } }),
  },
}

export const OnPhone: Story = { globals: { viewport: { value: 'phone' } } }
