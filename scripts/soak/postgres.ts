/** `node postgres.ts FOLDER PORT`: runs PostgreSQL for any host, and prints its URL when it accepts connections. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '@lineage/database/embedded'

const [directory = '', port] = process.argv.slice(2)
const rules = join(directory, 'rules.conf')
mkdirSync(directory, { recursive: true })
writeFileSync(rules, 'host all all all scram-sha-256\n')
const settings = { listen_addresses: '0.0.0.0', hba_file: rules, max_connections: '200' }
const { url, ended } = await startPostgres({ directory, port: Number(port), settings, log: () => undefined })
console.log(url)
await ended
process.exit(1)
