import { createDemoProvider } from './createDemoProvider.ts'
import { createDemoWindow } from './createDemoWindow.ts'
import { demoWalletIcon } from './icon.ts'
import { textsFor } from './texts.ts'

/** @example `const { openPanel, stop } = announceDemoWallet({ privateKeys, rpcUrl: new URL('/v1/rpc', location.origin).href })` */
export type AnnounceDemoWalletParameters = {
  /** Keys of worthless accounts. */
  privateKeys: readonly string[]
  /** JSON-RPC endpoint of the demo chain. */
  rpcUrl: string
  /** Default: the page's language when the wallet asks. */
  locale?: string
}

export type DemoWallet = {
  /** Opens the wallet's panel, to change account and network. */
  openPanel(): void
  /** Removes the wallet; pages that have its provider keep it. */
  stop(): void
}

/**
 * Announces a wallet with the demo's keys that asks in its own window, like an extension.
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

/** Returns a version 4 UUID. `crypto.randomUUID` is missing on pages without https. */
function createUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
}
