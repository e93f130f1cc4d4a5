import type { Child } from '../lib/startChild.ts'

/** Failure that the user can mend; shown without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** Failure of a process, with the end of its output. */
export const failureOf = (name: string, child: Child, logFile: string): StartError =>
  new StartError(`${name} failed. The end of ${logFile}:\n${child.tail().join('\n')}`)
