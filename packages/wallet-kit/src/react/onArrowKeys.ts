import type { KeyboardEvent } from 'react'

const moves: Record<string, 'next' | 'previous' | 'first' | 'last' | undefined> = {
  ArrowDown: 'next',
  ArrowUp: 'previous',
  Home: 'first',
  End: 'last',
}
const sides: Record<string, 1 | -1 | undefined> = { ArrowRight: 1, ArrowLeft: -1 }

const stopsOfLists = 'button:not(:disabled), a[href], input'

/** Moves the focus among the buttons and links of a list; in one marked `data-grid` by what is seen above, below and beside. */
export function onArrowKeys(event: KeyboardEvent<HTMLElement>): void {
  const list = event.currentTarget
  const isInput = event.target instanceof HTMLInputElement
  const stops = [...list.querySelectorAll<HTMLElement>(stopsOfLists)]
  const focused = event.target instanceof HTMLElement ? stops.indexOf(event.target) : -1
  const move = moves[event.key]
  const side = sides[event.key]
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

/** The nearest in the next row up or down. */
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

/** From anywhere else in its dialog an arrow key leads into the list, and what is typed into its search field, if it has one. */
export function enterList(event: KeyboardEvent<HTMLElement>, list: HTMLElement | null): void {
  const { key, target, ctrlKey, metaKey, altKey, defaultPrevented } = event
  if (!list || defaultPrevented || ctrlKey || metaKey || altKey || target instanceof HTMLInputElement) return
  // The character goes where the focus is once this has run.
  if (key.length === 1 && key !== ' ') list.querySelector('input')?.focus()
  const move = moves[key]
  const isFree = target instanceof Element && !target.closest('button, a, li')
  if (!move || !isFree) return
  const stops = [...list.querySelectorAll<HTMLElement>(stopsOfLists)]
  event.preventDefault()
  stops.at(move === 'next' || move === 'first' ? 0 : -1)?.focus()
}
