import { useLayoutEffect, useRef } from 'react'

const focusable = 'button:not(:disabled), a[href], input:not(:disabled), [tabindex="0"]'

/**
 * Returns a function that moves the focus after the last dialog closed, if the element that opened the first one is
 * gone (such as a menu item): to the focusable element closest to its place.
 */
export function useReturnFocus(open: boolean): () => void {
  const ancestors = useRef<Element[]>([])
  // A layout effect runs before the dialog takes the focus.
  useLayoutEffect(() => {
    if (!open) return
    ancestors.current = []
    for (let element = document.activeElement; element && element !== document.body; element = element.parentElement)
      ancestors.current.push(element)
  }, [open])

  return () => {
    if (ancestors.current[0]?.isConnected !== false) return
    const near = ancestors.current.map(
      (element) => element.isConnected && element.querySelector<HTMLElement>(focusable),
    )
    const [nearest] = near.filter((element) => element instanceof HTMLElement)
    nearest?.focus()
  }
}
