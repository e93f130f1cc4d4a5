import type { Meta, StoryObj } from '@storybook/react-vite'
import { injectedConnector } from '../../core/wallets/injected.ts'
import { createScriptedKit } from '../../testing/createScriptedKit.ts'
import { createScriptedWallet } from '../../testing/createScriptedWallet.ts'
import { coinbaseConnector } from '../../wallets/coinbase.ts'
import { coinbaseWallet, metaMaskWallet, okxWallet, tokenPocketWallet, trustWallet } from '../../wallets/table.ts'
import { StoryPage } from '../testing/StoryPage.tsx'

const page = window as unknown as Record<string, unknown>
const android = 'Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 Version/4.0 Chrome/131.0.0.0 Mobile'
/** Coinbase Wallet, with an SDK that never loads. */
const pickable = {
  ...coinbaseWallet,
  connectors: [injectedConnector(), coinbaseConnector({ load: () => new Promise(() => {}) })],
}
const wallets = [
  { groupName: 'Popular', wallets: [metaMaskWallet, pickable, trustWallet, okxWallet, tokenPocketWallet] },
]

const meta: Meta<typeof StoryPage> = {
  title: 'Wallet kit/Connect dialog/In other apps',
  component: StoryPage,
  render: (args, { globals }) => <StoryPage {...args} locale={globals.locale} colorScheme={globals.colorScheme} />,
  args: { create: () => createScriptedKit({ wallets }), act: (kit) => kit.openConnectDialog() },
}
export default meta
type Story = StoryObj<typeof StoryPage>

/** Sets up a phone with an app's browser, by its user agent and the properties that it adds to the page. */
const inApp = (mark: string, globals: Record<string, unknown> = {}): Pick<Story, 'beforeEach' | 'globals'> => ({
  globals: { viewport: { value: 'phone' } },
  beforeEach: () => {
    Object.defineProperty(navigator, 'userAgent', { configurable: true, value: `${android} ${mark}` })
    Object.assign(page, globals)
    return () => {
      Reflect.deleteProperty(navigator, 'userAgent')
      for (const name of Object.keys(globals)) delete page[name]
    }
  },
})
const inWeChat = inApp('MicroMessenger/8.0.34.2340(0x2800225B) NetType/WIFI Language/zh_CN')

const pick = (walletId: string): Story['args'] => ({
  act: (kit) => {
    void kit.openConnectDialog()
    kit.dispatch({ type: 'pick', walletId })
  },
})

export const WeChat: Story = inWeChat
export const WeChatDownload: Story = { ...inWeChat, args: pick('okx') }
export const QQ: Story = inApp('V1_AND_SQ_9.1.30_8544_YYB_D QQ/9.1.30.23870 NetType/WIFI')

export const Telegram: Story = {
  ...inApp('', { TelegramWebviewProxy: {}, Telegram: { WebApp: { openLink: () => {} } } }),
  args: pick('okx'),
}

export const OwnBrowser: Story = inApp('TokenPocket_Android', {
  ethereum: createScriptedWallet({ flags: { isMetaMask: true, isTokenPocket: true } }).provider,
})
