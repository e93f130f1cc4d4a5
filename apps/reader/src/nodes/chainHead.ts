import { finality, parseBlock } from './rpc.ts'

export type ChainHead = ReturnType<typeof createChainHead>

/** Blocks by which a head may always grow. Below: the blocks per second of the fastest chains. */
const smallGrowth = 1_000
const fastestChain = 10
/** Number of remembered blocks below the head: as many as are read one after another, and not in wide ranges. */
const remembered = 1_280

/** A block number, and the time in milliseconds when it was reached. */
export type Reached = { number: number; setAt: number }

/** Returns whether a number is further above a reached one than a chain can have grown since. `now` in milliseconds. */
export const isFarAbove = (number: number, reached: Reached, now: number) =>
  number - reached.number > smallGrowth + ((now - reached.setAt) / 1_000) * fastestChain

/**
 * Remembers the newest blocks, so that the head never goes back on the same chain. A lower block is either known, and its
 * node lags, or it is new, and the chain was reorganised.
 *
 * @param lowest A head below this block counts as lagging, whatever its hash.
 */
export function createChainHead(lowest = 0) {
  /** Hashes of returned blocks by number. */
  const hashes = new Map<number, string>()
  let head: (Reached & { block: unknown }) | undefined
  /**
   * A refused leap, and the head at that time, or the next one if none was known: a node that lags for long must not
   * hold back a good one for ever.
   */
  let leap: { uncontradictedSince: number | undefined; base: Reached | undefined } | undefined
  const headNumber = () => Math.max(head?.number ?? 0, lowest)

  return {
    get number() {
      return headNumber()
    },
    /** `true` once a head was returned. */
    get isKnown() {
      return head !== undefined
    },
    /** Returns `true` for an older block of the same chain; `false` for a newer head, or that of a reorganised chain. */
    isLagging(value: unknown): boolean {
      const block = parseBlock(value)
      if (!block) return false
      if (block.number < lowest) return true
      if (!head || block.number >= head.number) return false
      // A head further back comes from a stuck node, not from a reorganised chain.
      return head.number - block.number > finality || hashes.get(block.number) === block.hash
    },
    /** Returns whether a block or its parent is remembered, which proves that the node is on this chain. */
    isConnected(value: unknown): boolean {
      const block = parseBlock(value)
      if (!block) return false
      const { number, hash, parentHash } = block
      return hashes.get(number) === hash || (parentHash !== undefined && hashes.get(number - 1) === parentHash)
    },
    /** Returns the distance of a block from the head, in blocks. */
    lagOf: (value: unknown) => Math.max(headNumber() - (parseBlock(value)?.number ?? 0), 0),
    /** Remembers a returned block, unless it is far below the head. */
    remember(value: unknown): void {
      const block = parseBlock(value)
      if (block && block.number >= (head?.number ?? 0) - remembered) hashes.set(block.number, block.hash)
    },
    /** Returns whether a number is far above the last head, or `start` before one is known. `now` in milliseconds. */
    isFarAhead(number: number, now: number, start?: Reached): boolean {
      const base = leap?.base ?? head ?? start
      return base !== undefined && isFarAbove(number, base, now)
    },
    /** Measures later leaps from the current head, or the first one, until `forgetRefusal`. */
    refuseFarHead(uncontradictedSince: number | undefined): void {
      leap = { uncontradictedSince, base: leap?.base ?? head }
    },
    /** Time in milliseconds since when no other node has contradicted the refused leaps; `undefined` if one has. */
    get uncontradictedSince() {
      return leap?.uncontradictedSince
    },
    forgetRefusal(): void {
      leap = undefined
    },
    /** Sets the head. `now` in milliseconds. */
    setHead(value: unknown, now: number): void {
      const block = parseBlock(value)
      if (!block) return
      const { number, hash } = block
      const isSame = head?.number === number && hashes.get(number) === hash
      // A reorganisation removed those above.
      for (const known of hashes.keys()) if (known > number || known < number - remembered) hashes.delete(known)
      hashes.set(number, hash)
      // A node that stands still repeats its head.
      head = isSame && head ? head : { number, setAt: now, block: value }
      if (leap) leap.base ??= head
    },
    /** The block of the head; `undefined` before the first one. */
    get block() {
      return head?.block
    },
  }
}
