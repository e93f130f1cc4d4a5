/** Runs the synchronous part of a task and measures its processor time in milliseconds, without that of other tasks. */
export function measureWork<output>(compute: () => output): { output: output; work: number } {
  const before = process.threadCpuUsage()
  const output = compute()
  const { user, system } = process.threadCpuUsage(before)
  return { output, work: (user + system) / 1_000 }
}
