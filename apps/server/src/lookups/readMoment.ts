import type { Forest, Moment } from '@lineage/forest'
import type { Community } from '../../../config/index.ts'
import { ProblemError } from '../http/problems.ts'
import type { IndexView } from '../reader/indexState.ts'
import { invalid } from './parameters.ts'

type MomentRequest = { community: Community; forest: Forest; view: IndexView }
/** A past moment, as returned by the API. */
export type At = { block: number | null; timestamp: number | null }

const lastSecond = 86_399

/**
 * Parses a moment: the end of a UTC day, or a block.
 *
 * @throws {ProblemError} `invalid_parameter`, `moment_in_future`, `moment_before_start` or `block_not_indexed`
 */
export function readMoment(name: string, text: string, request: MomentRequest): Moment {
  if (/^\d{1,10}$/.test(text)) return readBlock(name, Number(text), request)
  const start = Date.parse(`${text}T00:00:00Z`) / 1000
  const isDay =
    /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(start) && new Date(start * 1000).toISOString().startsWith(text)
  if (!isDay) throw invalid(name, 'a day as 2026-06-01, or the number of a block')
  const { asOf } = request.view
  if (start > asOf.timestamp)
    throw new ProblemError('moment_in_future', `${text} has not begun: choose an earlier day.`, { parameter: name })
  const end = start + lastSecond
  const { startedAt } = request.forest
  if (startedAt === undefined || end < startedAt)
    throw new ProblemError(
      'moment_before_start',
      `The community had no member by the end of ${text}. Choose a later day.`,
      {
        parameter: name,
      },
    )
  return { timestamp: Math.min(end, asOf.timestamp) }
}

function readBlock(name: string, block: number, { community, view }: MomentRequest): Moment {
  const extra = { parameter: name }
  if (block < community.startBlock) {
    const detail = `The community begins with block ${community.startBlock}: choose a later one.`
    throw new ProblemError('moment_before_start', detail, extra)
  }
  if (block > view.asOf.block) {
    const detail = `Block ${block} is not indexed: the newest is ${view.asOf.block}.`
    throw new ProblemError('block_not_indexed', detail, extra)
  }
  return { block }
}

export function toAt(moment: Moment): At {
  return 'block' in moment ? { block: moment.block, timestamp: null } : { block: null, timestamp: moment.timestamp }
}
