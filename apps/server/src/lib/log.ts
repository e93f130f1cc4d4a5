import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { keepNewest } from './cache.ts'

/** Shortest time between two prints of the same message, in milliseconds. */
const interval = 60_000
/** Largest number of remembered messages. */
const messageLimit = 200

type LogFormat = 'text' | 'json'
type LogLevel = 'info' | 'warn' | 'error'

export type LogOptions = {
  /** `json`: each line is an object with `time`, `level`, `message` and, of a request, its `request` id. */
  format?: LogFormat
  write?: (line: string) => unknown
  /** Removes secrets from a line. */
  redact?: (text: string) => string
  /** Milliseconds that only increase. */
  now?: () => number
}

export type Log = (message: string, level?: LogLevel) => void

/**
 * Creates a log that prints each message as one line, at most once a minute. The next line counts the repeats that
 * were left out.
 *
 * @example log('The accounts cannot be reached: connection refused.')
 */
export function createLog({
  format = 'text',
  write = (line) => process.stderr.write(`${line}\n`),
  redact = (text) => text,
  now = () => performance.now(),
}: LogOptions = {}): Log {
  const messages = new Map<string, { printedAt: number; left: number }>()
  const print = format === 'json' ? toJsonLine : toTextLine
  return (text, level = 'error') => {
    const message = redact(text).replaceAll(/\s+/g, ' ').slice(0, 1_000)
    const known = messages.get(message)
    if (known && now() - known.printedAt < interval) {
      known.left++
      return
    }
    write(print({ level, message, left: known?.left ?? 0 }))
    keepNewest(messages, message, { printedAt: now(), left: 0 }, messageLimit)
  }
}

type Entry = { level: LogLevel; message: string; left: number }

const toTextLine = ({ message, left }: Entry): string => (left > 0 ? `${message} (${left} more times since)` : message)

function toJsonLine({ level, message, left }: Entry): string {
  const request = findRequestId()
  const more = { ...(request !== undefined && { request }), ...(left > 0 && { repeated: left }) }
  return JSON.stringify({ time: new Date().toISOString(), level, message, ...more })
}

/** Returns an error and its causes as one sentence, without the stack. */
export function summarizeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // If several addresses were tried, the last error is enough.
  const { message, name, cause } = error instanceof AggregateError ? (error.errors.at(-1) as Error) : error
  const reason = cause instanceof Error ? `${message || name}: ${summarizeError(cause)}` : message || name
  return reason.replace(/\.$/, '')
}

/**
 * Makes the console print through a log, so that output of libraries is also one line, redacted, and at most once a
 * minute. The line of an error has its place in the code, not the whole stack.
 */
export function redirectConsole(log: Log): void {
  const printAs =
    (level: LogLevel) =>
    (...values: unknown[]) =>
      log(values.map(toText).join(' '), level)
  console.error = printAs('error')
  console.warn = printAs('warn')
  console.info = printAs('info')
}

function toText(value: unknown): string {
  if (!(value instanceof Error)) return String(value)
  const place = value.stack
    ?.split('\n')
    .find((line) => line.trimStart().startsWith('at '))
    ?.trim()
  return place === undefined ? summarizeError(value) : `${summarizeError(value)} (${place})`
}

const scope = new AsyncLocalStorage<string>()

/** Returns the id of the request that is being handled, also after an `await`. */
export const findRequestId = (): string | undefined => scope.getStore()

/** Handles a request such that `findRequestId` returns its id. */
export const withRequestId = <Result>(id: string, handle: () => Result): Result => scope.run(id, handle)

/**
 * Returns the id that a client or proxy sent in `X-Request-Id`, or a new id if it is missing, too long or has unusual
 * characters, so that no other text gets into the log.
 */
export const chooseRequestId = (given: string | undefined): string =>
  given !== undefined && /^[\w.:=+/-]{1,128}$/.test(given) ? given : randomUUID()
