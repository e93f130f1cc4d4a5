import { sql } from 'ponder'
import type { Position } from './position.ts'

export type SQL = ReturnType<typeof sql>
/** Runs a query on the tables. */
export type Run = <row>(query: SQL) => Promise<row[]>

export const unionAll = sql` union all `

export const tuple = ({ block, logIndex }: Position): SQL => sql`(${block}::int8, ${logIndex}::int)`
