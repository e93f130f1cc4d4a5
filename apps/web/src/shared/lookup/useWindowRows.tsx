import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  type FocusEvent,
  type ReactNode,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { phone } from '../../lib/theme.ts'
import { printedRows } from './PrintedRows.tsx'
import { useIsPrinting } from './useIsPrinting.ts'

type Parameters = {
  count: number
  /** Estimated row height in pixels; rendered rows are measured. */
  height: { phone: number; wide: number }
  keyOf?: (index: number) => string | number
  /** A row that is rendered even when out of view, as the target of a jump. */
  kept?: number | undefined
}

/** Virtualizes a long list in the window. Renders the rows in view, the focused one, and all rows when printing. */
export function useWindowRows<element extends HTMLElement>({ count, height, keyOf, kept }: Parameters) {
  const body = useRef<element>(null)
  const [top, setTop] = useState(0)
  const [focused, setFocused] = useState<number>()
  const isPrinting = useIsPrinting()
  const width = useSyncExternalStore(
    subscribeToWidth,
    () => (window.matchMedia(query).matches ? 'phone' : 'wide'),
    () => 'phone' as const,
  )
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => height[width],
    // The rows that a server renders.
    initialRect: { width: 360, height: 800 },
    ...(keyOf && { getItemKey: keyOf }),
    overscan: 12,
    scrollMargin: top,
    // Keep the focused row rendered wherever the user scrolls.
    rangeExtractor: (range: Range) => {
      const held = [focused, kept].filter((index) => index !== undefined && index < count)
      if (held.length === 0) return defaultRangeExtractor(range)
      return [...new Set([...defaultRangeExtractor(range), ...(held as number[])])].sort((a, b) => a - b)
    },
  })

  useLayoutEffect(() => {
    if (width === 'wide') virtualizer.measure()
  }, [virtualizer, width])

  // Content above the list may load later or disappear.
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
    /** Props of the rows' container. */
    bodyProps: {
      ref: body,
      style: isPrinting ? undefined : { height: virtualizer.getTotalSize() },
      onFocus: (event: FocusEvent) => {
        const index = event.target.closest<HTMLElement>('[data-index]')?.dataset.index
        setFocused(index === undefined ? undefined : Number(index))
      },
      onBlur: () => setFocused(undefined),
    },
    /** Props of a row, which is positioned at the top left of the container. */
    placeOf: (row: { index: number; start?: number }) => ({
      ref: virtualizer.measureElement,
      'data-index': row.index,
      style: (row.start === undefined
        ? { position: 'static' }
        : // No `transform`, in which a full address would be placed as on the screen.
          { top: row.start - top }) as CSSProperties,
    }),
  }
}

export type WindowRows = ReturnType<typeof useWindowRows<HTMLOListElement>>

/** Calls `children` with the rows of a list. It is a component, so that a short list does not load this file. */
export default function WindowRows({
  children,
  ...parameters
}: Parameters & { children: (rows: WindowRows) => ReactNode }) {
  return children(useWindowRows<HTMLOListElement>(parameters))
}

const query = phone.slice('@media '.length)

function subscribeToWidth(onChange: () => void): () => void {
  const list = window.matchMedia(query)
  list.addEventListener('change', onChange)
  return () => list.removeEventListener('change', onChange)
}
