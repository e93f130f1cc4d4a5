import { indexSchema } from '@lineage/database'
import type { Cluster } from './startCluster.ts'

export type Write = {
  tx: string
  of: 'source' | 'event'
  source: number
  writer: string | null
  block: number | null
  /** Sum of the counters of reorganisations and rebuilds. */
  changes: number | null
  client: string | null
}

const client = `coalesce(host(inet_client_addr()), 'local')`

/**
 * Records each write of the index in the order in which PostgreSQL did it. Rows of `source` are locked by a write, so
 * that writers of one source come one after the other.
 */
export async function watchWriters({ pool }: Pick<Cluster, 'pool'>) {
  await pool.query(`
    create schema soak;
    create table soak.write (
      id bigint generated always as identity, tx text, of text, source int, writer text, block bigint, changes bigint, client text
    );
    create function soak.record_source() returns trigger language plpgsql security definer as $$ begin
      insert into soak.write (tx, of, source, writer, block, changes, client)
        values (txid_current()::text, 'source', new.id, new.writer::text, new.block, new.reorgs + new.rebuilds, ${client});
      return null;
    end $$;
    create function soak.record_event() returns trigger language plpgsql security definer as $$ begin
      insert into soak.write (tx, of, source, client) values (txid_current()::text, 'event', coalesce(new.source, old.source), ${client});
      return null;
    end $$;
    create trigger soak after update on ${indexSchema}.source for each row execute function soak.record_source();
    create trigger soak after insert or update or delete on ${indexSchema}.event for each row execute function soak.record_event();
  `)
  return {
    /** Returns the number of writers, and writes that no single writer could have made. */
    async compare(): Promise<{ writers: number; wrong: string[] }> {
      const { rows } = await pool.query<Write>('select * from soak.write order by id')
      return { writers: new Set(rows.flatMap(({ writer }) => writer ?? [])).size, wrong: findTwoWriters(rows) }
    },
  }
}

/** Returns what no single writer could have done, from writes in the order in which PostgreSQL did them. */
export function findTwoWriters(writes: readonly Write[]): string[] {
  const wrong: string[] = []
  const newest = new Map<number, Write>()
  const former = new Set<string>()
  const clients = new Map<string, string | null>()
  const checked = new Set(writes.filter(({ of }) => of === 'source').map(({ tx, source }) => `${tx} ${source}`))
  for (const write of writes) {
    const { tx, of, source, writer, block, changes, client } = write
    if (of === 'event') {
      if (!checked.has(`${tx} ${source}`))
        wrong.push(`transaction ${tx} wrote events of source ${source} without its row`)
      continue
    }
    const last = newest.get(source)
    if (last?.writer && last.writer !== writer) former.add(`${source} ${last.writer}`)
    if (former.has(`${source} ${writer}`))
      wrong.push(`transaction ${tx}: ${writer} wrote after another writer had taken over`)
    if (Number(block) < Number(last?.block) && changes === last?.changes)
      wrong.push(`transaction ${tx}: block ${block} after ${last?.block}`)
    if (writer && clients.has(writer) && clients.get(writer) !== client)
      wrong.push(`transaction ${tx}: ${writer} wrote from ${client}`)
    if (writer) clients.set(writer, client)
    newest.set(source, write)
  }
  return wrong
}
