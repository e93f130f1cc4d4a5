type Reading = { progress: { done: number; total: number } | null; note: string | null }

/** Describes the progress of the reading: in blocks if they can be counted, otherwise by the current task. */
export function describeProgress({ progress, note }: Reading): string | undefined {
  if (!progress) return undefined
  if (progress.total === 0) return note?.replace(/\.$/, '')
  return `${progress.done} of ${progress.total} blocks`
}
