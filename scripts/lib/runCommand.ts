import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

type RunCommandOptions = {
  env?: Record<string, string> | undefined
  /** File for all output. Without it, the output is shown. */
  log?: string | undefined
  /** File for the standard output alone. */
  stdout?: string
  /** Ends the program and all its processes when it aborts. Ctrl-C in a terminal then reaches only this process. */
  signal?: AbortSignal
  /** Milliseconds after which the program is ended. @default 20 minutes */
  timeout?: number
}

export type RunCommand = (command: string[], options?: RunCommandOptions) => Promise<number>

const root = join(import.meta.dirname, '../..')
const windows = process.platform === 'win32'
/** Milliseconds that programs have to end by themselves. */
const patience = 5_000

/** Runs a tool in the root folder. Resolves to its exit code; 1 if it did not start or was killed. */
export const runCommand: RunCommand = async (command, options = {}) => {
  const { env, log, stdout, signal, timeout = 20 * 60_000 } = options
  const [program = '', ...args] = command
  const [logFile, stdoutFile] = [log, stdout].map((file) => file && open(file))
  const output = logFile || 'inherit'
  const isGroup = signal !== undefined && !windows
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', stdoutFile || output, output],
    shell: windows,
    // Processes of one group can be ended together.
    detached: isGroup,
    env: { ...process.env, PATH: [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter), ...env },
  })
  const kill = (by: NodeJS.Signals) => (isGroup ? killGroup(child, by) : child.kill(by))
  const end = () => kill('SIGTERM')
  signal?.addEventListener('abort', end)
  const timers = [
    setTimeout(() => {
      write(output, `\`${program}\` did not end within ${timeout / 60_000} minutes, so it is ended:\n`)
      if (isGroup) write(output, listGroup(child))
      end()
    }, timeout),
    setTimeout(() => kill('SIGKILL'), timeout + patience),
  ]
  try {
    const [code, killed] = await once(child, 'exit')
    if (killed) write(output, `\`${program}\` was ended by ${killed}.\n`)
    return code ?? 1
  } catch (error) {
    write(output, `\`${program}\` did not start: ${(error as Error).message}\n`)
    return 1
  } finally {
    timers.forEach(clearTimeout)
    signal?.removeEventListener('abort', end)
    if (isGroup) kill('SIGKILL')
    for (const file of [logFile, stdoutFile]) if (file) closeSync(file)
  }
}

/** Sends a signal to the processes of a program's group. */
function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    // None is left.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Lists the processes of a program's group, each with its running time and command. */
function listGroup({ pid }: ChildProcess): string {
  return execFileSync('ps', ['-ww', '-eo', 'pgid=,pid=,etime=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.trim().startsWith(`${pid} `))
    .map((line) => `${line.trim().slice(0, 200)}\n`)
    .join('')
}

const write = (output: number | 'inherit', words: string) => writeSync(output === 'inherit' ? 2 : output, words)

function open(file: string): number {
  mkdirSync(dirname(file), { recursive: true })
  return openSync(file, 'w')
}
