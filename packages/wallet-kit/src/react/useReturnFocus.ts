import { useLayoutEffect, useRef } from 'react'

const focusable = 'button:not(:disabled), a[href], input:not(:disabled), [tabindex="0"]'

/**
 * The focus goes back to what opened a dialog; this is for when that has vanished meanwhile, as an entry of a menu does:
 * to what stands nearest to where it was.
 */
export function useReturnFocus(open: boolean): () => void {
  const way = useRef<Element[]>([])
  // Before the dialog takes the focus, which it does in an effect.
  useLayoutEffect(() => {
    if (!open) return
    way.current = []
    for (let element = document.activeElement; element && element !== document.body; element = element.parentElement)
      way.current.push(element)
  }, [open])

  return () => {
    if (way.current[0]?.isConnected !== false) return
    const near = way.current.map((element) => element.isConnected && element.querySelector<HTMLElement>(focusable))
    const [nearest] = near.filter((element) => element instanceof HTMLElement)
    nearest?.focus()
  }
}
