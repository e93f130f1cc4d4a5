import type { Address } from '@lineage/referral-api'
import {
  type KeyboardEvent,
  useCallback,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { dayNames, kept, lookupPath, withChanges } from '../../paths.ts'
import { hidePhrases, isAddressList, type ParsedAddress, parseAddress } from './parseAddress.ts'

/** Returns the page's address from the URL, and functions that change it. */
export function useAddress(): {
  /** The address in the URL, as written there; several ones in lines. */
  text: string
  parsed: ParsedAddress
  address: Address | undefined
  setAddress: (address: Address | undefined) => void
} {
  const [parameters, setParameters] = useSearchParams()
  // One address may be there twice, also in another case.
  const texts = new Map(parameters.getAll('address').map((one) => [one.toLowerCase(), one]))
  const text = [...texts.values()].join('\n')
  const parsed = useMemo(() => parseAddress(text), [text])
  const setAddress = useCallback(
    (address: Address | undefined) =>
      setParameters((current) => {
        const next = withChanges(current, { address: address ?? null })
        // The other parameters belong to the previous address.
        const all: readonly string[] = [...kept, ...dayNames]
        for (const key of [...next.keys()]) if (!all.includes(key)) next.delete(key)
        return next
      }),
    [setParameters],
  )
  return { text, parsed, address: parsed.kind === 'valid' ? parsed.address : undefined, setAddress }
}

type Entry = {
  draft: string
  parsed: ParsedAddress
  /** Enter was pressed or the text comes from the URL, so an incomplete address is an error. */
  isAsked: boolean
  /** The address a typed name resolves to. */
  resolved?: Address | undefined
  list: 'open' | 'closed'
}

type AddressEntry = ReturnType<typeof useAddressEntry>

const fromUrl = (text: string): Entry => ({
  draft: hidePhrases(text),
  parsed: isAddressList(text) ? { kind: 'empty' } : parseAddress(text),
  isAsked: text !== '',
  list: 'closed',
})

function fromTyping(text: string): Entry {
  const parsed = parseAddress(text)
  return { draft: parsed.kind === 'valid' ? parsed.address : hidePhrases(text), parsed, isAsked: false, list: 'open' }
}

/** Keeps the text of the address field. Calls `onAddress` for a valid address, and opens the list page for a list. */
export function useAddressEntry(text: string, onAddress: (address: Address | undefined) => void) {
  const navigate = useNavigate()
  const [parameters] = useSearchParams()
  const [entry, setEntry] = useState(() => fromUrl(text))

  // Follow a new address in the URL (link, Back, Forward); later typing overrides it.
  const [shown, setShown] = useState(text)
  if (shown !== text) {
    setShown(text)
    setEntry(fromUrl(text))
  }

  const openList = (list: string, options?: { replace: true }) =>
    void navigate(lookupPath('search', parameters, { address: null, view: 'list' }), {
      ...options,
      state: { list: hidePhrases(list) },
    })
  // A link with several addresses does what pasting them does.
  const openLinked = useEffectEvent((list: string) => openList(list, { replace: true }))
  useEffect(() => {
    if (isAddressList(text)) openLinked(text)
  }, [text])

  const change = (value: string) => {
    if (isAddressList(value)) return openList(value)
    const next = fromTyping(value)
    setEntry(next)
    if (next.parsed.kind === 'valid' && next.parsed.address !== text) onAddress(next.parsed.address)
  }
  return {
    entry,
    isWrong: isWrong(entry),
    change,
    clear() {
      setEntry(fromUrl(''))
      onAddress(undefined)
    },
    submit: () => (entry.resolved ? change(entry.resolved) : setEntry({ ...entry, isAsked: true })),
    setResolved: useCallback((resolved: Address | undefined) => setEntry((current) => ({ ...current, resolved })), []),
    setList: (list: Entry['list']) => setEntry((current) => ({ ...current, list })),
  }
}

function isWrong({ parsed, isAsked }: Entry): boolean {
  switch (parsed.kind) {
    case 'empty':
    case 'valid':
    case 'name':
      return false
    case 'prefix':
      return isAsked
    default:
      return true
  }
}

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
