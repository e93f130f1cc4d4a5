/** URL, headers and name of a node. Only `name` may be shown: the other fields contain keys. */
export type NodeEndpoint = {
  url: string
  headers: Record<string, string>
  /** Position in the list, and host. */
  name: string
}

/**
 * Parses the URL of a node. Returns `undefined` if it is not an http or https URL. User and password become a header,
 * because `fetch` refuses them in a URL and repeats the URL in its error.
 *
 * @param position Counted from 1.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7617
 */
export function parseNodeUrl(text: string, position: number): NodeEndpoint | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  const name = `node ${position} (${url.host})`
  const { username, password } = url
  if (!username && !password) return { url: url.href, headers: {}, name }
  url.username = ''
  url.password = ''
  const credentials = Buffer.from(`${decode(username)}:${decode(password)}`).toString('base64')
  return { url: url.href, headers: { authorization: `Basic ${credentials}` }, name }
}

/** Decodes a part of a URL. A "%" that is not an escape stays. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
