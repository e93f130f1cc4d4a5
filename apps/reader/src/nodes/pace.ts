/** Speed of the requests to one node, and its rests. All times are in milliseconds. */
export type Pace = {
  /** Time between two requests. Grows while the node rate-limits many of them. */
  interval: number
  /** Time when the next request may be sent. */
  nextAt: number
  /** Length of the last rest; 0 after an answered request. */
  rest: number
  restsUntil: number
  /** Time when a rate limit last slowed down requests. */
  slowedAt: number
  /** Outcomes since the interval was last reviewed. */
  tally: { answered: number; limited: number; failed: number; rested: number }
  /** The interval with the most answers per millisecond since the node began to rate-limit. */
  best: { interval: number; rate: number } | undefined
  /** Share of rate-limited requests at the last review; 0 if it was small. */
  limitedShare: number
  /** Share of failed requests and time at the last review at which it was large, and the reason of the last failure. */
  failing: { share: number; at: number; reason: string }
}

const minRest = 25
const maxRest = 5_000
const minInterval = 10
/** Largest interval: eight requests run at once, and each is given up after some seconds. */
const maxInterval = 300
/** Number of requests after which the interval is reviewed. */
const reviewSize = 16
/** Time for which a node counts as limiting after its last rate limit, and as failing after many failures. */
const limitingFor = 60_000
/** Larger shares of rate-limited or failed requests are reported. */
const largeShare = 0.2

const emptyTally = { answered: 0, limited: 0, failed: 0, rested: 0 }

export const initialPace: Pace = {
  interval: 0,
  nextAt: 0,
  rest: 0,
  restsUntil: 0,
  slowedAt: 0,
  tally: emptyTally,
  best: undefined,
  limitedShare: 0,
  failing: { share: 0, at: Number.NEGATIVE_INFINITY, reason: '' },
}

/** Reserves the next turn. */
export function takeTurn(pace: Pace, now: number): { pace: Pace; sendAt: number } {
  const sendAt = Math.max(now, pace.nextAt)
  return { pace: { ...pace, nextAt: sendAt + pace.interval }, sendAt }
}

/** Returns whether a rate limit came after a turn was reserved: the request must reserve another turn. */
export const hasLostTurn = ({ restsUntil, slowedAt }: Pace, reservedAt: number, now: number) =>
  restsUntil > now || slowedAt >= reservedAt

export const isResting = ({ restsUntil }: Pace, now: number) => restsUntil > now

/** Returns whether many recent requests were rate-limited. */
export const isLimiting = ({ limitedShare, slowedAt }: Pace, now: number) =>
  limitedShare > 0 && now - slowedAt < limitingFor

/** Returns whether the node lately failed many requests, and answered others. */
export const isFailing = ({ failing }: Pace, now: number) => now - failing.at < limitingFor

/** Starts a rest twice as long as the last one, at least `shortest` and at most five seconds. */
export function startRest(pace: Pace, shortest: number, now: number): Pace {
  const rest = Math.min(Math.max(pace.rest * 2, shortest), maxRest)
  return { ...pace, rest, restsUntil: now + rest }
}

export function onAnswered(pace: Pace, now: number): Pace {
  const tally = { ...pace.tally, answered: pace.tally.answered + 1 }
  return review({ ...pace, rest: 0, tally }, now)
}

type Failure = {
  sentAt: number
  /** Milliseconds of the shortest rest. */
  shortest: number
  reason: string
  /** Whether the node has answered nothing for a while: it does not fail in part. */
  isOutage: boolean
}

/** Starts a rest after a failure, unless its request was sent before the last rest: several fail at once. */
export function onFailed(pace: Pace, { sentAt, shortest, reason, isOutage }: Failure, now: number): Pace {
  const { tally, failing, rest, restsUntil } = pace
  const rested = sentAt < restsUntil - rest ? pace : startRest(pace, shortest, now)
  const failed = isOutage ? 0 : tally.failed + 1
  return review({ ...rested, tally: { ...tally, failed }, failing: { ...failing, reason } }, now)
}

/** Slows down after a rate limit ("too many requests"), unless its request was sent before the last slowdown. */
export function onRateLimited(
  pace: Pace,
  limit: { sentAt: number; retryAfter?: number | undefined },
  now: number,
): Pace {
  if (limit.sentAt < pace.slowedAt) return pace
  // Some nodes answer the very next request, so Retry-After counts only from the second rate limit in a row.
  const rested = startRest(pace, (pace.rest > 0 && limit.retryAfter) || minRest, now)
  const isFirst = pace.interval < minInterval
  const { rested: before, ...tally } = isFirst ? emptyTally : pace.tally
  const slowed: Pace = {
    ...rested,
    slowedAt: now,
    nextAt: rested.restsUntil,
    interval: isFirst ? minInterval : pace.interval,
    tally: { ...tally, limited: tally.limited + 1, rested: before + rested.rest },
  }
  return review(slowed, now)
}

/**
 * Adjusts the interval after enough requests: slower while the node rate-limits, unless that costs answers. Some
 * nodes refuse a share of all requests at any pace.
 */
function review(pace: Pace, now: number): Pace {
  const { interval, best, failing } = pace
  const { answered, limited, failed, rested } = pace.tally
  const requests = answered + limited + failed
  if (requests < reviewSize) return pace
  // Divided by the time that the node made requests wait, so that idle time between requests does not count.
  const rate = answered / (rested + requests * interval)
  const share = limited / requests
  const limitedShare = share > largeShare || isLimiting(pace, now) ? share : 0
  const failedShare = failed / requests
  const failsInPart = answered > 0 && failedShare > largeShare
  const reviewed: Pace = {
    ...{ ...pace, tally: emptyTally, limitedShare },
    failing: failsInPart ? { ...failing, share: failedShare, at: now } : failing,
  }
  if (limited * reviewSize <= answered)
    return { ...reviewed, interval: interval < minInterval ? 0 : interval * 0.8, best: undefined, limitedShare: 0 }
  if (best && rate < best.rate * 0.7) return { ...reviewed, interval: best.interval, best: undefined }
  return {
    ...reviewed,
    interval: Math.min(interval * 1.5, maxInterval),
    best: best && rate <= best.rate ? best : { interval, rate },
  }
}
