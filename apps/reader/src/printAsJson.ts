import { stripVTControlCharacters } from 'node:util'
import { parsePonderLine } from './ponderInternals.ts'

type Level = 'info' | 'warn' | 'error'

/** Prints all output of this process as lines of JSON on standard output, with the fields of the server's log. */
export function printAsJson(): void {
  // Ponder's own lines are parsed, so they must have no colours.
  process.env.NO_COLOR = '1'
  const write = process.stdout.write.bind(process.stdout) as (...parameters: unknown[]) => boolean
  const streams = [
    [process.stdout, 'info'],
    [process.stderr, 'error'],
  ] as const
  for (const [stream, level] of streams)
    stream.write = (chunk: unknown, ...rest: unknown[]) =>
      write(typeof chunk === 'string' ? toJsonLine(chunk, level) : chunk, ...rest)
}

/** Formats a text as a line of the server's log. Returns an empty text for an empty one. */
export function toJsonLine(text: string, level: Level, time = new Date()): string {
  const plain = stripVTControlCharacters(text).replaceAll(/\s+/g, ' ').trim()
  if (plain === '') return ''
  const line = parsePonderLine(plain) ?? { level, message: plain }
  return `${JSON.stringify({ time: time.toISOString(), level: line.level, message: line.message.slice(0, 1_000) })}\n`
}
