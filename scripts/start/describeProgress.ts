type Reading = { progress: { done: number; total: number } | null; note: string | null }

/** Describes how far the reading is: in blocks where they can be counted, else by the name of the step. */
export function describeProgress({ progress, note }: Reading): string | undefined {
  if (!progress) return undefined
  if (progress.total === 0) return note?.replace(/\.$/, '')
  return `${progress.done} of ${progress.total} blocks`
}
