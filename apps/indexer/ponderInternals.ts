import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { numberToHex } from 'viem'
import type { HistoryBlock, HistoryLog } from './history/HistorySource.ts'

/**
 * Version of Ponder whose insides this file knows: SQL texts and row parsers for its private tables, and the limits and
 * texts of its program.
 *
 * Read in these sources of the version below: `database/index.ts` (tables, lock, names of connections),
 * `database/queryBuilder.ts` (transactions), `database/actions.ts` (triggers, reverts, finality), `utils/checkpoint.ts`
 * (digits), `sync-store/schema.ts` (blocks, transactions, logs), `internal/logger.ts` (lines), `utils/port.ts`,
 * `utils/finality.ts`, `utils/chains.ts`, `sync-realtime/index.ts` (gaps), `getLogsRetryHelper` of `@ponder/utils`
 * (ranges of logs). A test fails while another version is installed, and lists the files to compare.
 *
 * A checkpoint table of our own cannot replace `_ponder_checkpoint`: handlers run only for events, so it would not
 * advance in blocks without one, and a block source would read every block since `startBlock`.
 */
export const ponderVersion = '0.16.10'

/**
 * Keeps Ponder from writing declaration files beside the sources: they are part of the repository, and the folder may
 * be read-only.
 */
export function keepSourcesUnwritten(): void {
  const write = fs.writeFileSync
  fs.writeFileSync = (file, ...rest) => {
    if (basename(String(file)) !== 'ponder-env.d.ts') write(file, ...rest)
  }
  syncBuiltinESMExports()
}

/** Number of blocks after which Ponder takes a block of this chain for final. */
export const finality = 30

/** Largest number of blocks that Ponder requests at once when it missed some. */
export const maxGap = 50

/**
 * Returns the text of an error that makes Ponder request a narrower range of logs: the given number of blocks, or half
 * as many after the second error.
 */
export const wideRangeMessage = (fromBlock: number, maxBlocks: number | undefined): string =>
  maxBlocks === undefined
    ? 'block range too large'
    : `this block range should work: [${numberToHex(fromBlock)}, ${numberToHex(fromBlock + maxBlocks - 1)}]`

/** Calls `onTaken` when Ponder finds its port taken. Ponder would listen on the next one, and requests would reach the other program. */
export function watchPort(onTaken: () => void): void {
  const log = console.log.bind(console)
  console.log = (...parameters: unknown[]) => {
    log(...parameters)
    const line = parsePonderLine(stripVTControlCharacters(String(parameters[0])))
    if (line?.message.startsWith('Port in use')) onTaken()
  }
}

/**
 * Splits a line of Ponder's log into its level and the rest, which begins with the time. Returns `undefined` for any
 * other line.
 */
export function parsePonderLine(line: string): { level: 'info' | 'warn' | 'error'; message: string } | undefined {
  const found = /^[\d:.,]+ (ERROR|WARN|INFO|DEBUG|TRACE) +(.+)$/s.exec(line)
  if (!found) return undefined
  const [, level, message = ''] = found
  return { level: level === 'ERROR' ? 'error' : level === 'WARN' ? 'warn' : 'info', message }
}

/** Newest block in the tables. */
export type Checkpoint = {
  block: number
  timestamp: number
  finalizedBlock: number
  /** State of the historical sync up to the block that was final at the start. Newer blocks follow one by one. */
  backfill: 'running' | 'complete'
}

/** A row of `ponderProgress`. */
export type ProgressRow = {
  is_ready: number
  latest: string | null
  finalized: string | null
  /** Transaction that wrote the checkpoint. */
  written_by: string | null
}

/** Digits of a checkpoint in order: `[position of the first digit, length]`, counted from 1 as in SQL. */
const digits = {
  timestamp: [1, 10],
  chain: [11, 16],
  block: [27, 16],
  transaction: [43, 16],
  type: [59, 1],
  log: [60, 16],
}

const digitsIn = (checkpoint: string, [first, length]: number[]) => `substr(${checkpoint}, ${first}, ${length})`

function readDigits(checkpoint: string, [first = 1, length = 0]: number[]): number {
  return Number(checkpoint.slice(first - 1, first - 1 + length))
}

/** Schema in which Ponder caches the nodes' responses, for all indexes of a chain id. */
export const syncSchema = 'ponder_sync'

/** Returns SQL that ends the connections with which another process writes to the tables of a schema. */
export const endWriters = (schema: string): string =>
  `select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = '${schema}_user' and datname = current_database() and usename = current_user`

/** SQL expression that is true while another process reads the tables of a schema. */
export const hasReaders = (schema: string): string =>
  `exists (select from pg_stat_activity where application_name in ('${schema}_readonly', '${schema}_internal')
      and datname = current_database())`

