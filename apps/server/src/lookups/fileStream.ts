import { setImmediate } from 'node:timers/promises'
import { createWorkMeter } from './createSlicer.ts'

export type Bytes = Uint8Array<ArrayBuffer>
/** A part of a file, and the milliseconds of the processor that it took. */
export type FilePart = { bytes: Bytes; work: number }

/** Writes rows in the format of a file. A part may be empty: some formats write many rows at once. */
export type FileFormat<row> = {
  begin(): Iterable<Bytes>
  add(rows: readonly row[]): Iterable<Bytes>
  end(): Iterable<Bytes>
}

/** `next`: the cursor of the next page; `undefined` after the last one. `work`: milliseconds of work that others did for it. */
type FilePage<row, cursor> = { rows: readonly row[]; next: cursor | undefined; work?: number | undefined }

export type FileParameters<row, cursor> = {
  format: FileFormat<row>
  /** Returns the page after a cursor, the first page without one. */
  readPage: (after: cursor | undefined) => FilePage<row, cursor> | Promise<FilePage<row, cursor>>
  /** Is called before each page, and returns its work in milliseconds. */
  prepare?: (() => Promise<number>) | undefined
  /** Is called once, when the file has been read, has failed, or its reader has gone. */
  release?: (() => void) | undefined
}

/** Streams a file page by page. An error aborts the stream, so that an incomplete file does not look complete. */
export function createFileStream<row, cursor>(parameters: FileParameters<row, cursor>): ReadableStream<FilePart> {
  let state: 'open' | 'ended' = 'open'
  const end = () => {
    if (state === 'open') parameters.release?.()
    state = 'ended'
  }
  const parts = readParts(parameters, () => state === 'ended')
  return new ReadableStream<FilePart>(
    {
      async pull(controller) {
        const part = await parts.next().catch((error: unknown) => {
          end()
          throw error
        })
        if (state === 'ended') return
        if (!part.done) return controller.enqueue(part.value)
        end()
        controller.close()
      },
      cancel: end,
    },
    // Compute nothing before it is read.
    { highWaterMark: 0 },
  )
}

async function* readParts<row, cursor>(
  { format, readPage, prepare }: FileParameters<row, cursor>,
  isEnded: () => boolean,
): AsyncGenerator<FilePart, void, undefined> {
  yield* encode(format.begin(), 0)
  let after: cursor | undefined
  do {
    // Let other requests run in between.
    await setImmediate()
    if (isEnded()) return
    const prepared = prepare ? await prepare() : 0
    if (isEnded()) return
    const meter = createWorkMeter()
    const { rows, next, work = 0 } = await meter.measure(() => readPage(after))
    if (isEnded()) return
    after = next
    yield* encode(format.add(rows), prepared + work + meter.work())
  } while (after !== undefined)
  yield* encode(format.end(), 0)
}

/** Encodes the parts of a page one by one. @param before The work of reading the page, which the first part has. */
function* encode(parts: Iterable<Bytes>, before: number): Generator<FilePart, void, undefined> {
  const iterator = parts[Symbol.iterator]()
  const meter = createWorkMeter()
  let counted = -before
  for (;;) {
    const { done, value } = meter.measure(() => iterator.next())
    const work = meter.work() - counted
    if (done && counted >= 0) return
    yield { bytes: done ? new Uint8Array(0) : value, work }
    if (done) return
    counted = meter.work()
  }
}

/** Reads the text of an answer to its end. */
export async function readText(body: Bytes | ReadableStream<FilePart>): Promise<string> {
  const parts: Uint8Array[] = body instanceof Uint8Array ? [body] : []
  if (!(body instanceof Uint8Array)) for await (const { bytes } of body) parts.push(bytes)
  return new TextDecoder().decode(Buffer.concat(parts))
}
