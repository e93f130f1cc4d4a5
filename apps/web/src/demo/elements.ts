/** Creates an element with attributes and children. */
export function element<tag extends keyof HTMLElementTagNameMap>(
  tag: tag,
  attributes: Record<string, string> = {},
  children: readonly (Node | string)[] = [],
): HTMLElementTagNameMap[tag] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

export function button(text: string, onClick: () => void, attributes: Record<string, string> = {}): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, text ? [text] : [])
  made.addEventListener('click', onClick)
  return made
}

/** Renders names and values; values that are `undefined` are left out. */
export function facts(rows: readonly (readonly [string, string | undefined])[]): HTMLElement {
  const shown = rows.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]))
  return element(
    'dl',
    {},
    shown.flatMap(({ name, value }) => [element('dt', {}, [name]), element('dd', {}, [literal(value)])]),
  )
}

/** Renders addresses and calls in monospace. */
function literal(text: string): HTMLElement | string {
  return /\b0x/.test(text) ? element('code', {}, [text]) : text
}

/** Renders a scrollable block, reachable by keyboard. */
export function block(name: string, text: string): HTMLElement {
  return element('pre', { tabindex: '0', role: 'group', 'aria-label': name }, [text])
}

type Option<value> = { value: value; text: string; title: string }

/** Renders radio buttons. */
export function radioGroup<value>(
  name: string,
  options: readonly Option<value>[],
  selected: value,
  choose: (value: value) => void,
) {
  return element('fieldset', {}, [
    element('legend', {}, [name]),
    ...options.map((option) => {
      const input = element('input', { type: 'radio', name })
      input.checked = option.value === selected
      input.addEventListener('change', () => choose(option.value))
      // `showModal` focuses this.
      if (input.checked) input.setAttribute('autofocus', '')
      return element('label', { title: option.title }, [input, literal(option.text)])
    }),
  ])
}
