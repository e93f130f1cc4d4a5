import type { RelayLinks } from '../../core/wallets/wallet.ts'
import { createRelayLink } from './createRelayLink.ts'
import { canOpenLink, type Device } from './device.ts'

/**
 * Returns the link that passes a pairing to a wallet's app on this phone. Returns `undefined` if the app that shows
 * this page cannot open any of the wallet's links.
 */
export function findAppLink(links: RelayLinks = {}, uri: string, device: Device): string | undefined {
  const { platform, inApp } = device
  const patterns = [links[platform === 'ios' ? 'ios' : 'android'] ?? '', links.universal]
  const pattern = patterns.find((pattern) => pattern !== undefined && canOpenLink(pattern || uri, device))
  if (pattern === undefined) return undefined
  // Telegram on Android decodes a link before opening it. https://github.com/reown-com/appkit/pull/2938
  const isDecoded = inApp === 'telegram' && platform === 'android'
  return createRelayLink(pattern || undefined, isDecoded ? encodeURIComponent(uri) : uri)
}
