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
  const opener = dialog.ownerDocument.activeElement
  dialog.inert = false
  focus.inert = false
  if (dialog.style.contentVisibility) {
    dialog.style.contentVisibility = ''
    // Computed now, the styles of the content stay. Together with the next change, the browser would compute all of them again.
    dialog.ownerDocument.defaultView?.getComputedStyle(dialog).visibility
  }
  // A modal of the page has hidden its siblings, and with them a dialog that was rendered before it opened.
  dialog.removeAttribute('aria-hidden')
  // Missing in the documents of test runners. It throws in an element that is not part of the page.
  const isNative = typeof dialog.show === 'function' && dialog.isConnected
  // Otherwise the browser focuses the dialog's first control, and computes styles and layout once more for this element.
  focus.setAttribute('autofocus', '')
  if (!isNative) dialog.setAttribute('open', '')
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
  window.addEventListener('keydown', onKeyDown, { capture: true })
  const unlock = lockScrolling(dialog.ownerDocument.documentElement)
  return () => {
    window.removeEventListener('keydown', onKeyDown, { capture: true })
    unlock()
    const { activeElement } = dialog.getRootNode() as Document | ShadowRoot
    const last = activeElement instanceof HTMLElement && dialog.contains(activeElement) ? activeElement : dialog
    // Otherwise React returns the focus to it.
    last.inert = true
    if (isNative) dialog.close()
    else dialog.removeAttribute('open')
    const disable = () => {
      last.inert = false
      dialog.inert = !dialog.open
    }
    // After the frame in which it begins to fade out, because the styles of all that is in it are computed again.
    if (isNative && typeof requestAnimationFrame === 'function') afterFrame(disable)
    else disable()
    // Browsers return the focus themselves. Test runners do not, and React would return it to the closed dialog.
    queueMicrotask(() => {
      const isInside = !dialog.open && dialog.contains(dialog.ownerDocument.activeElement)
      if (isInside && opener instanceof HTMLElement) opener.focus()
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
  const side = event.shiftKey ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING
  if (!activeElement || stops.some((stop) => activeElement.compareDocumentPosition(stop) & side)) return
  event.preventDefault()
  stops.at(event.shiftKey ? -1 : 0)?.focus()
}

/** The pages that are kept from scrolling, and by how many dialogs: one may open before another has closed. */
const locks = new WeakMap<HTMLElement, { count: number; unlock: () => void }>()

/** Keeps a page from scrolling. Returns a function that ends it, unless another dialog keeps it too. */
function lockScrolling(root: HTMLElement): () => void {
  const lock = locks.get(root) ?? { count: 0, unlock: hideOverflow(root) }
  lock.count++
  locks.set(root, lock)
  return () => {
    lock.count--
    if (lock.count > 0) return
    locks.delete(root)
    lock.unlock()
  }
}

/** Hides what a page could scroll to. Its width stays, although its scroll bar disappears. */
function hideOverflow(root: HTMLElement): () => void {
  const { body } = root.ownerDocument
  const [rootIsVisible, bodyIsVisible] = [root, body].map((element) => getComputedStyle(element).overflow === 'visible')
  // Where the root has no overflow of its own, the viewport takes that of the body, which would else scroll by itself, from its start.
  const scroller = rootIsVisible && !bodyIsVisible ? body : root
  const undo = window.innerWidth > root.clientWidth ? [setStyle(root, 'scrollbar-gutter', 'stable')] : []
  for (const name of ['overflow-x', 'overflow-y']) undo.push(setStyle(scroller, name, 'hidden'))
  return () => {
    for (const one of undo) one()
  }
}

/** Sets a style of an element. Returns a function that undoes it, unless a modal of the page has changed it meanwhile. */
function setStyle(element: HTMLElement, name: string, value: string): () => void {
  const { style } = element
  const before = style.getPropertyValue(name)
  style.setProperty(name, value)
  return () => {
    if (style.getPropertyValue(name) === value) style.setProperty(name, before)
    // Chromium removes the attribute only after `getAttribute` has read the changed style.
    if (element.getAttribute('style') === '') element.removeAttribute('style')
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
