/** Speed of the requests to one node, and its rests. All times are in milliseconds. */
export type Pace = {
  /** Time between two requests; grows while the node limits many of them. */
  interval: number
  /** When the next request may be sent. */
  nextAt: number
  /** Length of the last rest; 0 once a request was answered. */
  rest: number
  restsUntil: number
  /** When a rate limit last slowed requests down. */
  slowedAt: number
  /** Outcomes since the interval was last reviewed. */
  tally: { answered: number; limited: number; rested: number }
  /** The interval that brought most answers per millisecond since the node began to limit. */
  best: { interval: number; rate: number } | undefined
  /** Share of rate-limited requests at the last review; 0 if that was little. */
  limitedShare: number
}

const minRest = 25
const maxRest = 5_000
const minInterval = 10
/** Ponder has 25 requests under way, and gives up on each after ten seconds. */
const maxInterval = 300
/** Requests after which the interval is reviewed. */
const reviewSize = 16
/** Time for which a node counts as limiting after its last rate limit. */
const limitingFor = 60_000

const emptyTally = { answered: 0, limited: 0, rested: 0 }

export const initialPace: Pace = {
  interval: 0,
  nextAt: 0,
  rest: 0,
  restsUntil: 0,
  slowedAt: 0,
  tally: emptyTally,
  best: undefined,
  limitedShare: 0,
}

/** Reserves the next turn. */
export function takeTurn(pace: Pace, now: number): { pace: Pace; sendAt: number } {
  const sendAt = Math.max(now, pace.nextAt)
  return { pace: { ...pace, nextAt: sendAt + pace.interval }, sendAt }
}

/** `true` if a rate limit came after a turn was reserved: the request must take another, at the new pace. */
export const hasLostTurn = ({ restsUntil, slowedAt }: Pace, reservedAt: number, now: number) =>
  restsUntil > now || slowedAt >= reservedAt

export const isResting = ({ restsUntil }: Pace, now: number) => restsUntil > now

/** `true` if many requests were rate-limited lately. */
export const isLimiting = ({ limitedShare, slowedAt }: Pace, now: number) =>
  limitedShare > 0 && now - slowedAt < limitingFor

/** Starts a rest twice as long as the one before, but at least `shortest` and at most five seconds. */
export function startRest(pace: Pace, shortest: number, now: number): Pace {
  const rest = Math.min(Math.max(pace.rest * 2, shortest), maxRest)
  return { ...pace, rest, restsUntil: now + rest }
}

export function onAnswered(pace: Pace, now: number): Pace {
  const tally = { ...pace.tally, answered: pace.tally.answered + 1 }
  return review({ ...pace, rest: 0, tally }, now)
}

/** Slows down after a rate limit ("too many requests"), unless its request was sent before the last slowdown. */
export function onRateLimited(
  pace: Pace,
  limit: { sentAt: number; retryAfter?: number | undefined },
  now: number,
): Pace {
  if (limit.sentAt < pace.slowedAt) return pace
  // Some nodes answer the very next request: Retry-After counts from the second rate limit in a row.
  const rested = startRest(pace, (pace.rest > 0 && limit.retryAfter) || minRest, now)
  const isFirst = pace.interval < minInterval
  const { answered, limited, rested: before } = isFirst ? emptyTally : pace.tally
  const slowed: Pace = {
    ...rested,
    slowedAt: now,
    nextAt: rested.restsUntil,
    interval: isFirst ? minInterval : pace.interval,
    tally: { answered, limited: limited + 1, rested: before + rested.rest },
  }
  return review(slowed, now)
}

/**
 * Adjusts the interval once enough requests were tallied: slower while the node limits, as long as that does not cost
 * answers. Some nodes limit a share of all requests, however slowly they come.
 */
function review(pace: Pace, now: number): Pace {
  const { interval, best } = pace
  const { answered, limited, rested } = pace.tally
  const requests = answered + limited
  if (requests < reviewSize) return pace
  // Per time the node made requests wait, so that the idle time between requests does not count.
  const rate = answered / (rested + requests * interval)
  const share = limited / requests
  const limitedShare = share > 0.2 || isLimiting(pace, now) ? share : 0
  const reviewed: Pace = { ...pace, tally: emptyTally, limitedShare }
  if (limited * reviewSize <= answered)
    return { ...reviewed, interval: interval < minInterval ? 0 : interval * 0.8, best: undefined, limitedShare: 0 }
  if (best && rate < best.rate * 0.7) return { ...reviewed, interval: best.interval, best: undefined }
  return {
    ...reviewed,
    interval: Math.min(interval * 1.5, maxInterval),
    best: best && rate <= best.rate ? best : { interval, rate },
  }
}
