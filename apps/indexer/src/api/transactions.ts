import type { Hash } from 'viem'
import type { Position, Tables } from './follow.ts'

export type TransactionsParameters = {
  tables: Pick<Tables, 'findTxs'>
  log: (message: string) => void
  /** Milliseconds that an answer may be held up for its transactions … */
  patience?: number
  /** … and in which none are asked for after that. */
  rest?: number
}

/**
 * Reads the transactions of binds. An answer without them is worth more than none, so a database that is silent or fails
 * holds nothing up: `undefined`.
 */
export function createTransactions({ tables, log, patience = 500, rest = 5_000 }: TransactionsParameters) {
  let silentUntil = Number.NEGATIVE_INFINITY

  return async (community: string, positions: readonly (Position | null)[]): Promise<(Hash | null)[] | undefined> => {
    const asked = positions.filter((position) => position !== null)
    if (asked.length > 0 && performance.now() < silentUntil) return undefined
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(resolve, patience, 'late')
    })
    try {
      const reading = asked.length > 0 ? tables.findTxs(community, asked) : []
      const found = await Promise.race([reading, late])
      if (found !== 'late') {
        let next = 0
        return positions.map((position) => position && (found[next++] ?? null))
      }
      silentUntil = performance.now() + rest
      log('The database is slow to tell transactions: members are answered without them.')
      Promise.resolve(reading).then(
        () => {
          silentUntil = Number.NEGATIVE_INFINITY
        },
        () => undefined,
      )
    } catch (error) {
      log(`A transaction cannot be read: ${error instanceof Error ? error.message : String(error)}`)
    } finally {
      clearTimeout(timer)
    }
    return undefined
  }
}
