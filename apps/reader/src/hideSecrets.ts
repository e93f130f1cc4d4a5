/** Length below which a part of a path, such as "v1" or "bsc", is a word and not a key. */
const minLength = 8

/**
 * Returns a function that replaces the secrets of these URLs in a text: passwords, long parts of a path and query
 * values. Ponder and the database driver print the URLs that they get.
 */
export function hideSecrets(urls: readonly string[]): (text: string) => string {
  const secrets = [...new Set(urls.flatMap(secretsOf))].sort((left, right) => right.length - left.length)
  return (text) => {
    const hidden = secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text)
    return hidden.replaceAll(/\/\/[^\s/@"']+@/g, '//***@')
  }
}

function secretsOf(text: string): string[] {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return []
  const parts = [url.username, url.password, ...url.pathname.split('/'), ...url.searchParams.values()]
  return parts.filter((part) => part.length >= minLength)
}

/** Hides the secrets of these URLs in all output of this process. */
export function hideSecretsInOutput(urls: readonly string[]): void {
  const hide = hideSecrets(urls)
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream) as (...parameters: unknown[]) => boolean
    stream.write = (chunk: unknown, ...rest: unknown[]) =>
      write(typeof chunk === 'string' ? hide(chunk) : chunk, ...rest)
  }
}
