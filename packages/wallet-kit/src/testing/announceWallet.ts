import type { EIP1193Provider } from 'viem'

export type AnnouncedWallet = {
  info: { name: string; rdns: string; uuid?: string; icon?: string }
  provider: EIP1193Provider
}

/**
 * Announces a wallet as an extension does: at once, and whenever the page asks. Returns a function that removes it.
 *
 * @see https://eips.ethereum.org/EIPS/eip-6963
 * @example
 * const uninstall = announceWallet({
 *   info: { name: 'MetaMask', rdns: 'io.metamask' },
 *   provider: createScriptedWallet().provider,
 * })
 */
export function announceWallet({ info, provider }: AnnouncedWallet): () => void {
  const icon =
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'><path fill='%235f6b7a' d='M0 0h8v8H0z'/><circle cx='4' cy='4' r='2' fill='%23fff'/></svg>"
  const uuid = info.uuid ?? createUuid()
  const detail = Object.freeze({ info: Object.freeze({ icon, ...info, uuid }), provider })
  const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
  return () => window.removeEventListener('eip6963:requestProvider', announce)
}

/** Returns a version 4 UUID. Pages without https have no `crypto.randomUUID`. */
function createUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
}
