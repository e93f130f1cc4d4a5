import { readDeepLinkName } from '../../core/wallets/deepLink.ts'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import type { Device } from '../device/device.ts'
import { findAppLink } from '../device/findAppLink.ts'

/**
 * Returns the link that opens the wallet's app on this phone to answer a request; `undefined` for a wallet on another
 * device. Built from the wallet's definition: a stored link is not trusted.
 */
export function findWalletApp({ kind, name, relayLinks }: WalletOption, device: Device): string | undefined {
  if (kind !== 'walletConnect' || readDeepLinkName() !== name) return undefined
  const [link] = findAppLink(relayLinks, 'wc:', device)?.split('?') ?? []
  return link === 'wc:' ? 'wc://' : link
}
