import { useEffect } from 'react'

/** Dialogs and menus give their focus back themselves. */
const ownFocus = '[role="dialog"], [role="menu"], [role="listbox"]'

/**
 * Moves the focus of an element that leaves the page, such as a button that has done its work, to the heading of its section, or of the
 * page: screen readers and keyboards would start from the top of the page.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    const main = document.querySelector('main')
    if (!main) return
    let focused: Element | undefined
    let section: Element | null = null
    const onFocus = ({ target }: FocusEvent) => {
      const element = target as Element
      focused = element.closest(ownFocus) ? undefined : element
      section = element.closest('section[aria-labelledby]')
    }
    const onBlur = ({ target }: FocusEvent) =>
      // Some browsers tell this of an element that leaves the page, too.
      queueMicrotask(() => {
        if (target === focused && focused?.isConnected) focused = undefined
      })
    const observer = new MutationObserver(() => {
      if (!focused || focused.isConnected) return
      focused = undefined
      if (document.activeElement !== document.body) return
      const heading = (section?.isConnected && section.querySelector('h2')) || main.querySelector('h1')
      if (!heading) return
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    })
    main.addEventListener('focusin', onFocus)
    main.addEventListener('focusout', onBlur)
    observer.observe(main, { childList: true, subtree: true })
    return () => {
      main.removeEventListener('focusin', onFocus)
      main.removeEventListener('focusout', onBlur)
      observer.disconnect()
    }
  }, [])
}
