/**
 * Runs the embedded database in its own thread, one statement after the other, so that the main thread is not
 * blocked.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { createPgliteDirectory, createPgliteInMemory } from '@lineage/embedded-database'

export type WorkerData = { directory: string | null; isNew: boolean }
export type WorkerRequest = { id: number } & (
  | { kind: 'query'; text: string; values: readonly unknown[] }
  | { kind: 'run'; text: string }
  | { kind: 'close' }
)
export type WorkerReply = { id: number } & (
  | { status: 'done'; rows: Record<string, unknown>[] }
  | { status: 'failed'; message: string; code: string | undefined }
)

const { directory, isNew } = workerData as WorkerData
const opening = open()
// The first statement reports a failure to open.
opening.catch(() => undefined)

async function open(): Promise<PGlite> {
  if (directory === null) return createPgliteInMemory()
  if (isNew) await createPgliteDirectory(directory)
  return PGlite.create(directory)
}

async function answer(request: WorkerRequest): Promise<WorkerReply> {
  const { id } = request
  try {
    const database = await opening
    if (request.kind === 'query')
      return {
        id,
        status: 'done',
        rows: (await database.query<Record<string, unknown>>(request.text, [...request.values])).rows,
      }
    if (request.kind === 'run') {
      const results = await database.exec(request.text)
      return { id, status: 'done', rows: results.flatMap(({ rows }) => rows as Record<string, unknown>[]) }
    }
    await database.close()
    return { id, status: 'done', rows: [] }
  } catch (error) {
    const { message, code } = error as { message: string; code?: string }
    return { id, status: 'failed', message, code }
  }
}

parentPort?.on('message', (request: WorkerRequest) => {
  void answer(request).then((reply) => parentPort?.postMessage(reply))
})
