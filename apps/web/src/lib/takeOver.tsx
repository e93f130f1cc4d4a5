import { type ReactNode, Suspense, use, useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react'

/** Milliseconds after which a part that does not arrive no longer holds up what is done once the page works. */
const longestWait = 10_000

let works: Promise<void> = Promise.resolve()
let onWorks = () => {}
/** Parts of the page that are still the server's HTML, or whose script still loads. */
const waiting = new Set<object>()

/** Fulfilled once the scripts of the page's parts have arrived; never if one fails. */
let scripts: Promise<unknown> | undefined
let path = ''

/** Makes `whenWorks` wait until React has taken over the server's HTML: the page, then each `Part` after `ofParts`. */
export function beginTakeOver(ofParts?: Promise<unknown>): void {
  const arrival: Promise<unknown> | undefined = ofParts?.then(
    // React's mark of a value that is there: an early press is carried out in the same task.
    () => void Object.assign(arrival ?? {}, { status: 'fulfilled', value: undefined }),
    () => new Promise(() => {}),
  )
  scripts = arrival
  path = window.location.pathname
  works = new Promise((resolve) => {
    onWorks = resolve
    setTimeout(resolve, longestWait)
  })
}

/**
 * Calls `act` once the page works. Returns a function that cancels it. On a slow phone, scripts that are loaded earlier compete for
 * the connection and the processor with those that the page waits for.
 */
export function whenWorks(act: () => void): () => void {
  let isCancelled = false
  void works.then(() => isCancelled || act())
  return () => {
    isCancelled = true
  }
}

/** Calls `act` once the page works and is idle, at the latest a second after it works. Returns a function that cancels it. */
export function whenIdle(act: () => void): () => void {
  let cancelIdle = () => {}
  const cancel = whenWorks(() => {
    // Safari has no requestIdleCallback.
    if ('requestIdleCallback' in window) {
      const request = requestIdleCallback(act, { timeout: 1_000 })
      cancelIdle = () => cancelIdleCallback(request)
    } else {
      const timer = setTimeout(act, 1_000)
      cancelIdle = () => clearTimeout(timer)
    }
  })
  return () => {
    cancel()
    cancelIdle()
  }
}

/**
 * Renders a `Suspense` that `whenWorks` waits for. In a page of the server it is taken over once the scripts of all parts have
 * arrived: an update of a part that suspends would show its fallback.
 */
export function Part({ fallback, children }: { fallback?: ReactNode; children: ReactNode }) {
  const [{ begin, arrive }] = useState(createPart)
  const [, setStage] = useState<'waiting' | 'next'>('waiting')
  // A layout effect: of a part that is drawn and not taken over, the content's effects are run at the same time.
  useLayoutEffect(begin, [begin])
  // React takes over updated parts before others, and without pauses, which on a slow phone double the time. In a microtask, so that
  // updates by other effects come first: React would otherwise begin them again for each part.
  useEffect(() => void Promise.resolve(scripts).then(() => setStage('next')), [])
  return (
    <Suspense fallback={fallback}>
      <AfterScripts>{children}</AfterScripts>
      <Arrival onArrive={arrive} />
    </Suspense>
  )
}

/** Waits for the scripts in a page of the server. After a link to another page, only the scripts of its own components. */
function AfterScripts({ children }: { children: ReactNode }) {
  const isFromServer = useIsFromServer()
  if (isFromServer && scripts && window.location.pathname === path) use(scripts)
  return children
}

/** Returns `true` on the server and while React takes over its HTML, which the first render must equal. */
export function useIsFromServer(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => false,
    () => true,
  )
}

/** Calls `onArrive` once the elements beside it have been taken over or drawn. */
function Arrival({ onArrive }: { onArrive: () => void }) {
  useEffect(onArrive, [onArrive])
  return null
}

function createPart() {
  const part = {}
  let hasArrived = false
  const leave = () => {
    waiting.delete(part)
    noteWorks()
  }
  return {
    // Also called for a part that was hidden, by a part around it, and is shown again.
    begin: () => {
      if (!hasArrived) waiting.add(part)
      return leave
    },
    arrive: () => {
      hasArrived = true
      leave()
    },
  }
}

const noteWorks = () => {
  if (waiting.size === 0) onWorks()
}

/** Notes that the page is taken over, except for its parts. */
export const TakenOver = () => <Arrival onArrive={noteWorks} />
