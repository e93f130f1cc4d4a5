import { type ReactNode, Suspense, useEffect, useLayoutEffect, useState } from 'react'

/** Milliseconds after which a part that does not arrive no longer holds up what is done once the page works. */
const longestWait = 10_000

let works: Promise<void> = Promise.resolve()
let onWorks = () => {}
/** Parts of the page that are still the server's HTML. */
const waiting = new Set<object>()

/** Makes `whenWorks` wait until React has taken over the server's HTML: the page first, then each `Part`. */
export function beginTakeOver(): void {
  works = new Promise((resolve) => {
    onWorks = resolve
    setTimeout(resolve, longestWait)
  })
}

/**
 * Calls `act` once the page works. Returns a function that cancels it. On a slow phone, scripts that are loaded earlier take line and
 * processor from those that the page waits for.
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

/** Renders a `Suspense` that `whenWorks` waits for. */
export function Part({ fallback, children }: { fallback?: ReactNode; children: ReactNode }) {
  const [{ begin, end }] = useState(createPart)
  const [, setStage] = useState<'waiting' | 'next'>('waiting')
  // A layout effect: of a part that is drawn and not taken over, the content's effects are run at the same time.
  useLayoutEffect(begin, [begin])
  // React takes over what is updated before the rest, and without pauses, which on a slow phone double the time. After the updates of
  // other effects, which would begin anew for each part.
  useEffect(() => queueMicrotask(() => setStage('next')), [])
  return (
    <Suspense fallback={fallback}>
      {children}
      <Arrival onArrive={end} />
    </Suspense>
  )
}

/** Calls `onArrive` once the elements beside it have been taken over or drawn. */
function Arrival({ onArrive }: { onArrive: () => void }) {
  useEffect(onArrive, [onArrive])
  return null
}

function createPart() {
  const part = {
    begin: () => {
      waiting.add(part)
      return part.end
    },
    end: () => {
      waiting.delete(part)
      noteWorks()
    },
  }
  return part
}

const noteWorks = () => {
  if (waiting.size === 0) onWorks()
}

/** Notes that the page is taken over, except for its parts. */
export const TakenOver = () => <Arrival onArrive={noteWorks} />
