import type { Settings } from './settings.ts'

/** Length below which a part of a URL is not redacted: it is not a secret, and occurs too often in other text. */
const shortestSecret = 6

/**
 * Creates a function that removes the secrets of the settings from a text: keys, secrets, and everything but the host
 * of the URLs of nodes and the database.
 *
 * @example createRedactor(settings)('fetch https://node.example/k3y42x failed') // 'fetch node.example failed'
 */
export function createRedactor(
  settings: Pick<Settings, 'rpcUrls' | 'nameService' | 'sessionSecrets' | 'databaseUrl'>,
): (text: string) => string {
  const { rpcUrls, nameService, sessionSecrets, databaseUrl } = settings
  const urls = [...rpcUrls, ...(nameService ? [nameService.url] : []), databaseUrl]
  const secrets = [...sessionSecrets, nameService?.apiKey ?? '', ...urls.flatMap(findSecrets)]
  const replacements = [
    ...urls.flatMap((url) => [url, parse(url).href].map((text) => [text, parse(url).host] as const)),
    ...secrets.filter((text) => text.length >= shortestSecret).map((text) => [text, '***'] as const),
  ].toSorted(([one], [other]) => other.length - one.length)
  return (text) => {
    let redacted = text
    for (const [secret, replacement] of replacements) redacted = redacted.replaceAll(secret, replacement)
    // Also covers hosts that are not in the settings.
    return redacted.replaceAll(/\b([a-z]+:\/\/)[^\s/@]+@/gi, '$1***@')
  }
}

/** Returns the parts of a URL that may be keys: user, password, segments of the path, values of the query. */
function findSecrets(url: string): string[] {
  const { username, password, pathname, searchParams, protocol } = parse(url)
  const passwords = [password, decodeUrlPart(password)]
  // The name of a database and most of its options are no secrets, and PostgreSQL's errors name them.
  if (!protocol.startsWith('http')) return [...passwords, searchParams.get('password') ?? '']
  return [username, ...passwords, pathname.slice(1), ...pathname.split('/'), ...searchParams.values()]
}

/** Parses a URL, also one of a database whose host is among the options, as in `postgres://user@/name?host=/run`. */
const parse = (url: string): URL => URL.parse(url) ?? new URL(url.replace('@/', '@localhost/'), 'postgres://localhost')

/** Decodes a part of a URL. A "%" that is not an escape stays. */
export function decodeUrlPart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
