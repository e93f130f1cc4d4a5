import type { Meta, StoryObj } from '@storybook/react-vite'
import { ConfigurationError } from '../../core/lib/errors.ts'
import { announceWallet } from '../../testing/announceWallet.ts'
import { createScriptedKit } from '../../testing/createScriptedKit.ts'
import { createScriptedWallet } from '../../testing/createScriptedWallet.ts'
import { coinbaseConnector } from '../../wallets/coinbase.ts'
import { coinbaseWallet, metaMaskWallet } from '../../wallets/table.ts'
import { StoryPage } from '../testing/StoryPage.tsx'

const missingSdk = async () => {
  throw new ConfigurationError('The Coinbase SDK could not be loaded.')
}
const wallets = [
  {
    groupName: 'Popular',
    wallets: [metaMaskWallet, { ...coinbaseWallet, connectors: [coinbaseConnector({ load: missingSdk })] }],
  },
]

const names = ['\u202eksaMateM', 'a'.repeat(10_000), '', '<b>Bold</b>']
const icon = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"

const meta: Meta<typeof StoryPage> = {
  title: 'Wallet kit/Connect dialog/Odd wallets',
  component: StoryPage,
  render: (args, { globals }) => <StoryPage {...args} locale={globals.locale} colorScheme={globals.colorScheme} />,
  args: { create: () => createScriptedKit({ wallets }) },
}
export default meta
type Story = StoryObj<typeof StoryPage>

/** Names that are invisible, very long or contain markup, and icons with scripts. */
export const Announced: Story = {
  args: {
    create: () => {
      const uninstalls = names.map((name, index) =>
        announceWallet({
          info: { name, rdns: `example.odd${index}`, icon },
          provider: createScriptedWallet().provider,
        }),
      )
      const scripted = createScriptedKit({ wallets })
      return {
        ...scripted,
        destroy: () => {
          scripted.destroy()
          for (const uninstall of uninstalls) uninstall()
        },
      }
    },
    act: (kit) => kit.openConnectDialog(),
  },
}

/** The app lists a wallet without installing its SDK. */
export const NotSetUp: Story = {
  args: {
    act: (kit) => {
      void kit.openConnectDialog()
      kit.dispatch({ type: 'pick', walletId: 'coinbase' })
    },
  },
}
