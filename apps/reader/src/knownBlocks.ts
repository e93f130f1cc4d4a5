/** A block that an index was built on. */
export type KnownBlock = { block: number; hash: string }

/** Table of known blocks. All indexes of a database share it, because they share the data that Ponder has read. */
const table = 'lineage.known_block'

/** Returns SQL that selects the known blocks in order: all, or those whose name starts with a prefix. */
export const selectKnownBlocks = (prefix = ''): string =>
  `select block::float8 as block, hash from ${table} where starts_with(name, '${prefix}') order by block`

/**
 * Returns SQL that saves known blocks by name. Names consist of letters, digits, "_" and spaces, hashes are
 * hexadecimal.
 */
export function saveKnownBlocks(blocks: Readonly<Record<string, KnownBlock>>): string[] {
  const values = Object.entries(blocks).map(([name, { block, hash }]) => `('${name}', ${block}, '${hash}')`)
  return [
    'create schema if not exists lineage',
    `create table if not exists ${table} (name text primary key, block int8 not null, hash text not null)`,
    `insert into ${table} values ${values.join()} on conflict (name) do update set block = excluded.block, hash = excluded.hash`,
  ]
}

/** Reads the hash of a block from the nodes. Returns `undefined` if no node has it. */
export type ReadHash = (block: number) => Promise<string | undefined>

/**
 * Finds the lowest known block that the nodes have replaced: an index with that block belongs to another chain or
 * fork.
 */
export async function findReplaced(known: readonly KnownBlock[], readHash: ReadHash): Promise<KnownBlock | undefined> {
  for (const one of known) {
    const hash = await readHash(one.block)
    if (hash !== undefined && hash !== one.hash) return one
  }
  return undefined
}

/** Describes which block was replaced and what to do. */
export function describeReplaced(replaced: KnownBlock, known: readonly KnownBlock[]): string {
  const isFirst = replaced.block === known[0]?.block
  const what = isFirst
    ? `The nodes serve another chain than the one that the index was read from: block ${replaced.block} differs.`
    : `The chain was reorganised below block ${replaced.block}, which was final, so the index is of a fork that is gone.`
  return `${what} Nothing is served. If the nodes are right, read everything anew: "start.ts reread".`
}
