/** `keepPostgres.ts FOLDER`: starts PostgreSQL, prints its URL or why it does not start, and keeps it running. */
import { startPostgres } from '../src/embedded/startPostgres.ts'

const [directory = ''] = process.argv.slice(2)
try {
  const { url } = await startPostgres({ directory, settings: { fsync: 'off' }, log: () => undefined })
  console.log(url)
  setInterval(() => undefined, 60_000)
} catch (error) {
  console.log((error as Error).message)
}
