import type { Header } from './nodes/rpc.ts'

export type PlanParameters = {
  /** Headers of the newest stored blocks in order; empty before the first one. */
  known: readonly Header[]
  /** First block that may be replaced: no event of an earlier one is stored, or it is final. */
  lowest: number
  /** Headers of the nodes' chain in order, each the child of the one before. */
  chain: readonly Header[]
}

export type Plan =
  | { action: 'wait' }
  /** The header below the first one of the chain is needed, to find the fork. */
  | { action: 'request'; number: number }
  /** Stored blocks from `fork` on are replaced by `headers`. Without a reorganisation, there are none. */
  | { action: 'store'; fork: number; headers: readonly Header[] }
  /** The chain was reorganised below the lowest block that may be replaced. */
  | { action: 'refuse'; block: number }

/** Decides how the nodes' chain continues the stored one. */
export function planStep({ known, lowest, chain }: PlanParameters): Plan {
  const linked = takeLinked(chain)
  // Nodes may serve different forks for a moment.
  const fresh = linked.slice(countShared(known, linked))
  const [first] = fresh
  if (!first) return { action: 'wait' }
  if (first.number < lowest) return { action: 'refuse', block: first.number }
  const below = known.find(({ number }) => number === first.number - 1)
  const isAttached = below ? isChildOf(first, below) : first.number === lowest
  if (isAttached) return { action: 'store', fork: first.number, headers: fresh }
  return first.number === lowest
    ? { action: 'refuse', block: first.number - 1 }
    : { action: 'request', number: first.number - 1 }
}

/** Returns the headers up to the first one that is not the child of the one before. */
function takeLinked(chain: readonly Header[]): readonly Header[] {
  const end = chain.findIndex((header, index) => index > 0 && !isChildOf(header, chain[index - 1] as Header))
  return end < 0 ? chain : chain.slice(0, end)
}

const isChildOf = (header: Header, parent: Header) =>
  header.number === parent.number + 1 && header.parent === parent.hash && header.time >= parent.time

/** Counts the first headers that are stored. A header with another time is not: one of the two is false. */
function countShared(known: readonly Header[], chain: readonly Header[]): number {
  const byNumber = new Map(known.map((header) => [header.number, header]))
  const first = chain.findIndex(({ number, hash, time }) => {
    const same = byNumber.get(number)
    return same?.hash !== hash || same.time !== time
  })
  return first < 0 ? chain.length : first
}
