import type { KeyboardEvent } from 'react'

const vertical: Record<string, 'next' | 'previous' | 'first' | 'last' | undefined> = {
  ArrowDown: 'next',
  ArrowUp: 'previous',
  Home: 'first',
  End: 'last',
}
const horizontal: Record<string, 1 | -1 | undefined> = { ArrowRight: 1, ArrowLeft: -1 }

const focusable = 'button:not(:disabled), a[href], input'

/** Moves the focus within a list by arrow keys, Home and End; in a `data-grid` list by position on screen. */
export function moveFocusInList(event: KeyboardEvent<HTMLElement>): void {
  const list = event.currentTarget
  const isInput = event.target instanceof HTMLInputElement
  const stops = [...list.querySelectorAll<HTMLElement>(focusable)]
  const focused = event.target instanceof HTMLElement ? stops.indexOf(event.target) : -1
  const move = vertical[event.key]
  const side = horizontal[event.key]
  const isGrid = list.dataset.grid !== undefined && !isInput

  let target: HTMLElement | undefined
  if (isInput && move !== 'next') return
  if (isGrid && side) target = stops[focused + (getComputedStyle(list).direction === 'rtl' ? -side : side)]
  else if (move === 'first') target = stops[0]
  else if (move === 'last') target = stops.at(-1)
  else if (isGrid && move) target = findNearest(stops, focused, move)
  else if (move) target = stops[focused + (move === 'next' ? 1 : -1)]
  if (!target) return
  event.preventDefault()
  target.focus()
}

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

/** Moves the focus into the list on an arrow key anywhere in its dialog, and into its search field when typing begins. */
export function moveFocusToList(event: KeyboardEvent<HTMLElement>, list: HTMLElement | null): void {
  const { key, target, ctrlKey, metaKey, altKey, defaultPrevented } = event
  if (!list || defaultPrevented || ctrlKey || metaKey || altKey || target instanceof HTMLInputElement) return
  // Focus the field before the browser enters the character.
  if (key.length === 1 && key !== ' ') list.querySelector('input')?.focus()
  const move = vertical[key]
  const isFree = target instanceof Element && !target.closest('button, a, li')
  if (!move || !isFree) return
  const stops = [...list.querySelectorAll<HTMLElement>(focusable)]
  event.preventDefault()
  stops.at(move === 'next' || move === 'first' ? 0 : -1)?.focus()
}
