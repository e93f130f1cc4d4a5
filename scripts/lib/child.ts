import { type ChildProcess, fork } from 'node:child_process'
import { createWriteStream, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

export type Ending = { code: number | null; signal: NodeJS.Signals | null }

export type Child = {
  pid: number
  send: (message: object) => void
  /** Settles when the process has ended, whoever ended it. */
  ended: Promise<Ending>
  /** Asks it to end, and ends it after `patience` milliseconds. */
  stop: (patience?: number) => Promise<void>
  /** The last lines it said. */
  tail: () => string[]
}

export type StartChildParameters = {
  /** A module that ends itself when its IPC channel closes. */
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

/**
 * Starts a process that does not outlive this one. It hangs on an IPC channel, which closes however this process ends,
 * and leads a process group of its own, so that Ctrl-C reaches this process alone and what it leaves behind can be found.
 */
export function startChild({
  module,
  args = [],
  nodeOptions = [],
  cwd,
  env = process.env,
  logFile,
  onMessage,
  onLine,
}: StartChildParameters): Child {
  mkdirSync(dirname(logFile), { recursive: true })
  const log = createWriteStream(logFile, { flags: 'a' })
  // A full disk costs the log, not the process that is logged.
  log.on('error', () => undefined)
  const lines: string[] = []
  const child = fork(module, args, {
    execArgv: nodeOptions,
    env,
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    ...(cwd && { cwd }),
  })
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue
    createInterface({ input: stream }).on('line', (line) => {
      log.write(`${line}\n`)
      lines.push(line)
      if (lines.length > tailLength) lines.shift()
      onLine?.(line)
    })
  }
  if (onMessage) child.on('message', onMessage)

  const ended = new Promise<Ending>((resolve) => {
    child.once('error', (error) => {
      lines.push(error.message)
      resolve({ code: 1, signal: null })
    })
    child.once('exit', (code, signal) => {
      killGroup(child)
      log.end()
      resolve({ code, signal })
    })
  })

  return {
    pid: child.pid ?? 0,
    send: (message) => {
      // It may be gone already; whoever waits for `ended` will know.
      if (child.connected) child.send(message, () => undefined)
    },
    ended,
    async stop(patience = 8_000) {
      if (child.connected) child.disconnect()
      const timer = setTimeout(() => killGroup(child) || child.kill('SIGKILL'), patience)
      await ended
      clearTimeout(timer)
    },
    tail: () => [...lines],
  }
}

/** What runs a program that knows nothing of IPC channels and must not outlive this process either. */
export const guarded = (command: string, args: string[]): Pick<StartChildParameters, 'module' | 'args'> => ({
  module: join(import.meta.dirname, 'guard.ts'),
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
