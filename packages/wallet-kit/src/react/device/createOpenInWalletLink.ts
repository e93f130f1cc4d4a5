/** Returns the link that opens a page, with its path and query, in a wallet's own browser. */
export function createOpenInWalletLink(pattern: string, page: string): string {
  const url = encodeURIComponent(page)
  const values = {
    url,
    urlTwice: encodeURIComponent(url),
    hostAndPath: page.replace(/^\w+:\/\//, ''),
  }
  return pattern.replace(/\{(url|urlTwice|hostAndPath)\}/g, (_, name: keyof typeof values) => values[name])
}
