export type FairQueueParameters = {
  /** Tasks that run at once. */
  running: number
  /** Tasks that run or wait, of those that may be refused. @default no limit */
  total?: number
  /** Milliseconds after which a running task most likely waits for something else, and another one may start. @default never */
  slow?: number
  /** Longest wait of a task that may be refused, in milliseconds. @default no limit */
  patience?: number
  /** Returns a number by which the waiting are ordered, the lowest first. */
  rank: (visitor: string) => number
}

export type Task = {
  visitor: string
  /** Called when it is the turn of the task, with a function that ends it. */
  start: (end: () => void) => void
  /** Called when too many wait. A task without it waits as long as it takes. */
  refuse?: (() => void) | undefined
}

type Waiting = { task: Task; rank: number; since: number }
type Running = { since: number; state: 'running' | 'slow' }

/** Milliseconds between two checks of what waits or runs for long: a timer of its own for each task would cost more. */
const interval = 50
/** Most milliseconds that count between two checks: while the process is paused, nothing waits for it. */
const mostCounted = 200

/**
 * Creates a semaphore whose waiting are ordered by the rank of their visitor. Of an equal rank the oldest and the newest
 * take turns: a newcomer does not wait for hundreds that came at once, and none of these waits for all newcomers. When too
 * many wait, the last of them is refused.
 */
export function createFairQueue({
  running: mostRunning,
  total = Number.POSITIVE_INFINITY,
  slow: slowAfter = Number.POSITIVE_INFINITY,
  patience = Number.POSITIVE_INFINITY,
  rank,
}: FairQueueParameters) {
  /** By rank, the lowest and oldest last. Of those that may be refused, the first one is refused next. */
  const waiting: Waiting[] = []
  const running = new Set<Running>()
  let turn: 'oldest' | 'newest' = 'oldest'
  let refusable = 0
  let slow = 0
  let refused = 0
  /** Milliseconds that have counted so far. */
  let time = 0
  let checkedAt = 0
  let timer: NodeJS.Timeout | undefined

  const hasPlace = () => running.size - slow < mostRunning && running.size < total

  function start({ start: run }: Task): void {
    const own: Running = { since: time, state: 'running' }
    running.add(own)
    watch()
    run(() => {
      if (!running.delete(own)) return
      if (own.state === 'slow') slow--
      startNext()
    })
  }

  function watch(): void {
    if (timer || !Number.isFinite(Math.min(slowAfter, patience))) return
    checkedAt = performance.now()
    timer = setInterval(check, interval)
  }

  function check(): void {
    const now = performance.now()
    time += Math.min(now - checkedAt, mostCounted)
    checkedAt = now
    for (const one of running)
      if (one.state === 'running' && time - one.since >= slowAfter) {
        one.state = 'slow'
        slow++
      }
    const late = waiting.filter(({ task, since }) => task.refuse && time - since >= patience)
    for (const one of late) refuse(one)
    startNext()
    if (running.size + waiting.length > 0) return
    clearInterval(timer)
    timer = undefined
  }

  function takeNext(): Waiting | undefined {
    const last = waiting.at(-1)
    const [next] = turn === 'newest' && last ? waiting.splice(findPlace(waiting, last.rank), 1) : waiting.splice(-1)
    turn = turn === 'oldest' ? 'newest' : 'oldest'
    return next
  }

  function startNext(): void {
    while (hasPlace()) {
      const next = takeNext()
      if (!next) return
      if (next.task.refuse) refusable--
      start(next.task)
    }
  }

  function refuse(one: Waiting): void {
    waiting.splice(waiting.indexOf(one), 1)
    refusable--
    refused++
    one.task.refuse?.()
  }

  const findLast = () => waiting.find(({ task }) => task.refuse)

  return {
    enter(task: Task): void {
      if (hasPlace() && waiting.length === 0) {
        start(task)
        return
      }
      const one: Waiting = { task, rank: rank(task.visitor), since: time }
      waiting.splice(findPlace(waiting, one.rank), 0, one)
      if (!task.refuse) return
      refusable++
      const last = running.size + refusable > total ? findLast() : undefined
      if (last) refuse(last)
    },
    /** Returns whether a task of the visitor would be refused now. */
    isFullFor: (visitor: string): boolean =>
      running.size + refusable >= total && rank(visitor) >= (findLast()?.rank ?? 0),
    size: () => running.size + waiting.length,
    refused: () => refused,
  }
}

/** Returns the index before all items of a lower or equal rank. */
function findPlace(all: readonly Waiting[], rank: number): number {
  let [from, to] = [0, all.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((all[middle] as Waiting).rank > rank) from = middle + 1
    else to = middle
  }
  return from
}
