import type { Meta, StoryObj } from '@storybook/react-vite'
import { screen } from 'storybook/test'
import { bsc, bscTestnet, mainnet } from 'viem/chains'
import { createScriptedKit } from '../../testing/createScriptedKit.ts'
import type { ScriptedWalletOptions } from '../../testing/createScriptedWallet.ts'
import { staysOn } from '../../testing/scriptedConnectors.ts'
import { defaultWallets } from '../../wallets/defaultWallets.ts'
import { metaMaskWallet } from '../../wallets/table.ts'
import { StoryPage } from '../testing/StoryPage.tsx'

const withMetaMask = (options: ScriptedWalletOptions) => () =>
  createScriptedKit({
    wallets: defaultWallets(),
    chains: [bsc, mainnet, bscTestnet],
    installed: { 'io.metamask': options },
  })

const meta: Meta<typeof StoryPage> = {
  title: 'Wallet kit/Network dialog',
  component: StoryPage,
  render: (args, { globals }) => <StoryPage {...args} locale={globals.locale} colorScheme={globals.colorScheme} />,
  args: {
    create: withMetaMask({}),
    act: async (kit) => {
      await kit.connect({ walletId: 'metaMask' })
      kit.openNetworkDialog()
    },
  },
  play: async () => {
    // The first dialog of a page loads on demand, which may take long on a busy machine.
    await screen.findByRole('dialog', {}, { timeout: 10_000 })
  },
}
export default meta
type Story = StoryObj<typeof StoryPage>

const switchToMainnet: NonNullable<Story['args']>['act'] = async (kit) => {
  await kit.connect({ walletId: 'metaMask' })
  kit.openNetworkDialog()
  await kit.switchChain({ chainId: mainnet.id }).catch(() => undefined)
}

export const Networks: Story = {}

export const WrongNetwork: Story = { args: { create: withMetaMask({ chainId: 137 }) } }

export const Switching: Story = {
  args: { create: withMetaMask({ behaviours: { wallet_switchEthereumChain: 'hang' } }), act: switchToMainnet },
}

export const Rejected: Story = {
  args: { create: withMetaMask({ behaviours: { wallet_switchEthereumChain: 'reject' } }), act: switchToMainnet },
}

export const Failed: Story = {
  args: {
    create: withMetaMask({ behaviours: { wallet_switchEthereumChain: { error: new Error('Internal error') } } }),
    act: switchToMainnet,
  },
}

const switchError = (code: number, message: string) =>
  withMetaMask({ behaviours: { wallet_switchEthereumChain: { error: Object.assign(new Error(message), { code }) } } })

export const CannotSwitch: Story = {
  args: { create: switchError(4200, 'The method is not supported'), act: switchToMainnet },
}

/** A wallet that says before it is asked that it does not switch, like a Safe. */
export const NotOffered: Story = {
  args: {
    create: () =>
      createScriptedKit({
        wallets: [{ groupName: 'Popular', wallets: [{ ...metaMaskWallet, connectors: [staysOn(bsc.id)] }] }],
        chains: [bsc, mainnet, bscTestnet],
        installed: { 'io.metamask': {} },
      }),
  },
}

export const AlreadyOpen: Story = {
  args: { create: switchError(-32002, 'Request already pending'), act: switchToMainnet },
}

export const OneNetwork: Story = {
  args: {
    create: () => createScriptedKit({ wallets: defaultWallets(), installed: { 'io.metamask': { chainId: 137 } } }),
  },
}

export const OnPhone: Story = { globals: { viewport: { value: 'phone' } } }
