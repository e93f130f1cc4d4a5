/** The URL of a node as it is requested. Only `host` may be shown: the other fields contain keys. */
export type NodeUrl = {
  /** Without user and password, which `fetch` does not accept. */
  url: string
  headers: Record<string, string>
  host: string
}

/**
 * Parses the URL of a node. Returns `undefined` if it is not an http or https URL. User and password become a header,
 * because `fetch` refuses them in a URL and repeats the URL in its error.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7617
 */
export function parseNodeUrl(text: string): NodeUrl | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  const { host, username, password } = url
  const credentials = Buffer.from(`${decode(username)}:${decode(password)}`).toString('base64')
  url.username = ''
  url.password = ''
  return { url: url.href, headers: username || password ? { authorization: `Basic ${credentials}` } : {}, host }
}

/** Returns whether `fetch` failed because its connection broke, such as one that was kept open until a proxy closed it. */
export const isBrokenConnection = ({ cause }: Error): boolean =>
  /^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test((cause as { code?: string } | undefined)?.code ?? '')

/** Returns whether a node's error says that it got too many requests, or that its quota is used up. Each node has its own code. */
export const isRateLimit = ({ code, message }: { code: number; message: string }): boolean =>
  code === 429 || (!noRateLimit.test(message) && rateLimited.test(message))

/** Matches the words of contracts, and "number of requests in batch exceeds": smaller batches are served at once. */
const noRateLimit = /revert|requests? in (\w+ )?batch/i

/** Matches "request limit reached - reduce calls per second", "exceeded the RPS limit", "cu limit" and the like. */
const rateLimited =
  /too many (requests?|connections)\b|rate.?limit|request (rate|limit)|number of requests|slow down|(requests?|calls) per (second|minute)|\/se?c|\b(rps|cups?|cu)\b|credits|quota|usage limit|capacity|compute units|throughput/i

/** Decodes a part of a URL. A "%" that is not an escape stays. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Length below which a part of a URL is not redacted: it is not a secret, and occurs too often in other text. */
const shortestSecret = 6

/** Words in the URLs of nodes that are no keys, and stand in other text too. */
const knownWords = new Set(
  'api archive binance bnb bsc chain data dataseed erigon eth ethereum evm full fullnode geth http https json jsonrpc main mainnet net network node public reth rpc smart smartchain staging test testnet v web'.split(
    ' ',
  ),
)

/** Returns whether a text consists of known words, with single letters and short numbers: `bsc/mainnet-1`. */
function isKnown(text: string): boolean {
  const parts = text.toLowerCase().split(/[-_./]/)
  const isWord = (part: string) => knownWords.has(part.replace(/\d{1,2}$/, ''))
  return parts.some(isWord) && parts.every((part) => isWord(part) || /^([a-z]|\d{0,2})$/.test(part))
}

/**
 * Creates a function that removes secrets from a text: these keys, and everything but the host of these URLs of nodes and
 * the database.
 *
 * @example createRedactor({ urls })('fetch https://node.example/k3y42x failed') // 'fetch node.example failed'
 */
export function createRedactor({ urls, keys = [] }: { urls: readonly string[]; keys?: readonly string[] }) {
  const hosts = urls.map((url) => parse(url).host).join(' ')
  const secrets = [...keys, ...urls.flatMap((url) => findSecrets(url, hosts))].filter(
    (text) => text.length >= shortestSecret,
  )
  const replacements = [
    ...urls.flatMap((url) => [url, parse(url).href].map((text) => [text, parse(url).host] as const)),
    ...secrets.map((text) => [text, '***'] as const),
  ].toSorted(([one], [other]) => other.length - one.length)
  return (text: string): string => {
    const redacted = replacements.reduce((shown, [secret, replacement]) => shown.replaceAll(secret, replacement), text)
    // Also covers hosts that are not in the settings, but not the advice of how to write a URL.
    return redacted.replaceAll(/\/\/(?!user:password@)[^\s/@]+@/g, '//***@')
  }
}

/** Returns the parts of a URL that may be keys: user, password, segments of the path, values of the query. Hosts are shown. */
function findSecrets(url: string, hosts: string): string[] {
  const { username, password, pathname, searchParams, protocol } = parse(url)
  const passwords = [password, decode(password)]
  if (protocol.startsWith('http')) {
    const parts = [pathname.slice(1), ...pathname.split('/'), ...searchParams.values()]
    return [username, ...passwords, ...parts.filter((part) => !isKnown(part) && !hosts.includes(part.toLowerCase()))]
  }
  // The user of a database, its name and most of its options are no secrets, and PostgreSQL's errors name them.
  return [...passwords, searchParams.get('password') ?? ''].filter((one) => one !== username)
}

/** Parses a URL, also one of a database whose host is among the options, as in `postgres://user@/name?host=/run`. */
const parse = (url: string): URL => URL.parse(url) ?? new URL(url.replace('@/', '@localhost/'), 'postgres://localhost')
