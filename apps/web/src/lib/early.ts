// Asks for the page's other scripts before React and MUI run: on a slow phone the scripts arrive meanwhile.
const scripts = document.querySelector<HTMLTemplateElement>('#scripts')
if (scripts) document.head.append(scripts.content)

type Early = {
  presses: HTMLElement[]
  /** Elements that React has taken over: presses in them are no longer noted. */
  taken?: string
  /** Whether index.html says that the browser is too old. */
  isTooOld?: boolean
  end: () => void
}

declare global {
  interface Window {
    /** Presses and submissions before the app has started, which index.html notes. */
    __early__?: Early
  }
}

const field = 'textarea, input:not([type="radio"], [type="checkbox"], [type="hidden"])'
/** Selectors of what is typed in, pressed or focused. An element is found again by its place among those of its kind. */
const kinds = [field, 'input[type="radio"], input[type="checkbox"]', 'button', 'form', '[role="treeitem"]']

/** Selects the elements of the top bar that React takes over first: all except those in a `Part`. */
const bar = '#root > header :not([data-part] *)'

/**
 * Takes over what a person did before the app has started. `replayInBar` and `replay` carry it out: texts first, then presses. The
 * elements may have been replaced by others at the same place.
 */
export function takeEarly(root: HTMLElement): { replayInBar: () => void; replay: () => void } {
  const listAll = () => kinds.map((kind) => [...root.querySelectorAll<HTMLElement>(kind)])
  const before = listAll()
  const fields = (before[0] ?? []) as Field[]
  let focused = document.activeElement
  /** Returns the elements in place of others, found before any of them changes the page. */
  const find = (elements: readonly HTMLElement[]) => {
    const now = listAll()
    return elements.map((element) => {
      const kind = before.findIndex((all) => all.includes(element))
      return element.isConnected ? element : now[kind]?.[before[kind]?.indexOf(element) ?? -1]
    })
  }
  const press = (element: HTMLElement) => {
    const now = () => find([element])[0]
    element.removeAttribute('aria-busy')
    // React may replace the element when it takes over; the button loads what it opens.
    for (const type of ['pointerdown', 'pointerover']) now()?.dispatchEvent(new Event(type, { bubbles: true }))
    const shown = now()
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
      const pressed = find(presses)
      const shown = find(fields) as (Field | undefined)[]
      // A person goes on typing while the scripts arrive.
      for (const [index, { value, defaultValue }] of fields.entries())
        if (value !== defaultValue && shown[index]) type(shown[index], value)
      for (const [index, element] of presses.entries()) press(pressed[index] ?? element)
      // Cells of a map are of SVG.
      if (focused && !focused.isConnected) find([focused as HTMLElement])[0]?.focus()
    },
  }
}

type Field = HTMLInputElement | HTMLTextAreaElement

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
