import type { AsOf } from '@lineage/referral-api'
import type { LiveLine } from '@lineage/referral-api/live'

export type FeedParameters = {
  /** Calls a listener with each line; the first lines at once. Returns a function that stops it. */
  subscribe: (listener: (line: LiveLine) => void) => () => void
  /** Moment of the index; `undefined` ends the stream. */
  asOf: () => AsOf | undefined
  /** Milliseconds between two signs of life. */
  every?: number
}

/** Largest number of bytes that wait for a reader. A slower server must load everything again. */
const waitingLimit = 64 * 1024 * 1024

/** Streams the feed of a community with one JSON value per line. Sends a sign of life every few seconds. */
export function streamFeed({ subscribe, asOf, every = 2_000 }: FeedParameters): ReadableStream<Uint8Array> {
  let state: 'open' | 'ended' = 'open'
  let stop = () => {}
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const end = () => {
          if (state === 'open') controller.close()
          state = 'ended'
          stop()
        }
        const send = (line: LiveLine) => {
          if (state === 'ended') return
          if (asOf() === undefined || (controller.desiredSize ?? 0) <= 0) end()
          else controller.enqueue(Buffer.from(`${JSON.stringify(line)}\n`))
        }
        const timer = setInterval(() => {
          const moment = asOf()
          if (moment) send({ type: 'beat', asOf: moment })
          else end()
        }, every)
        const unsubscribe = subscribe(send)
        stop = () => {
          clearInterval(timer)
          unsubscribe()
        }
        if (state === 'ended') stop()
      },
      cancel: () => stop(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: waitingLimit }),
  )
}
