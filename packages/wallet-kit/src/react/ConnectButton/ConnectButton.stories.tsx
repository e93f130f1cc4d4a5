import type { Meta, StoryObj } from '@storybook/react-vite'
import type { InputType } from 'storybook/internal/types'
import { bsc, mainnet } from 'viem/chains'
import { storageKey } from '../../core/lib/storage.ts'
import type { WalletKit } from '../../core/WalletKit.ts'
import { createScriptedKit, type ScriptedKitOptions } from '../../testing/createScriptedKit.ts'
import { memoryStorage } from '../../testing/memoryStorage.ts'
import { defaultWallets } from '../../wallets/defaultWallets.ts'
import { StoryPage, type StoryPageProps } from '../testing/StoryPage.tsx'
import { createWalletKitTheme } from '../theme/createWalletKitTheme.ts'
import { WalletKitProvider } from '../WalletKitProvider.tsx'
import { ConnectButton, type ConnectButtonProps } from './ConnectButton.tsx'

const withMetaMask =
  (options: Partial<ScriptedKitOptions> = {}) =>
  () =>
    createScriptedKit({ wallets: defaultWallets(), installed: { 'io.metamask': {} }, ...options })

const connect = (kit: WalletKit) => kit.connect({ walletId: 'metaMask' })

const meta: Meta<typeof StoryPage> = {
  title: 'Wallet kit/Connect button',
  component: StoryPage,
  render: (args, { globals }) => <StoryPage {...args} locale={globals.locale} colorScheme={globals.colorScheme} />,
  args: { create: withMetaMask() },
}
export default meta
type Story = StoryObj<typeof StoryPage>

export const Disconnected: Story = {}

export const Connected: Story = { args: { act: connect } }

const withTwoChains = withMetaMask({ chains: [bsc, mainnet] })

export const ManyChains: Story = { args: { act: connect, create: withTwoChains } }

export const WrongNetwork: Story = {
  args: { act: connect, create: withMetaMask({ installed: { 'io.metamask': { chainId: 1 } } }) },
}

const remembered = {
  walletId: 'metaMask',
  kind: 'injected',
  rdns: 'io.metamask',
  address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  chainId: 56,
}

/** Stores the name of the account. */
const withName = (name: string) =>
  withMetaMask({
    names: { bnb: true },
    storage: memoryStorage({
      [storageKey('names')]: JSON.stringify({ [remembered.address.toLowerCase()]: { at: Date.now(), name } }),
    }),
  })

export const Reconnecting: Story = {
  args: {
    create: withMetaMask({
      installed: { 'io.metamask': { authorized: true, behaviours: { eth_accounts: 'hang' } } },
      storage: memoryStorage({ [storageKey('connection')]: JSON.stringify(remembered) }),
    }),
  },
}

const connectAndSend = async (kit: WalletKit) => {
  await connect(kit)
  kit.addTransaction({ hash: `0x${'1'.repeat(64)}`, description: 'Joined under 0x12…cdef' })
}

export const PendingTransaction: Story = { args: { act: connectAndSend } }

export const PendingTransactionChinese: Story = {
  globals: { locale: 'zh-CN', colorScheme: 'dark', viewport: { value: 'phone' } },
  args: { act: connectAndSend },
}

export const WithName: Story = { args: { act: connect, create: withName('alice.bnb') } }

export const LongName: Story = {
  args: { act: connect, create: withName('reallylongensnameheretotestlongnames.eth') },
}

export const ReadingBalance: Story = {
  args: { act: connect, create: withMetaMask({ node: { eth_getBalance: () => new Promise(() => {}) } }) },
}

export const LongBalance: Story = {
  args: { act: connect, create: withMetaMask({ node: { eth_getBalance: '0x42e83e46d27a9e0000' } }) },
}

export const WithoutKit: Story = {
  render: (_, { globals }) => (
    <WalletKitProvider
      kit={undefined}
      locale={globals.locale}
      theme={createWalletKitTheme({ colorScheme: globals.colorScheme })}
    >
      <ConnectButton />
    </WalletKitProvider>
  ),
}

export const OwnLabel: Story = { args: { children: <ConnectButton label="Join the community" /> } }

export const AvatarAlone: Story = {
  args: { act: connect, children: <ConnectButton accountStatus="avatar" showBalance={false} /> },
}

export const OwnMarkup: Story = {
  args: {
    act: connect,
    children: (
      <ConnectButton.Custom>
        {({ account, openAccountModal, openConnectModal }) => (
          <button type="button" onClick={account ? openAccountModal : openConnectModal}>
            {account ? `${account.displayName} ${account.displayBalance ?? ''}` : 'Join'}
          </button>
        )}
      </ConnectButton.Custom>
    ),
  },
}

const ofButton = { category: '<ConnectButton>' }
const ofTheme = { category: 'createWalletKitTheme()' }

const propControls = {
  label: { control: 'text', description: 'Text while nothing is connected: disconnect to see it.', table: ofButton },
  accountStatus: {
    control: 'inline-radio',
    options: ['full', 'avatar', 'address', 'by width'],
    mapping: { 'by width': { smallScreen: 'avatar', largeScreen: 'full' } },
    description: 'What is shown of the account. By width: `{ smallScreen: "avatar", largeScreen: "full" }`.',
    table: ofButton,
  },
  chainStatus: {
    control: 'inline-radio',
    options: ['full', 'icon', 'name', 'none', 'by width'],
    mapping: { 'by width': { smallScreen: 'icon', largeScreen: 'full' } },
    description:
      'What is shown of the network, where the app has several. By width: `{ smallScreen: "icon", largeScreen: "full" }`.',
    table: ofButton,
  },
  showBalance: {
    control: 'inline-radio',
    options: [true, false, 'by width'],
    mapping: { 'by width': { smallScreen: false, largeScreen: true } },
    description: 'Shows the balance beside the account. By width: `{ smallScreen: false, largeScreen: true }`.',
    table: ofButton,
  },
  className: {
    control: 'text',
    description: 'Classes of each button, whose rules win over the kit’s.',
    table: ofButton,
  },
} satisfies Record<keyof ConnectButtonProps, InputType>

const themeControls = {
  accent: { control: 'color', description: 'Colour of buttons and links. Default: jade.', table: ofTheme },
  radius: {
    control: { type: 'range', min: 0, max: 24 },
    description: 'Corner radius in pixels; dialogs have 4 more.',
    table: ofTheme,
  },
  overlay: {
    control: 'color',
    description: 'Colour between page and dialog: open one to see it. Default: ink at 40 %.',
    table: ofTheme,
  },
  fontFamily: {
    control: 'select',
    options: [undefined, 'Georgia, serif', 'ui-monospace, monospace'],
    description: "Default: the system's fonts for the language.",
    table: ofTheme,
  },
} satisfies Record<keyof NonNullable<StoryPageProps['theme']>, InputType>

export const Playground: StoryObj<ConnectButtonProps & NonNullable<StoryPageProps['theme']>> = {
  args: { label: 'Connect Wallet', accountStatus: 'full', chainStatus: 'full', showBalance: true, radius: 12 },
  argTypes: { ...propControls, ...themeControls },
  parameters: {
    controls: { disable: false, include: [...Object.keys(propControls), ...Object.keys(themeControls)] },
  },
  render: ({ label, accountStatus, chainStatus, showBalance, ...theme }, { globals }) => (
    <StoryPage
      create={withTwoChains}
      act={connect}
      locale={globals.locale}
      colorScheme={globals.colorScheme}
      theme={theme}
    >
      <ConnectButton {...{ label, accountStatus, chainStatus, showBalance }} />
    </StoryPage>
  ),
}
