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
  // `randomUUID` exists only on secure pages.
  const uuid = info.uuid ?? crypto.randomUUID()
  const detail = Object.freeze({ info: Object.freeze({ icon, ...info, uuid }), provider })
  const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
  return () => window.removeEventListener('eip6963:requestProvider', announce)
}
