/**
 * A pattern with the pairing in it; without one, the URI itself.
 *
 * @example
 * ```ts
 * fillRelayLink('rainbow://wc?uri={uri}', 'wc:a@2?b=c') // 'rainbow://wc?uri=wc%3Aa%402%3Fb%3Dc'
 * ```
 */
export function fillRelayLink(pattern: string | undefined, uri: string): string {
  return pattern?.replace('{uri}', () => encodeURIComponent(uri)) ?? uri
}
