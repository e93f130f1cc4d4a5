import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

type RunCommandOptions = {
  env?: Record<string, string> | undefined
  /** File for all output. Without it, the output is shown. */
  log?: string | undefined
  /** File for the standard output alone. */
  stdout?: string
  /** Ends the program when it aborts. */
  signal?: AbortSignal
}

export type RunCommand = (command: string[], options?: RunCommandOptions) => Promise<number>

const root = join(import.meta.dirname, '../..')
const timeout = 20 * 60_000

/** Runs a tool of the repository in its root folder. Resolves to its exit code; 1 if it did not start or was killed. */
export const runCommand: RunCommand = async ([program = '', ...args], { env, log, stdout, signal } = {}) => {
  const [logFile, stdoutFile] = [log, stdout].map((file) => file && open(file))
  const output = logFile || 'inherit'
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', stdoutFile || output, output],
    shell: process.platform === 'win32',
    env: { ...process.env, PATH: [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter), ...env },
    timeout,
    ...(signal && { signal }),
  })
  try {
    const [code, killed] = await once(child, 'exit')
    if (killed) write(output, `\`${program}\` was ended by ${killed}.\n`)
    return code ?? 1
  } catch (error) {
    write(output, `\`${program}\` did not start: ${(error as Error).message}\n`)
    return 1
  } finally {
    for (const file of [logFile, stdoutFile]) if (file) closeSync(file)
  }
}

const write = (output: number | 'inherit', words: string) => writeSync(output === 'inherit' ? 2 : output, words)

function open(file: string): number {
  mkdirSync(dirname(file), { recursive: true })
  return openSync(file, 'w')
}
