import type { Child } from '../lib/startChild.ts'

/** A failure that a person can put right. It is shown without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** The failure of a process, with the end of its output. */
export const failureOf = (name: string, child: Child, logFile: string): StartError =>
  new StartError(`${name} failed. The end of ${logFile}:\n${child.tail().join('\n')}`)
