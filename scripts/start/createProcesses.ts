import type { dataDir } from '../lib/dataDir.ts'
import type { Child } from '../lib/startChild.ts'
import type { StartSettings } from '../lib/startSettings.ts'
import { type Crash, type Supervised, type SuperviseParameters, supervise } from '../lib/supervise.ts'
import type { Terminal } from '../lib/terminal.ts'

/** Thrown for a failure that the user can fix; shown without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** Creates the error for a process that failed, with the end of its output. */
export const failureOf = (name: string, child: Child, logFile: string): StartError =>
  new StartError(`${name} failed. The end of ${logFile}:\n${child.tail().join('\n')}`)

type Running = { stop: () => Promise<void> }

export type ProcessParameters = Pick<SuperviseParameters, 'launch'> & {
  name: string
  logFile: string
  /** Called on each unexpected end. Returns `worked` when the process had worked before. */
  onCrash: () => 'worked' | 'never_worked'
}

type Processes = ReturnType<typeof createProcesses>

/** Creates the list of processes that must be stopped when the start ends. */
export function createProcesses(terminal: Terminal, fail: (error: unknown) => void) {
  const running: Running[] = []
  const remove = (one: Running) => void running.splice(running.indexOf(one), 1)
  return {
    add: (one: Running) => void running.push(one),
    remove,
    /** Starts a process that is restarted when it ends unexpectedly. */
    supervise({ name, logFile, launch, onCrash }: ProcessParameters): Supervised {
      const supervised = supervise({
        launch,
        onCrash(crash) {
          const next = nextAfter(crash, onCrash())
          terminal.line(describeCrash(name, crash, next, logFile))
          return next
        },
      })
      running.push(supervised)
      void supervised.ended.then((how) => {
        if (how === 'given_up') fail(new StartError(`${name} does not start. Its whole output: ${logFile}`))
      })
      return supervised
    },
    /** Stops all processes, each before the one that it reads from. */
    async stopAll() {
      for (const one of running.toReversed()) await one.stop().catch(() => undefined)
    },
  }
}

/** Exit code of a reader that waits, for example for a node or a database that does not answer yet. */
const waits = 75

/** Returns `give_up` after the third crash of a process that never worked. Others are restarted without limit. */
const nextAfter = ({ ending: { code }, count }: Crash, history: 'worked' | 'never_worked') =>
  history === 'never_worked' && code !== waits && count >= 3 ? 'give_up' : 'restart'

function describeCrash(
  name: string,
  { ending, tail, wait }: Crash,
  next: 'restart' | 'give_up',
  logFile: string,
): string {
  const how = ending.signal ? `was ended by ${ending.signal}` : `ended with code ${ending.code}`
  const restart = next === 'restart' ? ` It starts again in ${wait / 1000} s.` : ''
  const lines = tail.slice(-12).map((line) => `  ${line}`)
  return [`${name} ${how}.${restart} The end of ${logFile}:`, ...(lines.length > 0 ? lines : ['  (empty)'])].join('\n')
}

/** Values shared by the parts of one start. */
export type Product = {
  /** `dev`: Vite serves the page and reloads it. `built`: the server serves the built page. */
  mode: 'built' | 'dev'
  settings: StartSettings
  /** Address at which people open the page. */
  url: string
  /** Port of the server; in `dev` another one than Vite's, on which people open the page. */
  serverPort: number
  data: ReturnType<typeof dataDir>
  terminal: Terminal
  processes: Processes
}
