import type { AccountsLocation, Database } from './database.ts'
import { openEmbedded } from './openEmbedded.ts'
import { openPostgres } from './openPostgres.ts'

export function openDatabase(location: AccountsLocation): Promise<Database> {
  return location.kind === 'postgres' ? openPostgres(location.url) : openEmbedded(location.directory)
}
