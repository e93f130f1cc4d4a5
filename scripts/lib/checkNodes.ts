/** Why the nodes given cannot be read from. */
export class NodesError extends Error {
  override readonly name = 'NodesError'
}

const chainId = 56

/**
 * Asks every node which chain it is of. Answers those that gave no answer; one is enough to go on with.
 *
 * @throws {NodesError} for a node of another chain, or when none answers
 */
export async function checkNodes(urls: string[]): Promise<string[]> {
  const answers = await Promise.all(urls.map(async (url) => ({ url, id: await ask<string>(url, 'eth_chainId', []) })))
  const foreign = answers.find(({ id }) => id !== undefined && Number(id) !== chainId)
  if (foreign)
    throw new NodesError(
      `${hostOf(foreign.url)} in LINEAGE_RPC_URLS is a node of chain ${Number(foreign.id)}, not of BNB Smart Chain (${chainId}).`,
    )
  const silent = answers.filter(({ id }) => id === undefined).map(({ url }) => hostOf(url))
  if (silent.length === urls.length)
    throw new NodesError(
      `No node in LINEAGE_RPC_URLS answers: ${silent.join(', ')}. Check the addresses and the network.`,
    )
  return silent
}

/** The hash of a block, which tells one chain from another of the same id. */
export async function blockHash(urls: string[], block: number): Promise<string> {
  for (const url of urls) {
    const found = await ask<{ hash: string }>(url, 'eth_getBlockByNumber', [`0x${block.toString(16)}`, false])
    if (typeof found?.hash === 'string') return found.hash
  }
  throw new NodesError(
    `No node in LINEAGE_RPC_URLS knows block ${block}, where the first community starts. Is startBlock right, and does a node keep that far back?`,
  )
}

/** Without paths and queries, where keys are. */
const hostOf = (url: string) => new URL(url).host

async function ask<answer>(url: string, method: string, params: unknown[]): Promise<answer | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(10_000),
    })
    return ((await response.json()) as { result?: answer } | null)?.result ?? undefined
  } catch {
    return undefined
  }
}
