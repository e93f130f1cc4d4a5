/** `node scripts/run.mjs accounts move FOLDER`: moves the accounts of an earlier version into `DATABASE_URL`. */
import { resolve } from 'node:path'
import { summarizeFault } from '../database/database.ts'
import { MoveError, moveAccounts } from './moveAccounts.ts'

const [command, folder] = process.argv.slice(2)
const url = process.env.DATABASE_URL
if (command !== 'move' || folder === undefined || !url) {
  console.error(
    'Name the folder, and set DATABASE_URL: DATABASE_URL=postgres://… node scripts/run.mjs accounts move FOLDER',
  )
  process.exit(2)
}
try {
  const { status, counts } = await moveAccounts(resolve(folder), url)
  const rows = Object.entries(counts).map(([table, count]) => `${count} ${table.replaceAll('_', ' ')}`)
  console.log(status === 'moved' ? `Moved: ${rows.join(', ')}.` : 'Accounts were moved before. Nothing was changed.')
} catch (error) {
  console.error(error instanceof MoveError ? error.message : `The database failed: ${summarizeFault(error)}.`)
  process.exit(1)
}
