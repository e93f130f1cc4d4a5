import { NodeError } from '../rpc/NodeError.ts'
import { TooWideError } from './TooWideError.ts'

/** Outcome of one round over all nodes that returned no result. */
export type Round = {
  failures: readonly NodeError[]
  /** Whether a node answered `null`. */
  isNull: boolean
  /** Whether the data is known to exist, because an earlier answer named it. */
  mustExist: boolean
  /** Number of earlier rounds in which every node lacked data that must exist. */
  misses: number
  /** Time when the first resting node may be used again; `Infinity` if none rests. */
  wakesAt: number
  now: number
  deadline: number
}

export type NextStep =
  | { action: 'retry'; wait: number; misses: number }
  | { action: 'answer_null' }
  | { action: 'fail'; error: NodeError }

/** Largest number of rounds for data that must exist. */
const maxMisses = 10
const minWait = 10

/** Decides what to do after a round in which no node returned a result. */
export function nextStep({ failures, isNull, mustExist, misses, wakesAt, now, deadline }: Round): NextStep {
  const noneRests = wakesAt === Number.POSITIVE_INFINITY
  if (mustExist && noneRests && failures.every(({ kind }) => kind === 'missing')) {
    misses++
    // One of several nodes behind a URL may lag, and the next request may reach another one.
    if (misses < maxMisses && now < deadline) return { action: 'retry', wait: misses * 2, misses }
  }
  if (isNull) return { action: 'answer_null' }
  // If no node rests or is rate-limited, a retry would have the same result.
  const isSettled = failures.length > 0 && failures.every(({ kind }) => kind !== 'rate_limited')
  const wait = noneRests ? 0 : wakesAt - now
  if ((noneRests && isSettled) || now + wait > deadline) return { action: 'fail', error: mostUseful(failures) }
  return { action: 'retry', wait: Math.max(wait, minWait), misses }
}

/** Returns the failure with the widest allowed range, because Ponder can split a range; otherwise the last failure. */
function mostUseful(failures: readonly NodeError[]): NodeError {
  const ranges = failures.filter((failure) => failure instanceof TooWideError)
  const widest = ranges.toSorted((left, right) => right.maxBlocks - left.maxBlocks)[0]
  return widest ?? failures.at(-1) ?? new NodeError('unreachable', 'No node answered in time.')
}
