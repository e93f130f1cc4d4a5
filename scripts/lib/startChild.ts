import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openLogFile } from './logFile.ts'

export type Ending = { code: number | null; signal: NodeJS.Signals | null }

export type StartChildParameters = {
  /** Path of a module that exits when its IPC channel closes. */
  module: string
  args?: string[]
  nodeOptions?: string[]
  cwd?: string
  env?: NodeJS.ProcessEnv
  logFile: string
  onMessage?: (message: unknown) => void
  onLine?: (line: string) => void
}

const tailLength = 30

export type Child = ReturnType<typeof startChild>

/**
 * Starts a process that ends with this one, because its IPC channel closes whenever this process ends. It has its own
 * process group, so that Ctrl-C reaches only this process, and processes left behind by the child can be killed.
 */
export function startChild({
  module,
  args = [],
  nodeOptions = [],
  cwd,
  env = process.env,
  ...rest
}: StartChildParameters) {
  const child = fork(module, args, {
    execArgv: nodeOptions,
    env,
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    ...(cwd && { cwd }),
  })
  const output = readOutput(child, rest)
  if (rest.onMessage) child.on('message', rest.onMessage)

  const ended = new Promise<Ending>((resolve) => {
    child.once('error', (error) => {
      output.lines.push(error.message)
      resolve({ code: 1, signal: null })
    })
    child.once('exit', (code, signal) => {
      killGroup(child)
      // Its last output may still be on the way. A process that it left behind may keep the pipes open.
      const end = () => resolve({ code, signal })
      child.once('close', end)
      setTimeout(end, 1_000).unref()
    })
  })

  const kill = () => void (killGroup(child) || child.kill('SIGKILL'))
  return {
    pid: child.pid ?? 0,
    send: (message: object) => {
      // `ended` reports a process that has just ended.
      if (child.connected) child.send(message, () => undefined)
    },
    /** Settles when the process has ended. */
    ended,
    /** Closes the channel, and kills the process if it is still running after `patience` milliseconds. */
    async stop(patience = 8_000) {
      if (child.connected) child.disconnect()
      const timer = setTimeout(kill, patience)
      await ended
      clearTimeout(timer)
    },
    /** Kills the process at once, with all processes that it started. */
    kill,
    /** Returns the last lines of its output. */
    tail: () => [...output.lines],
  }
}

/** Writes the output of a process to its log, and keeps the last lines. */
function readOutput(
  { stdout, stderr }: ChildProcess,
  { logFile, onLine }: Pick<StartChildParameters, 'logFile' | 'onLine'>,
) {
  const append = openLogFile(logFile)
  const lines: string[] = []
  for (const stream of [stdout, stderr]) {
    if (!stream) continue
    createInterface({ input: stream }).on('line', (line) => {
      append(line)
      lines.push(line)
      if (lines.length > tailLength) lines.shift()
      onLine?.(line)
    })
  }
  return { lines }
}

/** Returns the parameters to start a program without an IPC channel that still ends with this process. */
export const withParent = (command: string, args: string[]): Pick<StartChildParameters, 'module' | 'args'> => ({
  module: join(import.meta.dirname, 'endWithParent.ts'),
  args: [command, ...args],
})

function killGroup(child: ChildProcess): boolean {
  if (process.platform === 'win32' || child.pid === undefined) return false
  try {
    return process.kill(-child.pid, 'SIGKILL')
  } catch {
    return false
  }
}
