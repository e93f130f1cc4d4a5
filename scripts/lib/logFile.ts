import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

export type LogFileOptions = {
  /** Size at which a new file begins. */
  maxBytes?: number
  /** Number of earlier files to keep, as `server.log.1` and so on. */
  kept?: number
}

/**
 * Returns a function that appends lines to a file, which is kept over restarts and rotated. It writes synchronously,
 * so that nothing is lost when this process is killed. A line that cannot be written is dropped, and the next line is
 * tried again, whereas the streams of Node and of libraries stop when the disk is first full.
 */
export function openLogFile(file: string, { maxBytes = 10_000_000, kept = 4 }: LogFileOptions = {}) {
  mkdirSync(dirname(file), { recursive: true })
  let size = sizeOf(file)
  return (line: string): void => {
    try {
      const bytes = Buffer.from(`${line}\n`)
      if (size > 0 && size + bytes.length > maxBytes) {
        rotate(file, kept)
        size = 0
      }
      appendFileSync(file, bytes)
      size += bytes.length
    } catch {
      // A failure of the log must not end the program.
    }
  }
}

function rotate(file: string, kept: number): void {
  const nameOf = (index: number) => (index === 0 ? file : `${file}.${index}`)
  for (let index = kept; index > 0; index--)
    if (sizeOf(nameOf(index - 1)) > 0) renameSync(nameOf(index - 1), nameOf(index))
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0
