import { parseNodeUrl } from '@lineage/communities'

/** Thrown when the nodes cannot be used. */
export class NodesError extends Error {
  override readonly name = 'NodesError'
}

const chainId = 56

/**
 * Requests the chain id from every node. Returns the hosts of the nodes that did not answer; one answer is enough.
 *
 * @throws {NodesError} for a node of another chain, or when no node answers
 */
export async function checkNodes(urls: string[]): Promise<string[]> {
  const answers = await Promise.all(urls.map(async (url) => ({ url, id: await readChainId(url) })))
  const foreign = answers.find(({ id }) => id !== undefined && Number(id) !== chainId)
  if (foreign)
    throw new NodesError(
      `${hostOf(foreign.url)} is a node of chain ${Number(foreign.id)}, not of BNB Smart Chain (${chainId}).`,
    )
  const silent = answers.filter(({ id }) => id === undefined).map(({ url }) => hostOf(url))
  if (silent.length === urls.length)
    throw new NodesError(`No node answers: ${silent.join(', ')}. Check the addresses and the network.`)
  return silent
}

/** Returns the host of a URL, without its path and query, which may contain keys. */
const hostOf = (url: string) => new URL(url).host

async function readChainId(url: string): Promise<string | undefined> {
  try {
    // A user and password must be in a header.
    const endpoint = parseNodeUrl(url)
    const response = await fetch(endpoint?.url ?? url, {
      method: 'POST',
      headers: { ...endpoint?.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
      signal: AbortSignal.timeout(10_000),
      redirect: 'error',
    })
    return ((await response.json()) as { result?: string } | null)?.result ?? undefined
  } catch {
    return undefined
  }
}
