/** Returns the link that passes a pairing URI to a wallet: `pattern` with the URI filled in, or else the URI itself. */
export function createRelayLink(pattern: string | undefined, uri: string): string {
  return pattern?.replace('{uri}', () => encodeURIComponent(uri)) ?? uri
}