/**
 * Returns SQL that releases Ponder's lock, for which Ponder would wait 25 seconds. The lock is a row in a table: a
 * process that was killed leaves it behind, and a process that is refused removes it from its holder. Our own locks
 * exclude other writers.
 */
export const releaseLock = (schema: string): string =>
  `update "${schema}"._ponder_meta set value = jsonb_set(value, '{is_locked}', '0')`

/**
 * Returns SQL that selects as `is_unfinished` whether the creation of a schema's tables was interrupted. Ponder inserts
 * the row `app` last, uses no transaction in an embedded database, and does not start on tables without that row.
 */
export const selectIsUnfinished = (schema: string): string =>
  `select not exists (select from "${schema}"._ponder_meta where key = 'app') as is_unfinished`

/**
 * Returns SQL that selects the last final block as `block`. Ponder refuses to start on a chain whose head is below
 * it.
 */
export const selectFinalizedBlock = (schema: string): string =>
  `select ${digitsIn('finalized_checkpoint', digits.block)}::float8 as block from "${schema}"._ponder_checkpoint where chain_id = 56`

/** Returns SQL that selects the newest block of the tables as `block`. */
export const selectLatestBlock = (schema: string): string =>
  `select ${digitsIn('latest_checkpoint', digits.block)}::float8 as block from "${schema}"._ponder_checkpoint where chain_id = 56`

/** Returns the table in which Ponder records how to revert each row that is not final. */
export const reorgTable = (table: string): string => `_reorg__${table}`

/**
 * Returns SQL that deletes the rows after the checkpoint from which Ponder will read again.
 *
 * Ponder reverts rows by its records, and cannot start if a row has no record. Handlers only insert, so deleting the
 * rows after the checkpoint reverts everything.
 */
export function deleteUnsafeRows(schema: string, tables: readonly string[]): string[] {
  const { block, type, log } = digits
  const logIndex = `least(${digitsIn('safe_checkpoint', log)}::numeric, 2147483647)::int`
  const safe = `select ${digitsIn('safe_checkpoint', block)}::int8,
    case when ${digitsIn('safe_checkpoint', type)} = '0' then -1 else ${logIndex} end
    from "${schema}"._ponder_checkpoint where chain_id = 56`
  return tables.flatMap((table) => [
    // Ponder's triggers write to a temporary table of Ponder's own connections. Ponder creates the triggers again at
    // start.
    `alter table "${schema}".${table} disable trigger user`,
    `delete from "${schema}".${table} where (block, log_index) > (${safe})`,
    `delete from "${schema}"."${reorgTable(table)}"`,
  ])
}

/** Subquery with one `ProgressRow`. */
export const ponderProgress = `(
  select (meta.value->>'is_ready')::int as is_ready, checkpoint.latest_checkpoint as latest,
    checkpoint.finalized_checkpoint as finalized, checkpoint.xmin::text as written_by
  from _ponder_meta meta left join _ponder_checkpoint checkpoint on true
)`

/**
 * Parses a checkpoint. Returns `undefined` if it is not of this run.
 *
 * At start Ponder reverts the rows that are not final, but keeps the checkpoint of its last run until the first block
 * of this run. That checkpoint is ignored, or the first answers would lack the reverted rows.
 *
 * @param before `written_by` at start
 */
export function readCheckpoint(row: ProgressRow | undefined, before: string | null): Checkpoint | undefined {
  if (!row?.latest || !row.finalized) return undefined
  if (row.written_by === before && row.latest !== row.finalized) return undefined
  return {
    block: readDigits(row.latest, digits.block),
    timestamp: readDigits(row.latest, digits.timestamp),
    finalizedBlock: readDigits(row.finalized, digits.block),
    backfill: row.is_ready === 1 ? 'complete' : 'running',
  }
}

/**
 * Subquery of all logs that Ponder has fetched, including those that could not be decoded. Addresses are in lower
 * case.
 */
export const ponderLogs = `(
  select address, topic0, num_nonnulls(topic0, topic1, topic2, topic3) as topics, (length(data) - 2) / 2 as bytes
  from ${syncSchema}.logs where chain_id = 56
)`

/** Columns of each table of responses: the given ones with their types, and constant values for the others. */
const syncColumns = {
  blocks: {
    given: { number: 'int8', timestamp: 'int8', hash: 'text' },
    rest: {
      ...{
        parent_hash: "'0x'",
        logs_bloom: "'0x'",
        miner: "'0x'",
        gas_used: '0',
        gas_limit: '0',
        size: '0',
        difficulty: '0',
      },
      ...{ state_root: "'0x'", receipts_root: "'0x'", transactions_root: "'0x'", extra_data: "'0x'" },
    },
  },
  transactions: {
    given: { block_number: 'int8', transaction_index: 'int4', hash: 'text', block_hash: 'text' },
    rest: { '"from"': "'0x'", input: "'0x'", value: '0', nonce: '0', type: "'0x0'", gas: '0', gas_price: '0' },
  },
  logs: {
    given: {
      ...{ block_number: 'int8', log_index: 'int4', transaction_index: 'int4', block_hash: 'text' },
      ...{ transaction_hash: 'text', address: 'text', topic0: 'text', topic1: 'text', topic2: 'text', topic3: 'text' },
      data: 'text',
    },
    rest: {},
  },
}

