import { demoWalletIcon } from './icon.ts'
import { createDemoProvider } from './provider.ts'
import { textsFor } from './texts.ts'
import { createDemoWindow } from './window.ts'

/** @example `const { openPanel, stop } = announceDemoWallet({ privateKeys, rpcUrl: new URL('/v1/rpc', location.origin).href })` */
export type AnnounceDemoWalletParameters = {
  /** Of accounts that are worth nothing. */
  privateKeys: readonly string[]
  /** Passes reads and `eth_sendRawTransaction` on to the demo chain. */
  rpcUrl: string
  /** Default: the page's language, as it is when the wallet asks. */
  locale?: string
}

export type DemoWallet = {
  /** Shows the wallet's own panel, where its owner chooses account and network. */
  openPanel(): void
  /** Takes the wallet away; the page keeps what it heard. */
  stop(): void
}

/**
 * Puts a wallet on the page that holds the demo's keys and asks in its own window, as an extension would.
 *
 * @see https://eips.ethereum.org/EIPS/eip-6963
 */
export function announceDemoWallet({ privateKeys, rpcUrl, locale }: AnnounceDemoWalletParameters): DemoWallet {
  const currentLocale = () => locale ?? document.documentElement.lang
  const window = createDemoWindow({ locale: currentLocale })
  const { provider, controls } = createDemoProvider({ privateKeys, rpcUrl, ask: window.ask })

  const info = Object.freeze({
    uuid: createUuid(),
    name: textsFor(currentLocale()).name,
    icon: demoWalletIcon,
    rdns: 'app.lineage.demo',
  })
  const detail = Object.freeze({ info, provider })
  const announce = () => globalThis.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  globalThis.addEventListener('eip6963:requestProvider', announce)
  announce()
  return {
    openPanel: () => window.openPanel(controls),
    stop() {
      globalThis.removeEventListener('eip6963:requestProvider', announce)
      window.destroy()
    },
  }
}

/** Version 4. `crypto.randomUUID` is missing on a page without https. */
function createUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
}
