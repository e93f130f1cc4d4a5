type Block = { number: number; hash: string; parentHash: string | undefined }

/** How many blocks are remembered: more than a chain reorganises, fewer than matter for memory. */
const remembered = 512

/**
 * The newest blocks that were passed on. A chain's head never goes back: where one does, either the chain was
 * reorganised and the block is a new one, or the node has not come so far and the block is known.
 *
 * @param lowest A head below this block is behind, whatever its hash.
 */
export function createHeads(lowest = 0) {
  const hashes = new Map<number, string>()
  /** The newest block passed on, in each form it was asked for. */
  let head: { number: number; answers: Map<string, unknown> } | undefined

  function note(block: unknown): Block | undefined {
    const known = toBlock(block)
    if (!known) return undefined
    hashes.set(known.number, known.hash)
    return known
  }

  return {
    get number() {
      return Math.max(head?.number ?? 0, lowest)
    },
    /** `news`: a newer head, or the head of a chain that was reorganised. `behind`: what a node that lags says. */
    judge(block: unknown, finality: number): 'news' | 'behind' {
      const found = toBlock(block)
      if (found && found.number < lowest) return 'behind'
      if (!found || !head || found.number >= head.number) return 'news'
      if (head.number - found.number > finality) return 'behind'
      return hashes.get(found.number) === found.hash ? 'behind' : 'news'
    },
    /** Whether it is a block that was passed on, or the next after one: of the same chain, then. */
    continues(block: unknown): boolean {
      const found = toBlock(block)
      if (!found) return false
      const { number, hash, parentHash } = found
      return hashes.get(number) === hash || (parentHash !== undefined && hashes.get(number - 1) === parentHash)
    },
    lagOf: (block: unknown) => Math.max(Math.max(head?.number ?? 0, lowest) - (toBlock(block)?.number ?? 0), 0),
    /** Takes in a head that is passed on. */
    serve(parameters: readonly unknown[], block: unknown): void {
      const found = toBlock(block)
      if (!found) return
      const isSame = head?.number === found.number && hashes.get(found.number) === found.hash
      // After a reorganisation nothing above is known any more.
      for (const number of hashes.keys())
        if (number > found.number || number < found.number - remembered) hashes.delete(number)
      hashes.set(found.number, found.hash)
      const answers = isSame && head ? head.answers : new Map<string, unknown>()
      answers.set(JSON.stringify(parameters), block)
      head = { number: found.number, answers }
    },
    /** The newest head in the form it is asked for. */
    served: (parameters: readonly unknown[]) => head?.answers.get(JSON.stringify(parameters)),
    note,
  }
}

function toBlock(block: unknown): Block | undefined {
  if (typeof block !== 'object' || block === null) return undefined
  const { number, hash, parentHash } = block as Record<string, unknown>
  if (typeof number !== 'string' || !/^0x[0-9a-f]{1,13}$/i.test(number) || typeof hash !== 'string') return undefined
  return { number: Number(number), hash, parentHash: typeof parentHash === 'string' ? parentHash : undefined }
}
