import { downloadCsv } from '../../lib/downloadCsv.ts'

/** Remains of a discarded file on disk. */
export type LeftBehind = 'nothing' | 'emptyFile'

/** A file that is written in pieces. It appears only after `finish`. */
export type CsvFile = {
  write: (piece: Uint8Array<ArrayBuffer>) => Promise<void>
  finish: () => Promise<void>
  discard: () => Promise<LeftBehind>
}

/** Returns whether the browser can write to disk while downloading; otherwise the file is kept in memory. */
export const canWriteFiles = () => 'showSaveFilePicker' in window

/**
 * Opens the file picker, or collects the file in memory for the downloads folder. Call it from a click handler.
 *
 * @returns `undefined` when the picker was cancelled
 */
export async function openCsvFile(name: string): Promise<CsvFile | undefined> {
  try {
    const handle = await window.showSaveFilePicker?.({
      suggestedName: name,
      types: [{ accept: { 'text/csv': ['.csv'] } }],
    })
    return handle ? await createDiskFile(handle) : createMemoryFile(name)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined
    // Pages in a frame, such as in a wallet, may not open the picker.
    return createMemoryFile(name)
  }
}

/** Creates a file on disk. Browsers write to a temporary file and replace the chosen one on close. */
async function createDiskFile(handle: FileSystemFileHandle): Promise<CsvFile> {
  const file = await handle.createWritable()
  return {
    write: (piece) => file.write(piece),
    finish: () => file.close(),
    async discard() {
      await file.abort().catch(() => undefined)
      // The picker has already created an empty file.
      return handle.remove ? handle.remove().then(() => 'nothing', leaveEmpty) : leaveEmpty()
    },
  }
}

const leaveEmpty = (): LeftBehind => 'emptyFile'

/** Number of bytes that are collected before they become a Blob, which browsers may keep on disk. */
const portion = 4_000_000

function createMemoryFile(name: string): CsvFile {
  let parts: Blob[] = []
  let pieces: Uint8Array<ArrayBuffer>[] = []
  let waiting = 0
  return {
    async write(piece) {
      pieces.push(piece)
      waiting += piece.length
      if (waiting < portion) return
      parts.push(new Blob(pieces))
      pieces = []
      waiting = 0
    },
    async finish() {
      downloadCsv(name, ...parts, ...pieces)
    },
    async discard() {
      parts = []
      pieces = []
      return 'nothing'
    },
  }
}
