import { type RefObject, useEffect, useState } from 'react'
import { useIsPrinting } from '../lookup/useIsPrinting.ts'

/** Pixels that every paper has room for. */
const printedWidth = 640

/** Returns the width of an element in pixels; in print and before the first measurement, a fixed one. */
export function useWidth(frame: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(printedWidth)
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width))
    observer.observe(element)
    return () => observer.disconnect()
  }, [frame])
  return useIsPrinting() ? printedWidth : width
}
