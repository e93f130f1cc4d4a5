type Known = { block: number; timestamp: number }

/**
 * Finds the last block up to a time, between a block that is not later and one that is. Guesses by the mean time
 * between blocks, and halves the range at every third step, because that time has changed over the years.
 */
export async function findLastBlock(
  until: number,
  { first, later }: { first: Known; later: Known },
  readTimestamp: (block: number) => Promise<number>,
): Promise<number> {
  let [low, high] = [first, later]
  for (let step = 1; high.block - low.block > 1; step++) {
    const share = step % 3 === 0 ? 0.5 : (until - low.timestamp) / (high.timestamp - low.timestamp)
    const guess = low.block + Math.floor((high.block - low.block) * share)
    const block = Math.max(low.block + 1, Math.min(high.block - 1, guess))
    const timestamp = await readTimestamp(block)
    if (timestamp <= until) low = { block, timestamp }
    else high = { block, timestamp }
  }
  return low.block
}
