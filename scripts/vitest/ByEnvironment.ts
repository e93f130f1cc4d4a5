import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Runs the files of one environment after one another. Vitest keeps a worker, and the modules that it has loaded, only
 * while the next file has the same environment.
 */
export class ByEnvironment extends BaseSequencer {
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
