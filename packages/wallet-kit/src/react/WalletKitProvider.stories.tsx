import type { Meta, StoryObj } from '@storybook/react-vite'
import type { InputType } from 'storybook/internal/types'
import type { WalletKit } from '../core/WalletKit.ts'
import { connectWallet } from '../locales/locales.ts'
import { createScriptedKit } from '../testing/createScriptedKit.ts'
import { defaultWallets } from '../wallets/defaultWallets.ts'
import { ConnectButton } from './ConnectButton/ConnectButton.tsx'
import { StoryPage, type StoryPageProps } from './testing/StoryPage.tsx'
import { createWalletKitTheme } from './theme/createWalletKitTheme.ts'
import type { AvatarProps, DialogOptions } from './WalletKitContext.ts'
import { WalletKitProvider, type WalletKitProviderProps } from './WalletKitProvider.tsx'

const create = () => createScriptedKit({ wallets: defaultWallets(), installed: { 'io.metamask': {} } })

const connect = (kit: WalletKit) => kit.connect({ walletId: 'metaMask' })
const disconnect = (kit: WalletKit) => kit.disconnect()

/** Draws the last two digits of an account. */
const Digits = ({ address, size }: AvatarProps) => (
  <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
    <rect width="24" height="24" fill="#3451B2" />
    <text x="12" y="16" textAnchor="middle" fontSize="10" fill="#fff">
      {address.slice(-2)}
    </text>
  </svg>
)

type Controls = Pick<WalletKitProviderProps, 'locale' | 'avatar' | 'messages'> & {
  kit: 'created' | 'undefined'
  theme: NonNullable<StoryPageProps['theme']>
  children: 'connected' | 'disconnected'
}

const controls = {
  kit: {
    control: 'inline-radio',
    options: ['created', 'undefined'],
    description: 'The kit; `undefined` while the app is still creating it.',
  },
  children: {
    control: 'inline-radio',
    options: ['connected', 'disconnected'],
    description: 'The page. Here: a connect button.',
  },
  theme: {
    control: 'inline-radio',
    options: ["the kit's own", 'square and blue'],
    mapping: { "the kit's own": {}, 'square and blue': { accent: '#3451B2', radius: 0 } },
    description: 'A look. Here from `createWalletKitTheme()`, with the colour scheme of the toolbar.',
  },
  avatar: {
    control: 'inline-radio',
    options: ['none', 'digits'],
    mapping: { none: undefined, digits: Digits },
    description: 'A component that draws each account.',
  },
  locale: {
    control: 'select',
    options: [undefined, ...Object.keys(connectWallet)],
    description: 'Language of button and dialogs. Default: that of the toolbar.',
  },
  messages: { control: 'object', description: 'Texts that replace those of the kit. Open a dialog to see more.' },
} satisfies Record<Exclude<keyof WalletKitProviderProps, keyof DialogOptions | 'dialogs'>, InputType>

const meta: Meta<typeof StoryPage> = { title: 'Wallet kit/Provider' }
export default meta

export const Playground: StoryObj<Controls> = {
  args: {
    kit: 'created',
    children: 'connected',
    theme: {},
    messages: { connectWallet: 'Join', groupPopular: 'Our favourites' },
  },
  argTypes: controls,
  parameters: { controls: { disable: false, include: Object.keys(controls) } },
  render: ({ kit, children, locale, ...others }, { globals }) =>
    kit === 'undefined' ? (
      <WalletKitProvider
        kit={undefined}
        locale={locale ?? globals.locale}
        theme={createWalletKitTheme({ ...others.theme, colorScheme: globals.colorScheme })}
      >
        <ConnectButton />
      </WalletKitProvider>
    ) : (
      <StoryPage
        create={create}
        act={children === 'connected' ? connect : disconnect}
        locale={locale ?? globals.locale}
        colorScheme={globals.colorScheme}
        {...others}
      />
    ),
}
