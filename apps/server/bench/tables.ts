import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventKinds, eventTable } from '../eventTables.ts'
import { createPrivateTables, encodeCheckpoint } from '../ponderInternals.ts'
import type { Database } from '../test/databases.ts'
import { blockOf, rowsOf, timeOf } from './community.ts'

const position = `community text not null, block int8 not null, log_index int not null, block_hash text not null,
  timestamp int8 not null, tx text not null, member text not null`
const key = 'primary key (block, log_index, community)'

type Size = { members: number; communities: number }

/** Creates and fills the tables like Ponder, and a table of the first community's members for the recursive SQL. */
export async function fillTables({ query }: Database, { members, communities }: Size): Promise<void> {
  await query(`create unlogged table bind_event (${position}, referrer text not null)`)
  await query(`create unlogged table volume_event (${position}, amount numeric(78) not null)`)
  await query(`create unlogged table reward_event (${position}, amount numeric(78) not null, source text)`)
  const folder = await mkdtemp(join(tmpdir(), 'lineage-rows-'))
  try {
    await chmod(folder, 0o755)
    const files = { bind_event: join(folder, 'bind'), volume_event: join(folder, 'volume') }
    await writeRows(files, { members, communities })
    for (const [table, file] of Object.entries(files)) await query(`copy ${table} from '${file}' (format csv)`)
  } finally {
    await rm(folder, { recursive: true })
  }
  for (const table of eventKinds.map(eventTable)) await query(`alter table ${table} add ${key}`)
  await query('create index on bind_event (community, block, log_index)')
  await query('create index on bind_event (community, referrer, block, log_index)')
  for (const table of eventKinds.map(eventTable))
    await query(`create index on ${table} (community, member, block, log_index)`)
  for (const statement of createPrivateTables(checkpointAt(blockOf(members - 1), members))) await query(statement)
  await query(`create unlogged table member as
    select member as address, referrer, block, log_index, timestamp, coalesce(brought.amount, 0) as volume
    from bind_event
    left join (select member, sum(amount) as amount from volume_event where community = 'demo' group by member) brought using (member)
    where community = 'demo'`)
  await query('alter table member add primary key (address)')
  await query('create index on member (referrer)')
  await query('vacuum analyze')
}

/** Returns Ponder's checkpoint at the end of a block. */
export const checkpointAt = (block: number, members: number): string =>
  encodeCheckpoint({ block, timestamp: timeOf(block * 4, members) })

async function writeRows(
  files: Record<'bind_event' | 'volume_event', string>,
  { members, communities }: Size,
): Promise<void> {
  const write = (file: string) => ({ stream: createWriteStream(file, { mode: 0o644 }), lines: [] as string[] })
  const open = { bind_event: write(files.bind_event), volume_event: write(files.volume_event) }
  const flush = async ({ stream, lines }: (typeof open)['bind_event']) => {
    if (!stream.write(lines.splice(0).join(''))) await once(stream, 'drain')
  }
  for (let community = 0; community < communities; community++)
    for (const { table, line } of rowsOf(members, community)) {
      const { lines } = open[table]
      if (lines.push(line) === 4_000) await flush(open[table])
    }
  for (const one of Object.values(open)) {
    await flush(one)
    one.stream.end()
    await once(one.stream, 'finish')
  }
}
