import type { MessageKey } from './en.ts'

/** What the button says. It is painted first, so these few words come with the page; the rest comes on demand. */
type ButtonMessages = {
  connectWallet: string
  wrongNetwork: string
  verifyAccount: string
  pendingTransactions: string
}

/** Any text of the kit, as a host may replace it. */
export type Messages = Partial<Record<MessageKey, string> & ButtonMessages>

type Language = { button: ButtonMessages; load: () => Promise<Record<MessageKey, string>> }

export const languages = {
  en: {
    button: {
      connectWallet: 'Connect Wallet',
      wrongNetwork: 'Wrong network',
      verifyAccount: 'Verify your account',
      pendingTransactions: '{count} pending',
    },
    load: () => import('./en.ts').then((module) => module.en),
  },
  'zh-CN': {
    button: {
      connectWallet: '连接钱包',
      wrongNetwork: '网络不正确',
      verifyAccount: '验证你的账户',
      pendingTransactions: '{count} 笔交易确认中',
    },
    load: () => import('./zh-CN.ts').then((module) => module.zhCN),
  },
} satisfies Record<string, Language>

export type Locale = keyof typeof languages
