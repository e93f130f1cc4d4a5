import type { ReferralApiError } from '@lineage/referral-api'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { type Failure, toFailure } from '../lookup/failure.ts'
import type { Left, Place } from './places.ts'

/** What has become of a file. `rows` are those of data, without the head. */
export type DownloadState =
  | { state: 'idle' }
  | { state: 'running'; rows: number }
  | { state: 'saved'; rows: number }
  | { state: 'cancelled'; left: Left }
  | { state: 'failed'; rows: number; why: Failure['kind'] | 'disk'; left: Left }

export type Download = {
  store: StoreApi<DownloadState>
  /** Begins anew, unless it runs already. */
  start: (choosePlace: () => Promise<Place | undefined>) => Promise<void>
  cancel: () => void
}

/** So often a page is told of progress, in milliseconds. */
const pace = 100
const lineFeed = 10

class PlaceError extends Error {}

/** A file that comes as a stream of lines, from the first byte to its place. It goes on while the person looks elsewhere. */
export function createDownload(open: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>): Download {
  const store = createStore<DownloadState>(() => ({ state: 'idle' }))
  const set = (state: DownloadState) => store.setState(state, true)
  let running: AbortController | undefined

  async function bring(place: Place, signal: AbortSignal, onRows: (rows: number) => void): Promise<void> {
    signal.throwIfAborted()
    const reader = (await open(signal)).getReader()
    let lines = 0
    for (;;) {
      const { done, value } = await reader.read()
      signal.throwIfAborted()
      if (done) break
      await place.write(value as Uint8Array<ArrayBuffer>).catch(() => {
        void reader.cancel().catch(() => undefined)
        throw new PlaceError()
      })
      for (let at = value.indexOf(lineFeed); at !== -1; at = value.indexOf(lineFeed, at + 1)) lines++
      onRows(Math.max(0, lines - 1))
    }
    signal.throwIfAborted()
    await place.finish().catch(() => {
      throw new PlaceError()
    })
  }

  return {
    store,
    async start(choosePlace) {
      if (running) return
      const run = new AbortController()
      running = run
      try {
        const place = await choosePlace().catch(() => null)
        if (place === undefined) return
        if (place === null) return set({ state: 'failed', rows: 0, why: 'disk', left: 'nothing' })
        addEventListener('beforeunload', askBeforeLeaving)
        set({ state: 'running', rows: 0 })
        let rows = 0
        let toldAt = performance.now()
        try {
          await bring(place, run.signal, (count) => {
            rows = count
            if (performance.now() - toldAt < pace) return
            toldAt = performance.now()
            set({ state: 'running', rows })
          })
          set({ state: 'saved', rows })
        } catch (error) {
          const left = await place.discard()
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

/** A stream that breaks off says nothing but that it did. */
function toReason(error: unknown): Failure['kind'] | 'disk' {
  if (error instanceof PlaceError) return 'disk'
  if (error instanceof Error && error.name === 'ReferralApiError') return toFailure(error as ReferralApiError).kind
  return navigator.onLine ? 'unreachable' : 'offline'
}
