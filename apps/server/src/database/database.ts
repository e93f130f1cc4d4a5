export type Row = Record<string, unknown>

/** Runs one statement, with its values as `$1`, `$2`, and returns the rows. */
export type Query = (text: string, values: readonly (string | number | boolean)[]) => Promise<Row[]>

/** A PostgreSQL database, either a server or embedded. */
export type Database = {
  query: Query
  /** Runs the statements of `work` as one transaction, rolled back when `work` throws. */
  transaction: (work: (query: Query) => Promise<void>) => Promise<void>
  /** Runs several statements without values. */
  run: (text: string) => Promise<void>
  /** Runs one statement with values, or several without, for a library that makes its own, and returns the rows of all. */
  execute: (text: string, values?: unknown[]) => Promise<Row[]>
  /** Removes the deleted rows of a table from the files. Does nothing on a server, whose files are the operator's. */
  erase: (table: string) => Promise<void>
  /** Returns whether the database still answers. One that does not must be opened again. */
  isOpen: () => boolean
  close: () => Promise<void>
}

export type AccountsLocation =
  /** `null` keeps the database in memory. */
  { kind: 'embedded'; directory: string | null } | { kind: 'postgres'; url: string }

/** A database for the jobs of a library, which makes its own statements. */
export type JobDatabase = Pick<Database, 'execute'> & { kind: AccountsLocation['kind'] }
