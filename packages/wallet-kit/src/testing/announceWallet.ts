import { type EIP1193Provider, toHex } from 'viem'

/** The announcement of an extension. */
export type AnnouncedWallet = {
  info: { name: string; rdns: string; uuid?: string; icon?: string }
  provider: EIP1193Provider
}

/**
 * Announces a wallet like an extension: at once, and whenever the page asks. Returns a function that removes it.
 *
 * @param parameters - Its `info`, of which `uuid` and `icon` have defaults, and its `provider`.
 * @see https://eips.ethereum.org/EIPS/eip-6963
 * @example
 * const uninstall = announceWallet({
 *   info: { name: 'MetaMask', rdns: 'io.metamask' },
 *   provider: createScriptedWallet().provider,
 * })
 */
export function announceWallet({ info, provider }: AnnouncedWallet): () => void {
  const icon =
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='-4 -4 8 8'><circle r='4' fill='gray'/></svg>"
  // Version 4. Pages without https have no `crypto.randomUUID`.
  const uuid = toHex(crypto.getRandomValues(new Uint8Array(16))).replace(/0x(.{8})(.{4}).(...).(...)/, '$1-$2-4$3-a$4-')
  const detail = Object.freeze({ info: Object.freeze({ icon, uuid, ...info }), provider })
  const announce = () => window.dispatchEvent(new window.CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
  return () => window.removeEventListener('eip6963:requestProvider', announce)
}
