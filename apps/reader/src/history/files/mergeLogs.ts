import { HistoryFileError } from './HistoryFileError.ts'
import type { FileLog, LogFile } from './openLogFile.ts'

/**
 * Reads the logs of several files in chain order, each log once, starting at a block. Some logs of earlier blocks may
 * come first.
 *
 * @throws {HistoryFileError} where two rows contradict each other
 */
export async function* mergeLogs(files: readonly LogFile[], fromBlock: number): AsyncGenerator<FileLog> {
  const waiting = files.toSorted((left, right) => left.first - right.first)
  const open: { next: FileLog; rest: AsyncGenerator<FileLog> }[] = []
  let last: FileLog | undefined
  try {
    for (;;) {
      while (waiting[0] && (open[0]?.next.number ?? Number.POSITIVE_INFINITY) >= waiting[0].first)
        await insert(open, (waiting.shift() as LogFile).logs(fromBlock))
      const earliest = open.shift()
      if (!earliest) return
      const { next, rest } = earliest
      if (!isRepeated(next, last)) yield next
      last = next
      await insert(open, rest)
    }
  } finally {
    for (const { rest } of open) await rest.return(undefined)
  }
}

/** Inserts a file in the order of its next log. Drops a file without further logs. */
async function insert(open: { next: FileLog; rest: AsyncGenerator<FileLog> }[], rest: AsyncGenerator<FileLog>) {
  const { value: next, done } = await rest.next()
  if (done || !next) return
  const at = open.findIndex((other) => isAfter(other.next, next))
  open.splice(at < 0 ? open.length : at, 0, { next, rest })
}

const isAfter = (left: FileLog, right: FileLog) =>
  left.number > right.number || (left.number === right.number && left.index > right.index)

/** Returns whether a log repeats the one before it, which happens where two files overlap. */
function isRepeated({ log, block, number, index, place }: FileLog, last: FileLog | undefined): boolean {
  if (last?.number !== number) return false
  if (last.block.hash !== block.hash || last.block.timestamp !== block.timestamp)
    throw new HistoryFileError(`${place} contradicts ${last.place}: block ${number} has another hash or time.`)
  if (last.index !== index) return false
  if (JSON.stringify(last.log) !== JSON.stringify(log))
    throw new HistoryFileError(`${place} contradicts ${last.place}: log ${index} of block ${number} is another one.`)
  return true
}
