import { execFileSync } from 'node:child_process'

/** Resident memory in MB. */
export type Memory = { server: number; reader: number }

/** Returns the memory of a product's server and reader, which are child processes of `pid`. */
export function readMemory(pid: number): Memory {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss=,args='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [])
    .map(([, id, parent, rss, args = '']) => ({ id: Number(id), parent: Number(parent), rss: Number(rss), args }))
  const own = new Set([pid])
  for (let size = 0; size !== own.size; ) {
    size = own.size
    for (const { id, parent } of processes) if (own.has(parent)) own.add(id)
  }
  const of = (name: string) =>
    Math.max(0, ...processes.filter(({ id, args }) => own.has(id) && args.includes(name)).map(({ rss }) => rss / 1024))
  return { server: of('apps/server/src/main.ts'), reader: of('apps/reader/src/main.ts') }
}
