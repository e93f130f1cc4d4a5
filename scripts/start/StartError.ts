import type { Child } from '../lib/startChild.ts'

/** Thrown for a failure that the user can fix; shown without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** Creates the error for a process that failed, with the end of its output. */
export const failureOf = (name: string, child: Child, logFile: string): StartError =>
  new StartError(`${name} failed. The end of ${logFile}:\n${child.tail().join('\n')}`)
