import { announceWallet } from '@lineage/wallet-kit/testing'
import type { EIP1193Provider } from 'viem'
import { createDemoProvider } from './createDemoProvider.ts'
import { createDemoWindow } from './createDemoWindow.ts'
import { demoWalletIcon, textsFor } from './texts.ts'

type AnnounceDemoWalletParameters = {
  /** Private keys of accounts without value. */
  privateKeys: readonly string[]
  /** JSON-RPC endpoint of the demo chain. */
  rpcUrl: string
  /** Default: the page's language when the wallet asks. */
  locale?: string
}

export type DemoWallet = {
  /** Opens the wallet's panel, to change account and network. */
  openPanel(): void
  /** Removes the wallet. Pages that hold its provider keep it. */
  stop(): void
}

/**
 * Announces a wallet that holds the demo's keys and asks in its own window, like an extension.
 *
 * @see https://eips.ethereum.org/EIPS/eip-6963
 */
export function announceDemoWallet({ privateKeys, rpcUrl, locale }: AnnounceDemoWalletParameters): DemoWallet {
  const currentLocale = () => locale ?? document.documentElement.lang
  const window = createDemoWindow({ locale: currentLocale })
  const { provider, controls } = createDemoProvider({ privateKeys, rpcUrl, ask: window.ask })

  const withdraw = announceWallet({
    info: { name: textsFor(currentLocale()).name, icon: demoWalletIcon, rdns: 'app.lineage.demo' },
    provider: provider as unknown as EIP1193Provider,
  })
  return {
    openPanel: () => window.openPanel(controls),
    stop() {
      withdraw()
      window.destroy()
    },
  }
}
