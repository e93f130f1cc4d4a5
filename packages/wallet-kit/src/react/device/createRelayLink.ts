/**
 * Returns the link that passes a pairing URI to a wallet: `pattern` with the URI filled in, or else the URI itself.
 *
 * @example
 * ```ts
 * createRelayLink('rainbow://wc?uri={uri}', 'wc:a@2?b=c') // 'rainbow://wc?uri=wc%3Aa%402%3Fb%3Dc'
 * ```
 */
export function createRelayLink(pattern: string | undefined, uri: string): string {
  return pattern?.replace('{uri}', () => encodeURIComponent(uri)) ?? uri
}
