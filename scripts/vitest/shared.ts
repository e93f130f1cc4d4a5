import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { testLimit, waitLimit } from './limits.ts'

/**
 * Runs the files of one environment after one another. Vitest keeps a worker, and the modules that it has loaded, only
 * while the next file has the same environment.
 */
class ByEnvironment extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const groups = new Map<string, TestSpecification[]>()
    for (const file of sorted) {
      const key = `${file.project.name} ${readEnvironment(file.moduleId)}`
      groups.set(key, [...(groups.get(key) ?? []), file])
    }
    return [...groups.values()].flat()
  }
}

function readEnvironment(file: string): string | undefined {
  return /^\/\/ @vitest-environment (\w+)/.exec(readFileSync(file, 'utf8'))?.[1]
}

/** Number of workers for files that wait for processes which they have started: one would leave a second core idle. */
export const severalWorkers = Math.max(2, availableParallelism() - 1)

/** Vitest settings of all packages. */
export const shared = {
  // A worker loads each module only once, so a spy that a failed test left behind would reach the next file.
  isolate: false,
  sequence: { sequencer: ByEnvironment },
  restoreMocks: true,
  testTimeout: testLimit,
  hookTimeout: testLimit,
  expect: { poll: { timeout: waitLimit } },
  setupFiles: [join(import.meta.dirname, 'setup.ts')],
}