export type SyncTable = keyof typeof syncColumns
/** Rows as lists of values, in the order of `syncColumns`. */
export type SyncRows = Record<SyncTable, (string | number | null)[][]>

/**
 * Returns the rows of logs and of their blocks. Handlers need the time of a block and the hash of a transaction;
 * columns that need a complete block or transaction get constant values.
 */
export function toSyncRows(logs: readonly HistoryLog[], blocks: readonly HistoryBlock[]): SyncRows {
  const numbers = new Set(logs.map(({ blockNumber }) => Number(blockNumber)))
  const transactions = new Map(
    logs.map(({ blockNumber, blockHash, transactionIndex, transactionHash }) => [
      `${blockNumber} ${transactionIndex}`,
      [Number(blockNumber), Number(transactionIndex), transactionHash, blockHash],
    ]),
  )
  return {
    blocks: blocks
      .filter(({ number }) => numbers.has(Number(number)))
      .map(({ number, timestamp, hash }) => [Number(number), Number(timestamp), hash]),
    transactions: [...transactions.values()],
    logs: logs.map(({ blockNumber, logIndex, transactionIndex, blockHash, transactionHash, address, topics, data }) => [
      ...[Number(blockNumber), Number(logIndex), Number(transactionIndex), blockHash, transactionHash],
      ...[address.toLowerCase(), topics[0] ?? null, topics[1] ?? null, topics[2] ?? null, topics[3] ?? null, data],
    ]),
  }
}

/** Returns the start of SQL that inserts rows: it selects the values from JSON arrays `rows(value)`, which must follow. */
export function insertSyncRows(table: SyncTable, chainId: number): string {
  const { given, rest } = syncColumns[table]
  const names = ['chain_id', ...Object.keys(given), ...Object.keys(rest)]
  const values = Object.values(given).map((type, index) => `(value->>${index})::${type}`)
  return `insert into ${syncSchema}.${table} (${names.join()}) select ${[chainId, ...values, ...Object.values(rest)].join()}`
}

export type SyncedLogsRange = { after: { block: number; index: number }; upTo: number; limit: number }

/**
 * SQL that selects the logs that Ponder has fetched, with the time of their block, in chain order and with Dune's
 * column names.
 */
export const selectSyncedLogs = (
  wanted: readonly { address: string; topic: string }[],
  { after, upTo, limit }: SyncedLogsRange,
): string =>
  `select block.timestamp::text as block_time, log.block_number::text, log.block_hash, log.address as contract_address,
      log.topic0, log.topic1, log.topic2, log.topic3, log.data, log.transaction_hash as tx_hash,
      log.transaction_index as tx_index, log.log_index as index
    from ${syncSchema}.logs log join ${syncSchema}.blocks block on block.chain_id = 56 and block.number = log.block_number
    where log.chain_id = 56 and (log.block_number, log.log_index) > (${after.block}, ${after.index})
      and log.block_number <= ${upTo}
      and (log.address, log.topic0) in (${wanted.map((one) => `('${one.address.toLowerCase()}', '${one.topic}')`).join()})
    order by log.block_number, log.log_index limit ${limit}`

/** Encodes the end of a block like Ponder: as the last possible event of the block. */
export function encodeCheckpoint({ block, timestamp }: Pick<Checkpoint, 'block' | 'timestamp'>): string {
  const pad = (value: number, [, length = 0]: number[]) => String(value).padStart(length, '0')
  const { transaction, type, log } = digits
  const rest = '9'.repeat([transaction, type, log].reduce((sum, [, length = 0]) => sum + length, 0))
  return `${pad(timestamp, digits.timestamp)}${pad(56, digits.chain)}${pad(block, digits.block)}${rest}`
}

/** Returns SQL that creates the private tables which the API reads, for benchmarks without Ponder. */
export const createPrivateTables = (checkpoint: string): string[] => [
  `create table _ponder_meta as select '{"is_ready":1}'::jsonb as value`,
  `create table _ponder_checkpoint as
    select '${checkpoint}'::text as latest_checkpoint, '${checkpoint}'::text as finalized_checkpoint`,
]

/** Returns SQL that sets the newest block of the tables, for benchmarks without Ponder. */
export const updateCheckpoint = (checkpoint: string): string =>
  `update _ponder_checkpoint set latest_checkpoint = '${checkpoint}'`
