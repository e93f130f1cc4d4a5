export type NodeEndpoint = {
  /** Position of the node in the settings, and its host. The path is left out, because it may contain keys. */
  name: string
  /** Without user and password, which `fetch` does not accept. */
  url: string
  headers: Record<string, string>
}

/**
 * Parses the URL of a node into its name, URL and headers.
 *
 * @example parseNodeUrl('https://me:pass@node.example/key', 0).name // 'Node 1 (node.example)'
 */
export function parseNodeUrl(text: string, index: number): NodeEndpoint {
  const url = new URL(text)
  const name = `Node ${index + 1} (${url.host})`
  const credentials = `${decode(url.username)}:${decode(url.password)}`
  const headers: Record<string, string> =
    credentials === ':' ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
  url.username = ''
  url.password = ''
  return { name, url: url.href, headers }
}

/** Decodes a part of a URL. A "%" that is not an escape stays. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
