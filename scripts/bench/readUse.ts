import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** Resident memory in MB. */
export type Memory = { server: number; reader: number }

/** Returns the memory of a product's server and reader, which are child processes of `pid`. */
export function readMemory(pid: number): Memory {
  const { server, reader } = findProcesses(pid)
  return { server: server?.memory ?? 0, reader: reader?.memory ?? 0 }
}

/** Returns the milliseconds of processor time that a product's server has used. */
export const readServerTime = (pid: number): number => readProcessorTime(findProcesses(pid).server?.id ?? 0)

/** Returns the milliseconds of processor time that a process has used; `NaN` if the system is not Linux. */
export function readProcessorTime(pid: number): number {
  if (!existsSync('/proc/self/stat')) return Number.NaN
  // Fields 14 and 15, in hundredths of a second; the second one, the name, may contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function findProcesses(pid: number) {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss=,args='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [])
    .map(([, id, parent, rss, args = '']) => ({
      id: Number(id),
      parent: Number(parent),
      memory: Number(rss) / 1024,
      args,
    }))
  const own = new Set([pid])
  for (let size = 0; size !== own.size; ) {
    size = own.size
    for (const { id, parent } of processes) if (own.has(parent)) own.add(id)
  }
  // A process may run in a wrapper whose arguments name the module too.
  const find = (module: string) =>
    processes
      .filter(({ id, args }) => own.has(id) && args.includes(module))
      .toSorted((left, right) => right.memory - left.memory)[0]
  return { server: find('apps/server/src/main.ts'), reader: find('apps/reader/src/main.ts') }
}
