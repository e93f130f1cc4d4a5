/**
 * Returns the link that opens a page, with its path and query, in a wallet's own browser.
 *
 * @example
 * ```ts
 * createOpenInWalletLink('https://wallet.example/open?url={url}', 'https://app.example/a?b=c')
 * // 'https://wallet.example/open?url=https%3A%2F%2Fapp.example%2Fa%3Fb%3Dc'
 * ```
 */
export function createOpenInWalletLink(pattern: string, page: string): string {
  const url = encodeURIComponent(page)
  const values = {
    url,
    urlTwice: encodeURIComponent(url),
    hostAndPath: page.replace(/^\w+:\/\//, ''),
  }
  return pattern.replace(/\{(url|urlTwice|hostAndPath)\}/g, (_, name: keyof typeof values) => values[name])
}
