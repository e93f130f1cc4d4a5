import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Moves the focus to the title of a dialog, which gets the returned ref, when the focused control disappears, or when
 * the title changes while no control has the focus.
 */
export function useKeepFocus(): RefObject<HTMLHeadingElement | null> {
  const titleRef = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    const title = titleRef.current
    const dialog = title?.closest('[role="dialog"]')
    if (!title || !dialog) return
    let focused: EventTarget | null = dialog
    let name = title.textContent
    const remember = ({ target }: Event) => {
      focused = target
    }
    // Called before any timer: the focus trap would move the focus to the dialog, which screen readers announce.
    const observer = new MutationObserver(() => {
      const isNew = name !== title.textContent
      name = title.textContent
      const { activeElement } = title.getRootNode() as Document
      if ((isNew || !dialog.contains(focused as Node)) && (!activeElement || activeElement.contains(dialog)))
        title.focus()
    })
    dialog.addEventListener('focusin', remember)
    observer.observe(dialog, { subtree: true, childList: true, characterData: true })
    return () => {
      dialog.removeEventListener('focusin', remember)
      observer.disconnect()
    }
  }, [])
  return titleRef
}
