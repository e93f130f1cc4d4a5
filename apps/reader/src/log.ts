export type Log = (message: string, level?: 'info' | 'warn' | 'error') => void

/** Length below which a part of a path, such as "v1" or "bsc", is a word and not a key. */
const minLength = 8

/** Creates a log that prints one line for each message, without the secrets of these URLs. */
export function createLog(format: 'text' | 'json', urls: readonly string[]): Log {
  const hide = hideSecrets(urls)
  return (text, level = 'info') => {
    const message = hide(text)
    const line =
      format === 'json'
        ? JSON.stringify({
            time: new Date().toISOString(),
            level,
            message: message.replaceAll(/\s+/g, ' ').slice(0, 1_000),
          })
        : message
    const stream = level !== 'info' && format === 'text' ? process.stderr : process.stdout
    stream.write(`${line}\n`)
  }
}

/** Returns a function that hides the secrets of URLs in a text: passwords, long parts of a path and query values. */
export function hideSecrets(urls: readonly string[]): (text: string) => string {
  const secrets = [...new Set(urls.flatMap(secretsOf))].sort((left, right) => right.length - left.length)
  return (text) => {
    const hidden = secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text)
    return hidden.replaceAll(/\/\/(?!user:password@)[^\s/@"']+@/g, '//***@')
  }
}

function secretsOf(text: string): string[] {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return []
  const parts = [url.username, url.password, ...url.pathname.split('/'), ...url.searchParams.values()]
  return parts.filter((part) => part.length >= minLength)
}
