import type { Meta, StoryObj } from '@storybook/react-vite'
import { ConfigurationError, RelayUnreachableError } from '../../core/lib/errors.ts'
import type { WalletDefinition } from '../../core/wallets/wallet.ts'
import { createScriptedKit } from '../../testing/createScriptedKit.ts'
import { createScriptedRelay, type ScriptedRelayOptions } from '../../testing/scriptedConnectors.ts'
import {
  binanceWallet,
  metaMaskWallet,
  okxWallet,
  rainbowWallet,
  tokenPocketWallet,
  trustWallet,
  walletConnectWallet,
} from '../../wallets/table.ts'
import { StoryPage } from '../testing/StoryPage.tsx'

const topic = '3c9fa7e019dcc04ac4a63900d3d353d05217ef7ef84723a598121a409ec881a4'
const uri = `wc:${topic}@2?relay-protocol=irn&symKey=${topic}&expiryTimestamp=1795190673`

/** Sets up a page whose wallets use a scripted relay. */
const withRelay =
  (
    options: ScriptedRelayOptions,
    declined = false,
    list: readonly WalletDefinition[] = [rainbowWallet, metaMaskWallet, walletConnectWallet],
  ) =>
  () => {
    const relay = createScriptedRelay(options)
    const wallets = list.map((wallet) => ({ ...wallet, connectors: [relay.connector] }))
    const scripted = createScriptedKit({ wallets: [{ groupName: 'Popular', wallets }] })
    const stop = scripted.kit.subscribe(({ dialog }) => {
      const isShown = dialog.name === 'connect' && dialog.step.name === 'connecting' && 'uri' in dialog.step
      if (declined && isShown) {
        stop()
        relay.decline()
      }
    })
    return scripted
  }

const pick = (walletId: string): Story['args'] => ({
  act: (kit) => {
    void kit.openConnectDialog()
    kit.dispatch({ type: 'pick', walletId })
  },
})

const meta: Meta<typeof StoryPage> = {
  title: 'Wallet kit/Connect dialog, over the relay',
  component: StoryPage,
  render: (args, { globals }) => <StoryPage {...args} locale={globals.locale} colorScheme={globals.colorScheme} />,
  args: { create: withRelay({ uris: [uri] }), ...pick('rainbow') },
}
export default meta
type Story = StoryObj<typeof StoryPage>

export const Scan: Story = {}
export const ScanAnyWallet: Story = { args: pick('walletConnect') }
export const Preparing: Story = { args: { create: withRelay({}) } }
export const Declined: Story = { args: { create: withRelay({ uris: [uri, uri] }, true) } }
export const Unreachable: Story = {
  args: { create: withRelay({ error: new RelayUnreachableError('The relay cannot be reached.') }) },
}
export const ProjectUnknown: Story = {
  args: {
    create: withRelay({
      error: new ConfigurationError('The relay does not know this projectId.', { details: 'Project not found' }),
    }),
  },
}
export const ScanCompact: Story = { globals: { viewport: { value: 'compact' } } }

const onPhone: Pick<Story, 'beforeEach' | 'globals'> = {
  globals: { viewport: { value: 'phone' } },
  beforeEach: () => {
    Object.defineProperty(navigator, 'userAgent', { configurable: true, value: 'Mozilla/5.0 (iPhone) Mobile/15E148' })
    return () => {
      Reflect.deleteProperty(navigator, 'userAgent')
    }
  },
}

export const OpenApp: Story = onPhone
/** A page cannot know which apps are on the phone, so the person chooses one. */
export const ChooseApp: Story = {
  ...onPhone,
  args: {
    ...pick('walletConnect'),
    create: withRelay({ uris: [uri] }, false, [
      rainbowWallet,
      metaMaskWallet,
      trustWallet,
      binanceWallet,
      okxWallet,
      tokenPocketWallet,
      walletConnectWallet,
    ]),
  },
}
export const PreparingOnPhone: Story = { ...onPhone, args: { create: withRelay({}) } }
