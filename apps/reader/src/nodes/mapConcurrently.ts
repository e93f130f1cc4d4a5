/** Maps items in order, with a limited number of concurrent tasks. After a failure it starts no further task. */
export async function mapConcurrently<item, result>(
  items: readonly item[],
  limit: number,
  task: (item: item) => Promise<result>,
): Promise<result[]> {
  const results: result[] = []
  let next = 0
  let state: 'running' | 'failed' = 'running'
  async function work(): Promise<void> {
    while (next < items.length && state === 'running') {
      const index = next++
      try {
        results[index] = await task(items[index] as item)
      } catch (error) {
        state = 'failed'
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work))
  return results
}
