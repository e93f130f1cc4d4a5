import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sourceIdentity } from '@lineage/communities'
import { changeChannel, createIndexTables, indexSchema } from '@lineage/database'
import type pg from 'pg'
import { timeOf } from '../../../packages/forest/bench/community.ts'
import { goodReport } from '../src/follow/test/tables.ts'
import { blockOf, columns, createCommunities, hashOf, rowsOf, toBytes } from './community.ts'

type Size = { members: number; communities: number; sql: 'compare' | 'skip' }

/** Creates and fills the tables like a reader, and the table for the recursive SQL that is compared. */
export async function fillTables(pool: pg.Pool, { members, communities, sql }: Size): Promise<void> {
  await createIndexTables(pool)
  await pool.query(`insert into ${indexSchema}.reader (id, report) values (gen_random_uuid(), $1)`, [goodReport])
  const block = blockOf(members - 1)
  for (const [number, community] of createCommunities(communities).entries()) {
    const { rows } = await pool.query<{ id: number }>(
      `insert into ${indexSchema}.source (community, identity, start_block, state, block, block_time, finalized, checked)
      values ($1, $2, 1, 'live', $3, $4, $5, true) returning id`,
      [community.id, sourceIdentity(community), block, timeOf(block * 4, members), Math.max(block - 30, 0)],
    )
    await fillSource(pool, { members, number, source: rows[0]?.id ?? 0 })
  }
  if (sql === 'compare') await createMemberTable(pool)
  await pool.query('vacuum analyze')
}

/** Creates the table of the first community's members. */
async function createMemberTable(pool: pg.Pool): Promise<void> {
  await pool.query(`create unlogged table member as
    select '0x' || encode(bind.member, 'hex') as address, '0x' || encode(other, 'hex') as referrer, block, log_index,
      time as timestamp, coalesce(brought.amount, 0) as volume
    from ${indexSchema}.event bind
    left join (
      select member, sum(amount) as amount from ${indexSchema}.event where source = 1 and kind = 2 group by member
    ) brought using (member)
    where source = 1 and kind = 0`)
  await pool.query('alter table member add primary key (address)')
  await pool.query('create index on member (referrer)')
}

type Filled = { members: number; number: number; source: number }

/** Fills the partition of a source before it gets its indexes, which is several times faster. */
async function fillSource(pool: pg.Pool, { members, number, source }: Filled): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lineage-rows-'))
  const table = `${indexSchema}.event_${source}`
  try {
    await chmod(folder, 0o755)
    const file = join(folder, 'event')
    await writeLines(file, rowsOf(members, number, source))
    await pool.query(`create table ${table} (like ${indexSchema}.event)`)
    await pool.query(`copy ${table} (${columns}) from '${file}' (format csv)`)
  } finally {
    await rm(folder, { recursive: true })
  }
  await pool.query(`alter table ${table} add check (source = ${source})`)
  await pool.query(`alter table ${indexSchema}.event attach partition ${table} for values in (${source})`)
}

async function writeLines(file: string, lines: Iterable<string>): Promise<void> {
  const stream = createWriteStream(file, { mode: 0o644 })
  const waiting: string[] = []
  for (const line of lines)
    if (waiting.push(line) === 4_000 && !stream.write(waiting.splice(0).join(''))) await once(stream, 'drain')
  stream.end(waiting.join(''))
  await once(stream, 'finish')
}

/** Binds addresses to a referrer of the first community in a new block, in one step like a reader's. */
export async function addMembers(
  pool: pg.Pool,
  {
    addresses,
    referrer,
    block,
    members,
  }: { addresses: readonly string[]; referrer: string; block: number; members: number },
): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(
      `insert into ${indexSchema}.event (source, block, log_index, kind, time, block_hash, tx, tx_index, member, other)
      select 1, $1::int8, number, 0, $2::int8, $3::text::bytea, $3::text::bytea, 0, address::bytea, $4::text::bytea
      from unnest($5::text[]) with ordinality added (address, number)`,
      [block, timeOf(block * 4, members), hashOf(block), toBytes(referrer), addresses.map(toBytes)],
    )
    await client.query(
      `update ${indexSchema}.source set block = $1::int8, block_time = $2, finalized = $1::int8 - 30 where id = 1`,
      [block, timeOf(block * 4, members)],
    )
    await client.query(`notify ${changeChannel}`)
    await client.query('commit')
  } finally {
    client.release()
  }
}
