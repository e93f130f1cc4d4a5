type ShowOptions = {
  /** `false` leaves the page around the dialog usable. */
  isModal: boolean
  /** The element in the dialog that gets the focus. */
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
  // Missing in the documents of test runners. It throws in an element that is not part of the page.
  const isNative = typeof dialog.show === 'function' && dialog.isConnected
  if (!isNative) dialog.setAttribute('open', '')
  else if (isModal) dialog.showModal()
  else dialog.show()
  focus.focus({ preventScroll: true })

  // At the window, because modals of the page around the kit's button would close too.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing || !event.composedPath().includes(dialog)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    onClose()
  }
  window.addEventListener('keydown', onKeyDown, { capture: true })
  const unlock = lockScrolling(dialog.ownerDocument.documentElement)
  return () => {
    window.removeEventListener('keydown', onKeyDown, { capture: true })
    unlock()
    if (isNative) dialog.close()
    else {
      dialog.removeAttribute('open')
      if (opener instanceof HTMLElement) opener.focus()
    }
    dialog.inert = true
  }
}

/** Keeps a page from scrolling. Its width stays, although its scroll bar disappears. */
function lockScrolling(root: HTMLElement): () => void {
  const { overflow, scrollbarGutter } = root.style
  if (window.innerWidth > root.clientWidth) root.style.scrollbarGutter = 'stable'
  root.style.overflow = 'hidden'
  return () => {
    root.style.overflow = overflow
    root.style.scrollbarGutter = scrollbarGutter
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
