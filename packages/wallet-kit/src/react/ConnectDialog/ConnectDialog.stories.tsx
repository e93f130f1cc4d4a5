import type { Meta, StoryObj } from '@storybook/react-vite'
import { screen } from 'storybook/test'
import { createScriptedKit } from '../../testing/createScriptedKit.ts'
import type { ScriptedWalletOptions } from '../../testing/createScriptedWallet.ts'
import * as table from '../../wallets/table.ts'
import {
  bitgetWallet,
  coinbaseWallet,
  imTokenWallet,
  metaMaskWallet,
  okxWallet,
  rabbyWallet,
  rainbowWallet,
  safeWallet,
  tokenPocketWallet,
  trustWallet,
} from '../../wallets/table.ts'
import { StoryPage } from '../testing/StoryPage.tsx'

const wallets = [
  { groupName: 'Popular', wallets: [rainbowWallet, coinbaseWallet, metaMaskWallet, rabbyWallet] },
  { groupName: 'More', wallets: [okxWallet, trustWallet, safeWallet] },
]

/** Sets up a page with a scripted MetaMask. */
const withMetaMask = (options: ScriptedWalletOptions) => () =>
  createScriptedKit({ wallets, installed: { 'io.metamask': options, 'io.rabby': {} } })

const meta: Meta<typeof StoryPage> = {
  title: 'Wallet kit/Connect dialog',
  component: StoryPage,
  render: (args, { globals }) => <StoryPage {...args} locale={globals.locale} colorScheme={globals.colorScheme} />,
  args: { create: withMetaMask({ behaviours: { eth_requestAccounts: 'hang' } }) },
  play: async () => {
    // The first dialog of a page loads on demand, which may take long on a busy machine.
    await screen.findByRole('dialog', {}, { timeout: 10_000 })
  },
}
export default meta
type Story = StoryObj<typeof StoryPage>

export const List: Story = {
  args: {
    act: (kit) => kit.openConnectDialog(),
  },
}

export const ManyWallets: Story = {
  args: {
    ...List.args,
    create: () =>
      createScriptedKit({
        wallets: [...wallets, { groupName: 'Of this app', wallets: [bitgetWallet, tokenPocketWallet, imTokenWallet] }],
        installed: { 'io.metamask': {} },
      }),
    disclaimer: (
      <span>
        <span>By connecting you accept the </span>
        <a href="https://app.example/terms">terms of this app</a>
      </span>
    ),
  },
}

/** The whole table of wallets. The search finds Chinese names and English ones. */
export const AllWallets: Story = {
  args: {
    ...List.args,
    create: () =>
      createScriptedKit({
        wallets: [{ groupName: 'Popular', wallets: Object.values(table) }],
        installed: { 'io.metamask': {} },
        projectId: 'scripted',
      }),
  },
}

export const UnknownWallet: Story = {
  args: {
    ...List.args,
    create: () => createScriptedKit({ wallets, installed: { 'example.acme': { name: 'Acme Wallet' } } }),
  },
}

export const Learn: Story = {
  args: {
    act: (kit) => {
      void kit.openConnectDialog()
      kit.dispatch({ type: 'learn' })
    },
  },
}

export const Get: Story = {
  args: {
    act: (kit) => {
      void kit.openConnectDialog()
      kit.dispatch({ type: 'get' })
    },
  },
}

const pickMetaMask: Story['args'] = {
  act: (kit) => {
    void kit.openConnectDialog()
    kit.dispatch({ type: 'pick', walletId: 'metaMask' })
  },
}

export const Opening: Story = { args: pickMetaMask }

export const AlreadyOpen: Story = {
  args: { ...pickMetaMask, create: withMetaMask({ behaviours: { eth_requestAccounts: 'alreadyOpen' } }) },
}

export const Rejected: Story = {
  args: { ...pickMetaMask, create: withMetaMask({ behaviours: { eth_requestAccounts: 'reject' } }) },
}

/** The app connects another wallet while this one is asked. */
export const Cancelled: Story = {
  args: {
    create: () => {
      const behaviours = { eth_requestAccounts: 'hang' } as const
      return createScriptedKit({
        wallets,
        installed: { 'io.metamask': { behaviours }, 'app.other': { name: 'Other', behaviours } },
      })
    },
    act: (kit) => {
      void kit.openConnectDialog()
      kit.dispatch({ type: 'pick', walletId: 'metaMask' })
      kit.connect({ walletId: 'app.other' }).catch(() => {})
    },
  },
}

export const Failed: Story = {
  args: {
    ...pickMetaMask,
    create: withMetaMask({ behaviours: { eth_requestAccounts: { error: new Error('Internal JSON-RPC error.') } } }),
  },
}

export const Locked: Story = {
  args: { ...pickMetaMask, create: withMetaMask({ behaviours: { eth_requestAccounts: { result: [] } } }) },
}

const pickRainbow = (...then: ('mobile' | 'continue' | 'extension')[]): Story['args'] => ({
  act: (kit) => {
    void kit.openConnectDialog()
    kit.dispatch({ type: 'pick', walletId: 'rainbow' })
    for (const type of then) kit.dispatch({ type })
  },
})

export const DownloadOptions: Story = { args: pickRainbow() }
export const Download: Story = { args: pickRainbow('mobile') }
export const MobileInstructions: Story = { args: pickRainbow('mobile', 'continue') }
export const ExtensionInstructions: Story = { args: pickRainbow('extension') }

const program = {
  ...rainbowWallet,
  id: 'program',
  name: 'Desktop Wallet',
  downloadUrls: { macos: 'https://mac.example' },
}

export const DesktopInstructions: Story = {
  args: {
    create: () => createScriptedKit({ wallets: [{ groupName: 'Popular', wallets: [program] }] }),
    act: (kit) => {
      void kit.openConnectDialog()
      kit.dispatch({ type: 'pick', walletId: 'program' })
    },
  },
}

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

const onPhone: Pick<Story, 'beforeEach' | 'globals'> = {
  globals: { viewport: { value: 'phone' } },
  beforeEach: () => {
    Object.defineProperty(navigator, 'userAgent', { configurable: true, value: phone })
    return () => {
      Reflect.deleteProperty(navigator, 'userAgent')
    }
  },
}

export const ListOnPhone: Story = { ...onPhone, args: List.args }
export const DownloadOnPhone: Story = { ...onPhone, args: pickRainbow() }
export const ListCompact: Story = { globals: { viewport: { value: 'compact' } }, args: List.args }
export const OpeningCompact: Story = { globals: { viewport: { value: 'compact' } }, args: pickMetaMask }
