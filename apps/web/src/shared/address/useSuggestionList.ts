import { type KeyboardEvent, useDeferredValue, useRef, useState } from 'react'
import type { AddressEntry } from './useAddress.ts'

/** Props of the suggestions under the field: a listbox with this id, whose options have `role="option"` and `optionId`. */
export type SuggestionsProps = { prefix: string; id: string; optionId: (index: number) => string; active: number }

type Parameters = { id: string; field: AddressEntry; isOffered: boolean }

/** Shortest prefix the search accepts: 0x and two digits. */
const shortestPrefix = 4

/**
 * Makes the address field a combobox while it offers suggestions.
 *
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
 */
export function useSuggestionList({ id, field: { entry, setList }, isOffered }: Parameters) {
  const { draft, parsed, list } = entry
  const ref = useRef<HTMLDivElement>(null)
  // Typing resets the active option.
  const [choice, setChoice] = useState({ draft, active: -1 })
  const active = choice.draft === draft ? choice.active : -1
  const prefix = parsed.kind === 'prefix' && parsed.text.length >= shortestPrefix ? parsed.text : undefined
  const deferredPrefix = useDeferredValue(prefix)
  const isOpen = isOffered && list === 'open' && prefix !== undefined
  const listId = `${id}-list`
  const optionId = (index: number) => `${id}-option-${index}`
  const options = () => [...(ref.current?.querySelectorAll<HTMLElement>('[role="option"]') ?? [])]

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || prefix === undefined) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape' && list === 'open') {
      setList('closed')
      setChoice({ draft, active: -1 })
    } else if (step !== undefined) {
      setList('open')
      setChoice({ draft, active: moveActive(active, step, options().length) })
    } else return
    event.preventDefault()
  }
  return {
    ref,
    props:
      isOpen && deferredPrefix !== undefined ? { prefix: deferredPrefix, id: listId, optionId, active } : undefined,
    inputProps: isOffered && {
      role: 'combobox',
      'aria-autocomplete': 'list' as const,
      'aria-expanded': isOpen,
      'aria-controls': listId,
      ...(active >= 0 && { 'aria-activedescendant': optionId(active) }),
      onKeyDown,
    },
    /** Clicks the active option. Returns `false` if there is none. */
    choose(): boolean {
      const option = options()[active]
      option?.click()
      return option !== undefined
    },
  }
}

/** Returns the next option in a circle. The field itself (-1) comes between the last option and the first. */
function moveActive(active: number, step: number, count: number): number {
  if (count === 0) return active
  const next = active + step
  return next < -1 ? count - 1 : next >= count ? -1 : next
}
