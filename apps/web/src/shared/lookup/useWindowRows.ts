import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type FocusEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { phone } from '../../lib/theme.ts'

type Parameters = {
  count: number
  /** Of most rows, in pixels: what differs is measured once it is drawn. */
  height: { phone: number; wide: number }
  keyOf?: (index: number) => string | number
  /** Drawn although it is not in sight: where one is about to go. */
  kept?: number | undefined
}

/** Paper takes no more than this. */
const printedRows = 2_000

/** Which rows of a long list in the page are drawn, and where: those in sight, the one in focus, and all for a printer. */
export function useWindowRows<element extends HTMLElement>({ count, height, keyOf, kept }: Parameters) {
  const body = useRef<element>(null)
  const [top, setTop] = useState(0)
  const [focused, setFocused] = useState<number>()
  const isPrinting = useIsPrinting()
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => height[window.matchMedia(phone.slice('@media '.length)).matches ? 'phone' : 'wide'],
    ...(keyOf && { getItemKey: keyOf }),
    overscan: 12,
    scrollMargin: top,
    // What is in focus stays, however far one scrolls.
    rangeExtractor: (range: Range) => {
      const held = [focused, kept].filter((index) => index !== undefined && index < count)
      if (held.length === 0) return defaultRangeExtractor(range)
      return [...new Set([...defaultRangeExtractor(range), ...(held as number[])])].sort((a, b) => a - b)
    },
  })

  // What stands above may come later, or go.
  useLayoutEffect(() => {
    const box = body.current?.getBoundingClientRect()
    if (box && !isPrinting) setTop(Math.round(box.top + window.scrollY))
  })

  return {
    virtualizer,
    top,
    isPrinting,
    rows: isPrinting
      ? Array.from({ length: Math.min(count, printedRows) }, (_, index) => ({ index, key: keyOf?.(index) ?? index }))
      : virtualizer.getVirtualItems(),
    /** Of what holds the rows. */
    bodyProps: {
      ref: body,
      style: isPrinting ? undefined : { height: virtualizer.getTotalSize() },
      onFocus: (event: FocusEvent) => {
        const index = event.target.closest<HTMLElement>('[data-index]')?.dataset.index
        setFocused(index === undefined ? undefined : Number(index))
      },
      onBlur: () => setFocused(undefined),
    },
    /** Of a row, which is at the top left of what holds it. */
    placeOf: (row: { index: number; start?: number }) => ({
      ref: virtualizer.measureElement,
      'data-index': row.index,
      style: (row.start === undefined
        ? { position: 'static' }
        : { transform: `translateY(${row.start - top}px)` }) as CSSProperties,
    }),
  }
}

/** Known before the browser draws what it prints. */
function useIsPrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false)
  useEffect(() => {
    const begin = () => flushSync(() => setIsPrinting(true))
    const end = () => setIsPrinting(false)
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
  return isPrinting
}
