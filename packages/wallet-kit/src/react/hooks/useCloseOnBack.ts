import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

// React 18 warns about layout effects on a server, where neither kind runs.
const useBeforePaint = typeof document === 'undefined' ? useEffect : useLayoutEffect

/** Returns a ref to the value of the last render, for what is called later. */
export function useLatest<Value>(value: Value): RefObject<Value> {
  const latest = useRef(value)
  useBeforePaint(() => {
    latest.current = value
  })
  return latest
}

/** Property of `history.state` with the number of open layers. */
const property = 'openLayers'

/** Milliseconds between looks at whether another navigation has replaced a move in the history. */
const moveCheck = 500
/** Milliseconds after which a move that changed nothing is not awaited any longer: the browser may have refused it. */
const longestMove = 10_000

/** Something open, such as a dialog. */
type Layer = {
  close: () => void
  /** Whether the browser's history has an entry for it. */
  entry: 'none' | 'own'
}

/** Open layers of the page, which all kits and dialogs on it share. */
const open: Layer[] = []
/** Set while the browser moves in the history, with the URL of the page and the number of entries before the move. */
let moving: { timer: ReturnType<typeof setInterval>; url: string; entries: number; began: number } | undefined
/** Time at which the browser began to load another document, which a move in the history would cancel. */
let loadBegan = 0
/** Number of mounted components that leave the entries of closed layers. */
let mounted = 0

const countEntries = () => Number((history.state as Record<string, unknown> | null)?.[property] ?? 0)

/** Listens to the history only while a layer is open, or a component is mounted that leaves the entries of closed ones. */
function listen() {
  const isNeeded = mounted > 0 || open.length > 0 || moving !== undefined
  // Before routers, which listen without capture.
  window[isNeeded ? 'addEventListener' : 'removeEventListener']('popstate', onMove, true)
  // Safari on iOS has no `beforeunload`. Only while a layer is open: Firefox keeps no page for Back that listens to it.
  const change = open.length > 0 ? 'addEventListener' : 'removeEventListener'
  for (const type of ['navigate', 'beforeunload']) (window.navigation ?? window)[change](type, onNavigate)
}

/** Notes that another document is loaded, or another app, which leaves the page as it is. */
function onNavigate(event: Event) {
  const { destination, downloadRequest } = event as Partial<NavigateEvent>
  if (!destination?.sameDocument && !downloadRequest) loadBegan = Date.now()
}

/**
 * Keeps an entry in the browser's history for each open layer. It has the URL and the state of the page, so that routers
 * see the same page. Back leaves the entry, which closes the layer; closing the layer in another way leaves the entry.
 * An entry without an open layer is passed: after Forward, after a reload, and behind a link that was followed in a layer.
 */
function syncEntries() {
  if (moving === undefined) addAndLeaveEntries()
  listen()
}

/** Gives each open layer its entry, and leaves the entries of closed ones. */
function addAndLeaveEntries() {
  const entries = countEntries()
  for (const [index, layer] of open.entries()) {
    if (index >= entries) history.pushState({ ...history.state, [property]: index + 1 }, '')
    layer.entry = 'own'
  }
  if (entries <= open.length || Date.now() - loadBegan < 2 * moveCheck) return
  moving = { timer: setInterval(checkMove, moveCheck), url: location.href, entries, began: Date.now() }
  history.go(open.length - entries)
}

/**
 * Ends the wait for a move that does not come. While it may only be late, a layer gets no entry, which the move would leave;
 * and a second move would leave the page.
 */
function checkMove() {
  if (moving?.entries === countEntries() && Date.now() - moving.began < longestMove) return
  clearInterval(moving?.timer)
  moving = undefined
  if (countEntries() <= open.length) syncEntries()
  else listen()
}

/**
 * Closes the layers whose entries the browser has left. Routers do not see a move to leave the entries of closed layers: they
 * would give up a navigation that they have begun.
 */
function onMove(event: Event) {
  clearInterval(moving?.timer)
  if (moving?.url === location.href) event.stopImmediatePropagation()
  moving = undefined
  const entries = countEntries()
  const left = open.filter(({ entry }, index) => entry === 'own' && index >= entries)
  for (const layer of left.reverse()) {
    open.splice(open.indexOf(layer), 1)
    layer.close()
  }
  syncEntries()
}

/** Leaves entries of closed layers, which a reload and Forward lead to, until the returned function is called. */
export function leaveClosedLayers(): () => void {
  // Only the first one: another call while the browser is still moving would leave the page.
  if (mounted++ === 0) setTimeout(syncEntries)
  return () => {
    mounted--
    listen()
  }
}

/**
 * Lets Back close something that has just been opened, such as a dialog; the kit's own dialogs take part. `useCloseOnBack` is
 * the hook for it.
 *
 * @param close - Closes it. Called when the person goes back.
 * @returns A function to call when it was closed in another way.
 * @example
 * ```ts
 * const dialog = document.querySelector('dialog')
 * dialog?.showModal()
 * const leave = closeOnBack(() => dialog?.close())
 * dialog?.addEventListener('close', leave)
 * ```
 */
export const closeOnBack = (close: () => void): (() => void) => {
  const layer: Layer = { close, entry: 'none' }
  open.push(layer)
  listen()
  // React's strict mode adds it twice.
  queueMicrotask(syncEntries)
  return () => {
    if (!open.includes(layer)) return
    open.splice(open.indexOf(layer), 1)
    // A link that was followed in the layer comes first, and the next layer takes over the entry.
    setTimeout(syncEntries)
  }
}

export type UseCloseOnBackParameters = {
  isOpen: boolean
  /** Closes it. Called when the person goes back. */
  onClose: () => void
}

/**
 * Lets Back close a dialog, menu or sheet of the app while it is open, as it closes the kit's own dialogs. Of several, the
 * last one opened closes first. Forward does not open it again.
 *
 * @param parameters - `isOpen`, and `onClose`, which closes it.
 * @see https://developer.mozilla.org/docs/Web/API/History_API
 * @example
 * ```tsx
 * function Sheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
 *   useCloseOnBack({ isOpen, onClose })
 *   return isOpen ? <div role="dialog" /> : null
 * }
 * ```
 */
export function useCloseOnBack({ isOpen, onClose }: UseCloseOnBackParameters): void {
  const close = useLatest(onClose)
  useEffect(leaveClosedLayers, [])
  useBeforePaint(() => (isOpen ? closeOnBack(() => close.current()) : undefined), [isOpen, close])
}
