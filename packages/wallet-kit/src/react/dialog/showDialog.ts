import { tabStops } from './focus.ts'

type ShowOptions = {
  /** `false` leaves the page around the dialog usable. */
  isModal: boolean
  /** The element that gets the focus: the dialog, or one in it. */
  focus: HTMLElement
  onClose: () => void
}

/**
 * Shows a `<dialog>`, moves the focus into it, and keeps the page from scrolling. Returns a function that undoes all of it and
 * returns the focus; the element stays drawn, so that it can fade out.
 */
export function showDialog(dialog: HTMLDialogElement, { isModal, focus, onClose }: ShowOptions): () => void {
  const page = dialog.ownerDocument
  const opener = page.activeElement
  dialog.inert = false
  focus.inert = false
  if (dialog.style.contentVisibility) {
    dialog.style.contentVisibility = ''
    // Computed now, the styles of the content stay. Together with the next change, the browser would compute all of them again.
    getComputedStyle(dialog).visibility
  }
  // A modal of the page has hidden its siblings, and with them a dialog that was rendered before it opened.
  dialog.removeAttribute('aria-hidden')
  // Missing in the documents of test runners. It throws in an element that is not part of the page.
  const isNative = typeof dialog.show === 'function' && dialog.isConnected
  // Otherwise the browser focuses the dialog's first control, and computes styles and layout once more for this element.
  focus.setAttribute('autofocus', '')
  if (!isNative) dialog.open = true
  else if (isModal) dialog.showModal()
  else dialog.show()
  focus.removeAttribute('autofocus')
  if ((dialog.getRootNode() as Document | ShadowRoot).activeElement !== focus) focus.focus({ preventScroll: true })

  // At the window, because modals of the page around the kit's button would close too.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || !event.composedPath().includes(dialog)) return
    if (event.key === 'Tab' && isModal) wrapFocus(event, dialog)
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopImmediatePropagation()
    onClose()
  }
  const { defaultView } = page
  defaultView?.addEventListener('keydown', onKeyDown, true)
  const unlock = lockScrolling(page)
  return () => {
    defaultView?.removeEventListener('keydown', onKeyDown, true)
    unlock()
    const { activeElement } = dialog.getRootNode() as Document | ShadowRoot
    const last = dialog.contains(activeElement) ? (activeElement as HTMLElement) : dialog
    // Otherwise React returns the focus to it.
    last.inert = true
    if (isNative) dialog.close()
    else dialog.open = false
    const disable = () => {
      last.inert = false
      dialog.inert = !dialog.open
    }
    // After the frame in which it begins to fade out, because the styles of all that is in it are computed again.
    if (isNative && typeof requestAnimationFrame === 'function') afterFrame(disable)
    else disable()
    // Browsers return the focus themselves. Test runners do not, and React would return it to the closed dialog.
    queueMicrotask(() => {
      const isInside = !dialog.open && dialog.contains(page.activeElement)
      if (isInside) (opener as HTMLElement | null)?.focus()
    })
  }
}

/**
 * Lays out a dialog before it opens. After that frame the browser skips its content, so that changes of the page do not
 * compute its styles again. Returns a function that cancels the skipping.
 */
export function layOutEarly(dialog: HTMLDialogElement): () => void {
  return afterFrame(() => {
    dialog.style.contentVisibility = 'hidden'
  })
}

/** Runs a task after the next frame has been drawn. Returns a function that cancels it. */
function afterFrame(task: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(task)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

/** Moves the focus from the last control of a dialog to its first, and back, instead of out of the page. */
function wrapFocus(event: KeyboardEvent, dialog: HTMLDialogElement): void {
  const { activeElement } = dialog.getRootNode() as Document | ShadowRoot
  const stops = [...dialog.querySelectorAll<HTMLElement>(tabStops)].filter((stop) => stop.checkVisibility?.() !== false)
  // `DOCUMENT_POSITION_PRECEDING` and `DOCUMENT_POSITION_FOLLOWING`.
  const side = event.shiftKey ? 2 : 4
  if (!activeElement || stops.some((stop) => activeElement.compareDocumentPosition(stop) & side)) return
  event.preventDefault()
  stops.at(event.shiftKey ? -1 : 0)?.focus()
}

/**
 * Keeps a page from scrolling, and its width, although its scroll bar disappears. In a style sheet, because modals of the page store and
 * restore the styles of its elements, in any order. Returns a function that ends it.
 */
function lockScrolling(page: Document): () => void {
  const { documentElement: root, body, defaultView } = page
  // Missing in the documents of test runners.
  if (!defaultView || !page.adoptedStyleSheets) return () => {}
  const { overflow, scrollbarGutter } = getComputedStyle(root)
  // Where the root has no overflow of its own, the viewport takes that of the body, which would else scroll by itself, from its start.
  const scroller = overflow === 'visible' && getComputedStyle(body).overflow !== 'visible' ? 'body' : 'html'
  const gutter = scrollbarGutter === 'auto' && defaultView.innerWidth > root.clientWidth ? 'stable' : scrollbarGutter
  const sheet = new defaultView.CSSStyleSheet()
  sheet.replaceSync(`${scroller}{overflow:hidden!important}html{scrollbar-gutter:${gutter}!important}`)
  page.adoptedStyleSheets = [...page.adoptedStyleSheets, sheet]
  return () => {
    page.adoptedStyleSheets = page.adoptedStyleSheets.filter((other) => other !== sheet)
  }
}

/**
 * Calls `onDrawn` when something is added to the page, beside its other parts and the dialog: the window of a wallet, for which the
 * page must stay usable. Returns a function that stops.
 */
export function watchForOverlays(dialog: HTMLDialogElement, onDrawn: () => void): () => void {
  const { documentElement, body } = dialog.ownerDocument
  const observer = new MutationObserver((changes) => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes])
    if (added.some((node) => node instanceof HTMLElement && !node.contains(dialog) && isDrawn(node))) onDrawn()
  })
  for (const parent of [documentElement, body]) observer.observe(parent, { childList: true })
  return () => observer.disconnect()
}

const isDrawn = (element: HTMLElement) =>
  !element.matches('script, style, link, template') && getComputedStyle(element).display !== 'none'
