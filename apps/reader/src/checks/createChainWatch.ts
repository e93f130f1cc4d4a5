import type { Warning } from '@lineage/referral-api'
import { describeReplaced, findReplaced, type KnownBlock, type ReadHash } from '../../../knownBlocks.ts'

export type ChainWatchParameters = {
  startBlock: number
  /** Newest final block of the index. */
  finalizedBlock: () => number | undefined
  readHash: ReadHash
  store: {
    load(): Promise<KnownBlock[]>
    save(blocks: Readonly<Record<'first' | 'final', KnownBlock>>): Promise<void>
  }
  log: (message: string) => void
}

const interval = 10_000
/** Milliseconds between two checks until the index has a final block. */
const firstInterval = 200
/** Milliseconds after which a difference is checked again to confirm it. */
const confirmAfter = 1_000

/**
 * Creates the watch over the chain that the index was built on. It records the hash of each newest final block, and
 * detects when the nodes serve another chain, or a fork deeper than the final block.
 */
export function createChainWatch({ startBlock, finalizedBlock, readHash, store, log }: ChainWatchParameters) {
  /** The first block, then the newest final one. */
  let known: KnownBlock[] | undefined
  let suspect: KnownBlock | undefined
  let replaced: string | undefined
  let state: 'unchecked' | 'checked' = 'unchecked'

  /** Records the newest final block. The one before it was just confirmed, so both are on the same fork. */
  async function note(blocks: readonly KnownBlock[], final: number): Promise<void> {
    const hash = await readHash(final)
    if (hash === undefined) return
    const newest = { block: final, hash }
    const first = blocks[0] ?? { block: startBlock, hash: (await readHash(startBlock)) ?? '' }
    // A node may not keep the first block.
    const named = { first: first.hash ? first : newest, final: newest }
    await store.save(named)
    known = [named.first, named.final]
  }

  return {
    /** Returns whether the chain was checked and recorded. Nothing is served before. */
    state: () => state,
    /** Returns the reason why nothing is served; `undefined` while the nodes have the index's chain. */
    replaced: () => replaced,
    warnings: (): Warning[] =>
      replaced === undefined ? [] : [{ kind: 'chain_replaced', node: null, community: null, message: replaced }],
    /** Checks once. Resolves to the milliseconds until the next check. */
    async run(): Promise<number> {
      known ??= await store.load()
      const found = await findReplaced(known, readHash)
      if (found && suspect?.block !== found.block) {
        suspect = found
        return confirmAfter
      }
      suspect = found
      const before = replaced
      replaced = found && describeReplaced(found, known)
      if (replaced !== undefined && replaced !== before) log(replaced)
      const final = finalizedBlock()
      if (final === undefined) return found ? interval : firstInterval
      try {
        if (!found && final > (known.at(-1)?.block ?? -1)) await note(known, final)
      } finally {
        state = 'checked'
      }
      return interval
    },
  }
}
