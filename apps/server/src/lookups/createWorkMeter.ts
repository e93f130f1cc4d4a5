/** Sums up the processor time of the synchronous parts of one task. */
export type WorkMeter = ReturnType<typeof createWorkMeter>

/** Creates a meter, which counts a part once even if it is measured within another one. */
export function createWorkMeter() {
  let work = 0
  let state: 'idle' | 'measuring' = 'idle'
  return {
    /** Runs a synchronous part of the task, and counts its work even if it fails. */
    measure<output>(compute: () => output): output {
      if (state === 'measuring') return compute()
      state = 'measuring'
      const before = process.threadCpuUsage()
      try {
        return compute()
      } finally {
        const { user, system } = process.threadCpuUsage(before)
        work += (user + system) / 1_000
        state = 'idle'
      }
    },
    /** Returns the milliseconds of all parts so far. */
    work: () => work,
  }
}
