import type { RelayLinks } from '../core/wallet.ts'
import { fillRelayLink } from './fillRelayLink.ts'
import { canFollow, type Device } from './platform.ts'

/**
 * The link that hands a pairing to a wallet's app on this phone; `undefined` when the app that shows this page opens none
 * that there is.
 *
 * @example
 * ```ts
 * findAppLink({ ios: 'rainbow://wc?uri={uri}' }, 'wc:a@2?b=c', { platform: 'ios', browser: 'safari' })
 * // 'rainbow://wc?uri=wc%3Aa%402%3Fb%3Dc'
 * ```
 */
export function findAppLink(links: RelayLinks = {}, uri: string, device: Device): string | undefined {
  const { platform, inApp } = device
  const patterns = [links[platform === 'ios' ? 'ios' : 'android'] ?? '', links.universal]
  const pattern = patterns.find((pattern) => pattern !== undefined && canFollow(pattern || uri, device))
  if (pattern === undefined) return undefined
  // Telegram on Android decodes a link before it hands it on. https://github.com/reown-com/appkit/pull/2938
  const isDecoded = inApp === 'telegram' && platform === 'android'
  return fillRelayLink(pattern || undefined, isDecoded ? encodeURIComponent(uri) : uri)
}
