import { downloadCsv } from '../../lib/download.ts'

/** What is left behind of a file that was given up. */
export type Left = 'nothing' | 'emptyFile'

/** Where a file is put, piece by piece. It is there when it is finished, and not before. */
export type Place = {
  write: (piece: Uint8Array<ArrayBuffer>) => Promise<void>
  finish: () => Promise<void>
  discard: () => Promise<Left>
}

/** Whether a file can be written while it comes; otherwise it has to be kept in memory until it is whole. */
export const canWriteFiles = () => 'showSaveFilePicker' in window

/**
 * Asks the person for a file, where the browser can; otherwise the file goes to the downloads. Call it from a click.
 *
 * @returns `undefined` when the person thought better of it
 */
export async function choosePlace(name: string): Promise<Place | undefined> {
  try {
    const handle = await window.showSaveFilePicker?.({
      suggestedName: name,
      types: [{ accept: { 'text/csv': ['.csv'] } }],
    })
    return handle ? await fileAt(handle) : inMemory(name)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined
    // A page within another one, as in a wallet, has no right to ask for files.
    return inMemory(name)
  }
}

/** Browsers write beside the file and put that in its place at the end. */
async function fileAt(handle: FileSystemFileHandle): Promise<Place> {
  const file = await handle.createWritable()
  return {
    write: (piece) => file.write(piece),
    finish: () => file.close(),
    async discard() {
      await file.abort().catch(() => undefined)
      // Naming the file has made it, with nothing in it.
      return handle.remove ? handle.remove().then(() => 'nothing', leaveEmpty) : leaveEmpty()
    },
  }
}

const leaveEmpty = (): Left => 'emptyFile'

/** As many bytes at a time are handed to the browser, which may put them on disk. */
const portion = 4_000_000

function inMemory(name: string): Place {
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
