import { type RefObject, useEffect, useState } from 'react'
import { useIsPrinting } from '../lookup/useIsPrinting.ts'

/** Pixels that every paper has room for. */
const printedWidth = 640

/** Returns the width of an element in pixels. It is not measured on paper, nor before the first measurement. */
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
