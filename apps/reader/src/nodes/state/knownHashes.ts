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
