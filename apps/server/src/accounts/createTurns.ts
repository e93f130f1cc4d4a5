/** Largest number of waiting tasks for one key. */
export const queueLimit = 8

/**
 * Creates a function that runs the tasks of one key one after the other. It returns `undefined` without running the
 * task if too many wait.
 *
 * @example await takeTurns(account, () => save(label))
 */
export function createTurns() {
  const queues = new Map<string, { last: Promise<unknown>; length: number }>()

  return <Result>(key: string, work: () => Promise<Result>): Promise<Result> | undefined => {
    const queue = queues.get(key) ?? { last: Promise.resolve(), length: 0 }
    if (queue.length > queueLimit) return undefined
    queues.set(key, queue)
    queue.length++
    const result = queue.last.then(work).finally(() => {
      queue.length--
      if (queue.length === 0) queues.delete(key)
    })
    queue.last = result.catch(() => undefined)
    return result
  }
}
