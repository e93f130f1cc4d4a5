import { readDeepLinkName } from '../../core/deepLink.ts'
import type { WalletOption } from '../../core/wallet.ts'
import { findAppLink } from '../findAppLink.ts'
import type { Device } from '../platform.ts'

/**
 * Brings up the app on this phone in which the person opened the pairing, to answer a request there; `undefined` for a
 * wallet on another device. Made from the wallet's definition: what is stored is not believed to be a link.
 */
export function findWalletApp({ kind, name, relayLinks }: WalletOption, device: Device): string | undefined {
  if (kind !== 'walletConnect' || readDeepLinkName() !== name) return undefined
  const [link] = findAppLink(relayLinks, 'wc:', device)?.split('?') ?? []
  return link === 'wc:' ? 'wc://' : link
}
