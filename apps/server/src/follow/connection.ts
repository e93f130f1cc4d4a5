import { prepareSession, types } from '@lineage/database'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'

/** Thrown when the database does not answer or refuses a statement, with its own error as `cause`. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

const fail = (cause: Error): never => {
  throw new ConnectionError(cause.message, { cause })
}

export type ConnectParameters = {
  url: string
  /** Milliseconds without an answer, or the next piece of one, after which the connection ends. */
  patience?: number
  /** Called for each notification of a channel that is listened to, and when the connection ends. */
  onNotice?: () => void
}

export type Connection = Awaited<ReturnType<typeof connect>>

/**
 * Opens one connection to PostgreSQL. It ends when the database is silent for too long, because a line that was cut
 * reports nothing.
 *
 * @throws {ConnectionError} as all statements do
 */
export async function connect({ url, patience = 5_000, onNotice }: ConnectParameters) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: patience, keepAlive: true, types })
  // The statement that is being answered rejects as well; without a listener an error would end the process.
  client.on('error', () => undefined)
  await client.connect().catch(fail)
  if (onNotice) client.on('notification', onNotice).on('end', onNotice)
  const close = () => void client.end().catch(() => undefined)

  async function waitFor<answer>(answering: Promise<answer>): Promise<answer> {
    let timer: NodeJS.Timeout | undefined
    const silent = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new Error('query read timeout'))
        close()
      }, patience)
    })
    try {
      return await Promise.race([answering, silent]).catch(fail)
    } finally {
      clearTimeout(timer)
    }
  }

  await waitFor(prepareSession(client)).catch((error) => {
    close()
    throw error
  })
  return {
    close,
    query: async <row extends object>(text: string, values?: unknown[]) =>
      (await waitFor(client.query<row>(text, values))).rows,
    /** Reads the output of a COPY statement piece by piece. */
    async *copy(text: string) {
      const pieces = client.query(copyTo(text))[Symbol.asyncIterator]()
      for (;;) {
        const { done, value } = await waitFor<IteratorResult<Buffer, unknown>>(pieces.next())
        if (done) return
        yield value
      }
    },
  }
}
