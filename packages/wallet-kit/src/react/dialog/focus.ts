import { type KeyboardEvent, type RefObject, useInsertionEffect, useLayoutEffect, useRef } from 'react'

const vertical: Record<string, 'next' | 'previous' | 'first' | 'last' | undefined> = {
  ArrowDown: 'next',
  ArrowUp: 'previous',
  Home: 'first',
  End: 'last',
}
const horizontal: Record<string, 1 | -1 | undefined> = { ArrowRight: 1, ArrowLeft: -1 }

const focusable = 'button:not(:disabled), a[href], input'

/** Moves the focus within a list by arrow keys, Home and End; in a `data-grid` list by position on screen. */
function moveFocusInList(event: KeyboardEvent<HTMLElement>): void {
  const list = event.currentTarget
  const target = event.target as HTMLElement
  // Not by class: the dialog may be in the document of another window.
  const isInput = target.matches('input')
  const stops = [...list.querySelectorAll<HTMLElement>(focusable)]
  const focused = stops.indexOf(target)
  const move = vertical[event.key]
  const side = horizontal[event.key]
  const isGrid = list.dataset.grid !== undefined && !isInput

  let next: HTMLElement | undefined
  if (isInput && move !== 'next') return
  if (isGrid && side) next = stops[focused + (getComputedStyle(list).direction === 'rtl' ? -side : side)]
  else if (move === 'first') next = stops[0]
  else if (move === 'last') next = stops.at(-1)
  else if (isGrid && move) next = findNearest(stops, focused, move)
  else if (move) next = stops[focused + (move === 'next' ? 1 : -1)]
  if (!next) return
  event.preventDefault()
  next.focus()
}

/** Props of an element in which arrow keys move the focus. */
export const arrowKeys = { onKeyDown: moveFocusInList }

/** Returns the nearest stop in the next row above or below. */
function findNearest(stops: HTMLElement[], focused: number, move: 'next' | 'previous'): HTMLElement | undefined {
  const places = stops.map(
    (stop) => ({ stop, ...stop.getBoundingClientRect().toJSON() }) as { stop: HTMLElement } & DOMRect,
  )
  const from = places[focused]
  if (!from) return undefined
  const distance = (to: DOMRect) =>
    (move === 'next' ? to.top - from.top : from.top - to.top) * 1000 + Math.abs(to.left - from.left)
  return places
    .filter((to) => (move === 'next' ? to.top >= from.bottom : to.bottom <= from.top))
    .sort((a, b) => distance(a) - distance(b))[0]?.stop
}

/**
 * Moves the focus on keys anywhere in a dialog with a list: into its search field when typing begins, into the list on an arrow
 * key, and on Tab from the row of the chosen wallet to the first control of its step, such as "Retry", before the other rows.
 */
export function moveFocusToList(event: KeyboardEvent<HTMLElement>, list: HTMLElement | null): void {
  const { key, target, currentTarget, shiftKey, ctrlKey, metaKey, altKey, defaultPrevented } = event
  const from = target as Element
  if (!list || defaultPrevented || ctrlKey || metaKey || altKey || from.matches('input')) return
  // Focus the field before the browser enters the character.
  if (key.length === 1 && key !== ' ') list.querySelector('input')?.focus()
  const move = vertical[key]
  const stop = move
    ? !from.closest('button, a, li') &&
      [...list.querySelectorAll<HTMLElement>(focusable)].at(move === 'next' || move === 'first' ? 0 : -1)
    : key === 'Tab' &&
      !shiftKey &&
      from.ariaCurrent &&
      currentTarget.querySelector<HTMLElement>(`.wk-step-body :is(${focusable})`)
  if (!stop) return
  event.preventDefault()
  stop.focus()
}

/**
 * Moves the focus to the title of a dialog, which gets the returned ref, when the focused control disappears, or when
 * the title changes while no control has the focus.
 */
export function useKeepFocus(): RefObject<HTMLHeadingElement | null> {
  const titleRef = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    const title = titleRef.current
    const dialog = title?.closest('dialog')
    if (!title || !dialog) return
    let focused: EventTarget | null = dialog
    let name = title.textContent
    const remember = ({ target }: Event) => {
      focused = target
    }
    // Called before any timer: the focus trap would move the focus to the dialog, which screen readers announce.
    const observer = new MutationObserver(() => {
      const isNew = name !== title.textContent
      name = title.textContent
      const { activeElement } = title.getRootNode() as Document
      if ((isNew || !dialog.contains(focused as Node)) && (!activeElement || activeElement.contains(dialog)))
        title.focus()
    })
    dialog.addEventListener('focusin', remember)
    observer.observe(dialog, { subtree: true, childList: true, characterData: true })
    return () => {
      dialog.removeEventListener('focusin', remember)
      observer.disconnect()
    }
  }, [])
  return titleRef
}

/** Selects the elements that Tab stops at. */
export const tabStops = 'button:not(:disabled), a[href], input:not(:disabled), [tabindex="0"]'

/**
 * Returns a function that moves the focus after the last dialog closed, if the browser did not return it: to the element that
 * opened the first one, or if that is gone or hidden (such as a menu item), to the tab stop closest to its place.
 */
export function useReturnFocus(open: boolean): () => void {
  const ancestors = useRef<HTMLElement[]>([])
  // The dialog takes the focus in a layout effect, which runs later.
  useInsertionEffect(() => {
    if (!open) return
    ancestors.current = []
    let element = document.activeElement as HTMLElement | null
    for (; element && element !== document.body; element = element.parentElement) ancestors.current.push(element)
  }, [open])

  return () => {
    const [opener] = ancestors.current
    if (opener?.isConnected && document.activeElement !== document.body) return
    for (const element of ancestors.current)
      for (const stop of element === opener ? [element] : element.querySelectorAll<HTMLElement>(tabStops)) {
        stop.focus()
        if (document.activeElement === stop) return
      }
  }
}
