/**
 * Returns SQL that runs statements under a condition. `create index if not exists` and `alter table … add column if not
 * exists` lock the table before they look, and so wait for servers that load and readers that write;
 * `create schema if not exists` needs the right to create schemas, also for one that exists.
 */
export const runIf = (condition: string, statements: string): string =>
  `do $$ begin if ${condition} then ${statements} end if; end $$;`

/** Returns the SQL condition that a table has a column; with `required`, one that must not be null. */
export const hasColumn = (table: string, column: string, kind: 'any' | 'required' = 'any'): string =>
  `exists (select from pg_attribute where attrelid = to_regclass('${table}') and attname = '${column}'
    and not attisdropped${kind === 'required' ? ' and attnotnull' : ''})`

/** Returns SQL that creates a schema unless it exists. */
export const createMissingSchema = (name: string): string =>
  runIf(`to_regnamespace('${name}') is null`, `create schema ${name};`)

/** Returns SQL that creates an index of a table in the same schema unless it exists. Fails if another table has the name. */
export const createMissingIndex = (name: string, table: string, definition: string): string =>
  runIf(
    `not exists (select from pg_index where indrelid = to_regclass('${table}')
      and indexrelid = to_regclass('${table.replace(/[^.]+$/, name)}'))`,
    `create index ${name} on ${table} ${definition};`,
  )

/**
 * Returns SQL that adds a column to a table of an earlier version. Its default must be constant: another one rewrites the table,
 * which is then empty for transactions that have begun before, such as the polls of servers.
 *
 * @see https://www.postgresql.org/docs/current/mvcc-caveats.html
 */
export const addMissingColumn = (table: string, column: string, definition: string): string =>
  runIf(`not ${hasColumn(table, column)}`, `alter table ${table} add column ${column} ${definition};`)
