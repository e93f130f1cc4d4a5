import type { ReferralApiError } from '@lineage/referral-api'
import { createStore } from 'zustand/vanilla'
import { downloadCsv } from '../../lib/downloadFile.ts'
import { type Failure, toFailure } from '../lookup/failure.ts'

/** State of a CSV download. `rows` excludes the header. */
export type CsvDownloadState =
  | { state: 'idle' }
  | { state: 'running'; rows: number }
  | { state: 'saved'; rows: number }
  | { state: 'cancelled'; left: LeftBehind }
  | { state: 'failed'; rows: number; why: Failure['kind'] | 'disk'; left: LeftBehind }

/** Milliseconds between progress updates. */
const pace = 100
const lineFeed = 10

class CsvFileError extends Error {}

export type CsvDownload = ReturnType<typeof createCsvDownload>

/** Creates a download that writes a stream of CSV lines to a file. It continues while the user visits other pages. */
export function createCsvDownload(open: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>) {
  const store = createStore<CsvDownloadState>(() => ({ state: 'idle' }))
  const set = (state: CsvDownloadState) => store.setState(state, true)
  let running: AbortController | undefined

  async function streamInto(file: CsvFile, signal: AbortSignal, onRows: (rows: number) => void): Promise<void> {
    signal.throwIfAborted()
    const reader = (await open(signal)).getReader()
    let lines = 0
    for (;;) {
      const { done, value } = await reader.read()
      signal.throwIfAborted()
      if (done) break
      await file.write(value as Uint8Array<ArrayBuffer>).catch(() => {
        void reader.cancel().catch(() => undefined)
        throw new CsvFileError()
      })
      for (let at = value.indexOf(lineFeed); at !== -1; at = value.indexOf(lineFeed, at + 1)) lines++
      onRows(Math.max(0, lines - 1))
    }
    signal.throwIfAborted()
    await file.finish().catch(() => {
      throw new CsvFileError()
    })
  }

  return {
    store,
    /** Starts a download, unless one is running. */
    async start(openCsvFile: () => Promise<CsvFile | undefined>) {
      if (running) return
      const run = new AbortController()
      running = run
      try {
        const file = await openCsvFile().catch(() => null)
        if (file === undefined) return
        if (file === null) return set({ state: 'failed', rows: 0, why: 'disk', left: 'nothing' })
        addEventListener('beforeunload', askBeforeLeaving)
        set({ state: 'running', rows: 0 })
        let rows = 0
        let toldAt = performance.now()
        try {
          await streamInto(file, run.signal, (count) => {
            rows = count
            if (performance.now() - toldAt < pace) return
            toldAt = performance.now()
            set({ state: 'running', rows })
          })
          set({ state: 'saved', rows })
        } catch (error) {
          const left = await file.discard()
          if (run.signal.aborted) set({ state: 'cancelled', left })
          else set({ state: 'failed', rows, why: toReason(error), left })
        }
      } finally {
        running = undefined
        removeEventListener('beforeunload', askBeforeLeaving)
      }
    },
    cancel: () => running?.abort(),
  }
}

const askBeforeLeaving = (event: Event) => event.preventDefault()

/** Returns the reason of a failure. The error of a broken stream has no details. */
function toReason(error: unknown): Failure['kind'] | 'disk' {
  if (error instanceof CsvFileError) return 'disk'
  if (error instanceof Error && error.name === 'ReferralApiError') return toFailure(error as ReferralApiError).kind
  return navigator.onLine ? 'unreachable' : 'offline'
}

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
