import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Host } from './hosts.ts'

export type Program = { args: readonly string[]; env: NodeJS.ProcessEnv }
export type KeptProcess = ReturnType<typeof keepRunning>

/** Milliseconds until a process is replaced, and until one that should end is killed. */
const pause = 500
const patience = 15_000

/** Runs a program of Node on a host, and starts it again whenever it ends, until `end`. */
export function keepRunning(host: Host, first: Program) {
  let program = first
  let state: 'kept' | 'paused' | 'ended' = 'kept'
  let output = ''
  let child = launch()
  process.once('exit', () => child.kill('SIGKILL'))

  function launch(): ChildProcess {
    const [command = '', ...args] = host.wrap([process.execPath, ...program.args])
    const launched = spawn(command, args, { env: program.env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [launched.stdout, launched.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = `${output}${text}`.slice(-20_000)
      })
    launched.once('exit', () => void delay(pause).then(() => child === launched && restart()))
    return launched
  }

  function restart(): void {
    if (state === 'kept' && hasEnded()) child = launch()
  }
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null

  async function stop(signal: NodeJS.Signals): Promise<void> {
    if (hasEnded()) return
    const timer = setTimeout(() => child.kill('SIGKILL'), patience)
    child.kill(signal)
    await once(child, 'exit')
    clearTimeout(timer)
  }

  return {
    host,
    pid: () => child.pid,
    /** The last lines that the program has written. */
    output: () => output,
    /** Ends the program, which then starts again. */
    kill: () => stop('SIGKILL'),
    /** Kills the program until `resume`. */
    async pause(): Promise<void> {
      state = 'paused'
      await stop('SIGKILL')
    },
    resume(): void {
      state = 'kept'
      restart()
    },
    /** Stops the program's time, until `thaw`. */
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
    /** Starts another program in its place. */
    async replace(next: Program): Promise<void> {
      program = next
      await stop('SIGTERM')
    },
    async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
      state = 'ended'
      await stop(signal)
    },
  }
}
