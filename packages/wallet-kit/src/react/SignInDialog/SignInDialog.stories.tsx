import type { Meta, StoryObj } from '@storybook/react-vite'
import { screen } from 'storybook/test'
import type { WalletKit } from '../../core/WalletKit.ts'
import { storeDeepLink } from '../../core/wallets/deepLink.ts'
import type { MessageKey } from '../../locales/en.ts'
import {
  createScriptedAuthentication,
  type ScriptedAuthenticationOptions,
} from '../../testing/createScriptedAuthentication.ts'
import { createScriptedKit } from '../../testing/createScriptedKit.ts'
import { createScriptedWallet, type ScriptedWalletOptions } from '../../testing/createScriptedWallet.ts'
import { createScriptedRelay, staysOn } from '../../testing/scriptedConnectors.ts'
import { defaultWallets } from '../../wallets/defaultWallets.ts'
import { metaMaskWallet, rainbowWallet } from '../../wallets/table.ts'
import { StoryPage, storyText } from '../testing/StoryPage.tsx'

const privateKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

/** Sets up a page with required sign-in, a scripted wallet and a scripted server. */
const withServer =
  (server: ScriptedAuthenticationOptions = {}, wallet: ScriptedWalletOptions = {}) =>
  () =>
    createScriptedKit({
      wallets: defaultWallets(),
      authentication: { adapter: createScriptedAuthentication(server), required: true },
      installed: { 'io.metamask': { privateKey, knownChains: [56], ...wallet } },
    })

const connect = async (kit: WalletKit) => {
  await kit.connect({ walletId: 'metaMask' })
}

/** Resolves when the dialog reaches a step. */
const reach = (kit: WalletKit, name: string) =>
  new Promise<void>((resolve) => {
    const check = () => {
      const { dialog, signIn } = kit.getState()
      if (dialog.name !== 'signIn' || signIn?.name !== name) return
      stop()
      resolve()
    }
    const stop = kit.subscribe(check)
    check()
  })

const sign = async (kit: WalletKit) => {
  await connect(kit)
  await reach(kit, 'idle')
  await kit.signIn().catch(() => undefined)
}

const shows =
  (key: MessageKey): Story['play'] =>
  async ({ globals }) => {
    await screen.findByRole('dialog')
    const name = await storyText(globals, key, { chain: 'BNB Smart Chain' })
    await screen.findByRole('button', { name })
  }

const meta: Meta<typeof StoryPage> = {
  title: 'Wallet kit/Sign-in dialog',
  component: StoryPage,
  render: (args, { globals }) => <StoryPage {...args} locale={globals.locale} colorScheme={globals.colorScheme} />,
  args: { create: withServer(), act: connect },
  play: shows('signMessage'),
}
export default meta
type Story = StoryObj<typeof StoryPage>

export const Idle: Story = {}

export const Preparing: Story = {
  args: { create: withServer({ getNonce: 'hang' }) },
  play: shows('preparingMessage'),
}

export const PreparingFailed: Story = {
  args: { create: withServer({ getNonce: 'fail' }) },
  play: shows('retry'),
}

export const Signing: Story = {
  args: { create: withServer({}, { behaviours: { personal_sign: 'hang' } }), act: sign },
  play: shows('waitingForSignature'),
}

export const SigningFailed: Story = {
  args: {
    create: withServer({}, { behaviours: { personal_sign: { error: new Error('Internal error') } } }),
    act: sign,
  },
}

export const AnotherRequestOpen: Story = {
  args: { create: withServer({}, { behaviours: { personal_sign: 'alreadyOpen' } }), act: sign },
}

export const Rejected: Story = {
  args: { create: withServer({}, { behaviours: { personal_sign: 'reject' } }), act: sign },
}

export const Verifying: Story = {
  args: { create: withServer({ verify: 'hang' }), act: sign },
  play: shows('verifyingSignature'),
}

export const VerifyingFailed: Story = { args: { create: withServer({ verify: 'fail' }), act: sign } }

export const SessionOfAnotherAccount: Story = { args: { create: withServer({ verify: 'otherAccount' }), act: sign } }

export const WrongNetwork: Story = {
  args: { create: withServer({}, { chainId: 137 }) },
  play: shows('switchTo'),
}

/** A wallet that says before it is asked that it does not switch. */
export const WrongNetworkInWallet: Story = {
  args: {
    create: () =>
      createScriptedKit({
        wallets: [{ groupName: 'Popular', wallets: [{ ...metaMaskWallet, connectors: [staysOn(137)] }] }],
        authentication: { adapter: createScriptedAuthentication(), required: true },
        installed: { 'io.metamask': { chainId: 137 } },
      }),
  },
  play: async () => {
    await screen.findByRole('dialog')
  },
}

const switchNetwork = async (kit: WalletKit) => {
  await connect(kit)
  await kit.switchChain({ chainId: 56 }).catch(() => undefined)
}

export const Switching: Story = {
  args: {
    create: withServer({}, { chainId: 137, behaviours: { wallet_switchEthereumChain: 'hang' } }),
    act: switchNetwork,
  },
  play: shows('confirmInWallet'),
}

export const SwitchRejected: Story = {
  args: {
    create: withServer({}, { chainId: 137, behaviours: { wallet_switchEthereumChain: 'reject' } }),
    act: switchNetwork,
  },
  play: shows('switchTo'),
}

/** The tap also opens the wallet's app. */
export const OnPhoneOverTheRelay: Story = {
  globals: { viewport: { value: 'phone' } },
  beforeEach: () => {
    Object.defineProperty(navigator, 'userAgent', { configurable: true, value: 'Mozilla/5.0 (iPhone) Mobile/15E148' })
    storeDeepLink('rainbow://wc?uri=wc', 'Rainbow')
    return () => {
      Reflect.deleteProperty(navigator, 'userAgent')
      localStorage.removeItem('WALLETCONNECT_DEEPLINK_CHOICE')
    }
  },
  args: {
    create: () => {
      const relay = createScriptedRelay()
      const { provider } = createScriptedWallet({ privateKey })
      const wallets = [{ groupName: 'Popular', wallets: [{ ...rainbowWallet, connectors: [relay.connector] }] }]
      const authentication = { adapter: createScriptedAuthentication(), required: true }
      const scripted = createScriptedKit({ wallets, authentication })
      const stop = scripted.kit.subscribe(({ status }) => {
        if (status !== 'connecting') return
        stop()
        const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
        queueMicrotask(() => relay.approve({ provider, accounts: [account], chainId: 56 }))
      })
      return scripted
    },
    act: (kit) => kit.connect({ walletId: 'rainbow' }),
  },
}
