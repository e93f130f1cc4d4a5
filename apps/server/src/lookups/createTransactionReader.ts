import { describeError } from '@lineage/database'
import type { Hash } from 'viem'
import type { View } from '../follow/createFollower.ts'
import type { Position } from '../follow/events.ts'
import { ProblemError } from '../lib/problem.ts'
import type { EventTables } from './eventTables.ts'

export type TransactionReaderParameters = {
  tables: Pick<EventTables, 'findTxs'>
  log: (message: string) => void
  /** Longest wait for the database, in milliseconds. */
  patience?: number
  /** Milliseconds without queries after the database was too slow. */
  rest?: number
}

export type ReadTransactions = ReturnType<typeof createTransactionReader>

/**
 * Creates a reader of transactions that delays a response only briefly, because a card without its transaction is
 * better than none. It resolves to `undefined` if the database is slow or fails, or holds
 * another fork.
 */
export function createTransactionReader(parameters: TransactionReaderParameters) {
  const { tables, log, patience = 500, rest = 5_000 } = parameters
  let restsUntil = Number.NEGATIVE_INFINITY
  const wake = () => {
    restsUntil = Number.NEGATIVE_INFINITY
  }

  return async (
    state: Pick<View, 'source' | 'replaced'>,
    positions: readonly (Position | null)[],
  ): Promise<(Hash | null)[] | undefined> => {
    const known = positions.filter((position) => position !== null)
    if (known.length === 0) return positions.map(() => null)
    if (performance.now() < restsUntil) return undefined
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(resolve, patience, 'late')
    })
    try {
      const reading = tables.findTxs(state, known)
      const found = await Promise.race([reading, late])
      let next = 0
      if (found !== 'late') return positions.map((position) => position && (found[next++] ?? null))
      restsUntil = performance.now() + rest
      log('The database is slow to return transactions: members are returned without them.')
      reading.then(wake, () => undefined)
    } catch (error) {
      // A refusal without a statement is not logged.
      if (!(error instanceof ProblemError)) log(`Transactions cannot be read: ${describeError(error)}`)
    } finally {
      clearTimeout(timer)
    }
    return undefined
  }
}
