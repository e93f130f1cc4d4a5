// Asks for the page's other scripts before React and MUI run: on a slow phone the scripts arrive meanwhile.
const scripts = document.querySelector<HTMLTemplateElement>('#scripts')
if (scripts) document.head.append(scripts.content)

type Early = {
  presses: HTMLElement[]
  /** Elements that React has taken over: presses in them are no longer noted. */
  taken?: string
  end: () => void
}

declare global {
  interface Window {
    /** Presses and submissions before the app has started, which index.html notes. */
    __early__?: Early
  }
}

const controls = 'button, input, textarea, form, [role="treeitem"]'

/** Selects the elements of the top bar that React takes over first: all except those in a `Part`. */
const bar = '#root > header :not([data-part] *)'

/**
 * Takes over what a person did before the app has started. `replayInBar` and `replay` carry it out: texts first, then presses. The
 * elements may have been replaced by others at the same place.
 */
export function takeEarly(root: HTMLElement): { replayInBar: () => void; replay: () => void } {
  const before = [...root.querySelectorAll<HTMLElement>(controls)]
  const fields = before.filter(isField).map((field) => ({ field, text: field.value }))
  let focused = document.activeElement
  const now = (element: HTMLElement) =>
    element.isConnected ? element : root.querySelectorAll<HTMLElement>(controls)[before.indexOf(element)]
  const press = (element: HTMLElement) => {
    element.removeAttribute('aria-busy')
    // React may replace the element when it takes over; the button loads what it opens.
    for (const type of ['pointerdown', 'pointerover']) now(element)?.dispatchEvent(new Event(type, { bubbles: true }))
    const shown = now(element)
    shown?.removeAttribute('aria-busy')
    if (shown instanceof HTMLFormElement) shown.requestSubmit()
    else shown?.click()
  }
  return {
    replayInBar() {
      const early = window.__early__
      if (!early) return
      early.taken = bar
      const inBar = early.presses.filter((element) => element.matches(bar))
      early.presses = early.presses.filter((element) => !inBar.includes(element))
      inBar.forEach(press)
    },
    replay() {
      const { presses = [], end } = window.__early__ ?? {}
      end?.()
      if (document.activeElement !== document.body) focused = document.activeElement
      for (const { field, text } of fields) {
        // A person goes on typing while the scripts arrive.
        const last = field.isConnected ? field.value : text
        const shown = now(field)
        if (last !== field.defaultValue && shown && isField(shown)) type(shown, last)
      }
      presses.forEach(press)
      // Cells of a map are of SVG.
      if (focused && !focused.isConnected) now(focused as HTMLElement)?.focus()
    },
  }
}

type Field = HTMLInputElement | HTMLTextAreaElement

const isField = (element: HTMLElement): element is Field =>
  element instanceof HTMLTextAreaElement ||
  (element instanceof HTMLInputElement && !/radio|checkbox|hidden/.test(element.type))

/** Lets React take over the part of the page around an element now: it would miss the change of a radio button. */
const startPart = (element: HTMLElement) => element.dispatchEvent(new Event('keyup', { bubbles: true }))

/** Puts a text into a field as if it were typed, unless the app has it. */
function type(field: Field, text: string): void {
  startPart(field)
  if (field.value === field.defaultValue && field.value === text) return
  const place = [field.selectionStart, field.selectionEnd] as const
  // React ignores an event with the value that it knows, and knows a value that is set on the element itself.
  field.value = field.defaultValue
  const prototype = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  if (place[0] !== null) field.setSelectionRange(...place)
}
