/** How often a message is printed at most, in milliseconds. */
const interval = 60_000
/** How many messages are remembered. */
const messageLimit = 200

export type LogOptions = {
  write?: (line: string) => unknown
  /** Removes what must not be logged. */
  redact?: (text: string) => string
  /** Milliseconds that only increase. */
  now?: () => number
}

export type Log = (message: string) => void

/**
 * Creates a log that prints each message as one line, at most once a minute. What was left out is counted in the next line.
 *
 * @example log('The accounts cannot be reached: connection refused.')
 */
export function createLog({
  write = (line) => process.stderr.write(`${line}\n`),
  redact = (text) => text,
  now = () => performance.now(),
}: LogOptions = {}): Log {
  const messages = new Map<string, { printedAt: number; left: number }>()
  return (message) => {
    const line = redact(message).replaceAll(/\s+/g, ' ').slice(0, 1_000)
    const known = messages.get(line)
    if (known && now() - known.printedAt < interval) {
      known.left++
      return
    }
    write(known && known.left > 0 ? `${line} (${known.left} more times since)` : line)
    messages.delete(line)
    messages.set(line, { printedAt: now(), left: 0 })
    const [oldest] = messages.keys()
    if (messages.size > messageLimit && oldest !== undefined) messages.delete(oldest)
  }
}

/** Returns what an error says, as one sentence without its stack. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Of several addresses tried, the last error tells enough.
  const { message, name, cause } = error instanceof AggregateError ? (error.errors.at(-1) as Error) : error
  const reason = cause instanceof Error ? `${message || name}: ${describeError(cause)}` : message || name
  return reason.replace(/\.$/, '')
}

/**
 * Makes the console print through a log, so that what libraries write there is also one line, redacted and at most once a
 * minute. Of an error the line has the place, not the whole stack.
 */
export function redirectConsole(log: Log): void {
  const print = (...values: unknown[]) => log(values.map(toText).join(' '))
  console.error = print
  console.warn = print
  console.info = print
}

function toText(value: unknown): string {
  if (!(value instanceof Error)) return String(value)
  const place = value.stack
    ?.split('\n')
    .find((line) => line.trimStart().startsWith('at '))
    ?.trim()
  return place === undefined ? describeError(value) : `${describeError(value)} (${place})`
}
