/**
 * `npm run accounts -- save FILE` and `npm run accounts -- restore FILE`: save and restore a backup of labels, alert
 * settings and used nonces. They use the database that `npm start` uses with the same settings.
 */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DirectoryInUseError } from '@lineage/embedded-database'
import { BackupError, restoreBackup, saveBackup } from '../apps/server/src/accounts/backup.ts'
import type { AccountsLocation } from '../apps/server/src/database/database.ts'
import { summarizeError } from '../apps/server/src/lib/log.ts'
import { createRedactor } from '../apps/server/src/settings/redact.ts'
import { SettingsError } from '../apps/server/src/settings/settings.ts'
import { dataDir } from './lib/dataDir.ts'
import { readStartSettings } from './lib/startSettings.ts'

const [command, file] = process.argv.slice(2)
const work = command === 'save' ? saveBackup : command === 'restore' ? restoreBackup : undefined
if (!work || file === undefined) {
  console.error(
    'Say what to do, and with which file: npm run accounts -- save FILE, or npm run accounts -- restore FILE.',
  )
  process.exit(2)
}
// Resolved before the folder changes, because a relative path refers to the caller's folder.
const path = resolve(process.env.INIT_CWD ?? '.', file)
process.chdir(join(import.meta.dirname, '..'))
if (existsSync('.env')) process.loadEnvFile('.env')

try {
  const settings = readStartSettings(process.env)
  const location = locate(settings)
  const { label, watch, webhook, feed, nonce } = await work(location, path).catch((error: unknown) => {
    if (error instanceof BackupError) throw error
    if (error instanceof DirectoryInUseError)
      throw new BackupError(`${error.message}. End the product, or use PostgreSQL, which is backed up while it runs.`)
    throw new BackupError(createRedactor(settings)(`The accounts' database failed: ${summarizeError(error)}.`))
  })
  const counts = `${label} labels, ${watch} watches, ${webhook} webhooks, ${feed} links of feeds and ${nonce} used nonces`
  console.log(`${counts} were ${command}d: ${path}`)
} catch (error) {
  if (!(error instanceof BackupError || error instanceof SettingsError)) throw error
  console.error(error.message)
  process.exit(1)
}

/** Returns the location where `npm start` keeps the accounts. */
function locate({ accounts, dataDir: base, port }: ReturnType<typeof readStartSettings>): AccountsLocation {
  if (accounts.kind === 'postgres' || accounts.directory !== null) return accounts
  return { kind: 'embedded', directory: dataDir(base, port).accounts }
}
