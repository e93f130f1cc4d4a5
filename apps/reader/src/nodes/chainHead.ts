import { finality, parseBlock } from './rpc.ts'

export type ChainHead = ReturnType<typeof createChainHead>

/** Blocks by which a head may always grow. Below: the blocks per second of the fastest chains. */
const smallGrowth = 1_000
const fastestChain = 10

/** A block number, and the time in milliseconds when it was reached. */
export type Reached = { number: number; setAt: number }

/** Returns whether a number is further above a reached one than a chain can have grown since. `now` in milliseconds. */
export const isFarAbove = (number: number, reached: Reached, now: number) =>
  number - reached.number > smallGrowth + ((now - reached.setAt) / 1_000) * fastestChain

/**
 * Remembers the newest blocks, so that the head never goes back on the same chain. A lower block
 * is either known, and its node lags, or it is new, and the chain was reorganised.
 *
 * @param lowest A head below this block counts as lagging, whatever its hash.
 */
export function createChainHead(lowest = 0) {
  const hashes = createKnownHashes()
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
    /**
     * Returns `true` for an older block of the same chain; `false` for a newer head, or the head of a reorganised
     * chain.
     */
    isLagging(value: unknown): boolean {
      const block = parseBlock(value)
      if (!block) return false
      if (block.number < lowest) return true
      if (!head || block.number >= head.number) return false
      // A head further back comes from a stuck node, not from a reorganised chain.
      return head.number - block.number > finality || hashOf(hashes, block.number) === block.hash
    },
    /**
     * Returns whether a block is remembered or the child of a remembered block, which proves that the node is on this
     * chain.
     */
    isConnected(value: unknown): boolean {
      const block = parseBlock(value)
      if (!block) return false
      const { number, hash, parentHash } = block
      return hashOf(hashes, number) === hash || (parentHash !== undefined && hashOf(hashes, number - 1) === parentHash)
    },
    /** Returns the distance of a block from the head, in blocks. */
    lagOf: (value: unknown) => Math.max(headNumber() - (parseBlock(value)?.number ?? 0), 0),
    /** Remembers a returned block. */
    remember(value: unknown): void {
      const block = parseBlock(value)
      if (block) rememberHash(hashes, block, head?.number)
    },
    /**
     * Returns whether a number is far above the last head. `start` stands for the head before one is known. `now` in
     * milliseconds.
     */
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
      const isSame = head?.number === number && hashOf(hashes, number) === hash
      rememberHead(hashes, block)
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

/** Number of remembered blocks: more than a reorganisation replaces, few enough for the memory. */
const remembered = 512

/**
 * Hashes of returned blocks by number. Mutable: a copy for each of millions of blocks would slow down indexing.
 */
export type KnownHashes = {
  near: Map<number, string>
  /** Blocks far below the head, or read before the head was known, in reading order. */
  old: Map<number, string>
}

type Hashed = { number: number; hash: string }

export const createKnownHashes = (): KnownHashes => ({ near: new Map(), old: new Map() })

export const hashOf = ({ near, old }: KnownHashes, number: number): string | undefined =>
  near.get(number) ?? old.get(number)

/** Remembers a block. Of blocks far below the head, such as those of a backfill, only the last ones are kept. */
export function rememberHash({ near, old }: KnownHashes, { number, hash }: Hashed, head: number | undefined): void {
  if (head !== undefined && number >= head - remembered) return void near.set(number, hash)
  old.set(number, hash)
  for (const first of old.keys()) if (old.size > remembered) old.delete(first)
}

/** Remembers the head. Forgets the blocks above, which a reorganisation removed, and those far below. */
export function rememberHead({ near, old }: KnownHashes, { number, hash }: Hashed): void {
  for (const known of near.keys()) if (known > number || known < number - remembered) near.delete(known)
  for (const known of old.keys()) if (known > number) old.delete(known)
  old.delete(number)
  near.set(number, hash)
}
