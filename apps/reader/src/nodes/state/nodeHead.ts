/** The newest blocks one node reported. */
export type NodeHead = {
  /** The highest number it reported. */
  number: number
  reportedAt: number
  /** Distance in blocks to the head of all nodes when the newest block was last requested. */
  lag: number
  /** Largest difference between its reports within a minute: several nodes may answer behind one URL. */
  spread: { blocks: number; at: number }
}

const spreadKeptFor = 60_000

export const noHead: NodeHead = {
  number: 0,
  reportedAt: Number.NEGATIVE_INFINITY,
  lag: 0,
  spread: { blocks: 0, at: 0 },
}

export function onHeadReported(head: NodeHead, reported: number, now: number): NodeHead {
  const number = Math.max(head.number, reported)
  const blocks = number - reported
  const known = head.spread.at < now - spreadKeptFor ? 0 : head.spread.blocks
  // The spread varies a little, so half of it is enough to confirm it.
  const isConfirmed = blocks > known / 2 || known === 0
  return {
    ...head,
    number,
    reportedAt: now,
    spread: isConfirmed ? { blocks: Math.max(blocks, known), at: now } : head.spread,
  }
}

/** Forgets earlier numbers, of which one was false: its distance would count as a spread for ever. */
export const restartHead = (head: NodeHead, reported: number): NodeHead => ({
  ...head,
  number: reported,
  spread: noHead.spread,
})

/** Returns the highest block that every node behind the URL has. */
export const commonNumber = ({ number, spread }: NodeHead) => number - spread.blocks
