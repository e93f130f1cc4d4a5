import { finality } from '../../ponderInternals.ts'
import { parseBlock } from '../rpc/parseBlock.ts'
import { createKnownHashes, hashOf, rememberHash, rememberHead } from './knownHashes.ts'

export type ChainHead = ReturnType<typeof createChainHead>

/** Blocks by which a head may always grow. Below: the blocks per second of the fastest chains. */
const smallLeap = 1_000
const fastestChain = 10

/** A block number, and the time in milliseconds when it was reached. */
export type Reached = { number: number; setAt: number }

/** Returns whether a number is further above a reached one than a chain can have grown since. `now` in milliseconds. */
export const isFarAbove = (number: number, reached: Reached, now: number) =>
  number - reached.number > smallLeap + ((now - reached.setAt) / 1_000) * fastestChain

/**
 * Remembers the newest blocks returned to Ponder, so that its head never goes back on the same chain. A lower block
 * is either known, and its node lags, or it is new, and the chain was reorganised.
 *
 * @param lowest A head below this block counts as lagging, whatever its hash.
 */
export function createChainHead(lowest = 0) {
  const hashes = createKnownHashes()
  /** The head, in each requested form. */
  let head: (Reached & { answers: Map<string, unknown> }) | undefined
  /**
   * A refused leap, and the head at that time, or the next one if none was known: a node that lags for long must not
   * hold back a good one for ever.
   */
  let leap: { unopposedSince: number | undefined; base: Reached | undefined } | undefined
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
    isLeap(number: number, now: number, start?: Reached): boolean {
      const base = leap?.base ?? head ?? start
      return base !== undefined && isFarAbove(number, base, now)
    },
    /** Measures later leaps from the current head, or the first one, until `forgetLeap`. */
    refuseLeap(unopposedSince: number | undefined): void {
      leap = { unopposedSince, base: leap?.base ?? head }
    },
    /** Time in milliseconds since when no other node has contradicted the refused leaps; `undefined` if one has. */
    get leapUnopposedSince() {
      return leap?.unopposedSince
    },
    forgetLeap(): void {
      leap = undefined
    },
    /** Sets the head, in the form of these request parameters. `now` in milliseconds. */
    setHead(params: readonly unknown[], value: unknown, now: number): void {
      const block = parseBlock(value)
      if (!block) return
      const { number, hash } = block
      const isSame = head?.number === number && hashOf(hashes, number) === hash
      rememberHead(hashes, block)
      // A node that stands still repeats its head.
      head = isSame && head ? head : { number, setAt: now, answers: new Map() }
      head.answers.set(JSON.stringify(params), value)
      if (leap) leap.base ??= head
    },
    /** Returns the head as returned before for these request parameters, if it was. */
    answerTo: (params: readonly unknown[]) => head?.answers.get(JSON.stringify(params)),
  }
}
