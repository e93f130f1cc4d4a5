import { defaultRangeExtractor, type Range, useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
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
import { printedRows, useIsPrinting } from './printing.tsx'

type Parameters = {
  count: number
  /** Estimated row height in pixels; rendered rows are measured. */
  height: { phone: number; wide: number }
  keyOf?: (index: number) => string | number
  /** A row that is rendered even when out of view, as the target of a jump. */
  kept?: number | undefined
}

/** Number of rows that a server renders, two screens of a phone. */
const sentRows = 24

/**
 * Virtualizes a long list in the window. Renders the rows in view, the focused one, and all rows when printing. A server renders the
 * first rows, one below the other: it knows neither their height nor how far a visitor has scrolled when the page starts.
 */
export function useWindowRows<element extends HTMLElement>({ count, height, keyOf, kept }: Parameters) {
  const body = useRef<element>(null)
  const [top, setTop] = useState(0)
  const [focused, setFocused] = useState<number>()
  const isPrinting = useIsPrinting()
  const width = useSyncExternalStore(
    subscribeToWidth,
    () => (window.matchMedia(query).matches ? 'phone' : 'wide'),
    () => undefined,
  )
  const isSent = width === undefined
  const sent = useRef<VirtualItem[]>([])
  const virtualizer = useWindowVirtualizer({
    count,
    enabled: !isSent,
    estimateSize: () => height[width ?? 'phone'],
    initialMeasurementsCache: sent.current,
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

  const widthBefore = useRef(width)
  useLayoutEffect(() => {
    if (widthBefore.current && widthBefore.current !== width) virtualizer.measure()
    widthBefore.current = width
  }, [virtualizer, width])

  // Content above the list may load later or disappear.
  useLayoutEffect(() => {
    const box = body.current?.getBoundingClientRect()
    if (isSent) sent.current = measureRows(body.current?.children ?? [], keyOf)
    if (box && !isPrinting) setTop(Math.round(box.top + window.scrollY))
  })

  const listFirst = (most: number) =>
    Array.from({ length: Math.min(count, most) }, (_, index) => ({ index, key: keyOf?.(index) ?? index }))

  return {
    virtualizer,
    top,
    isPrinting,
    rows: isPrinting ? listFirst(printedRows) : isSent ? listFirst(sentRows) : virtualizer.getVirtualItems(),
    /** Props of the rows' container. */
    bodyProps: {
      ref: body,
      style: isPrinting
        ? undefined
        : isSent
          ? { paddingBottom: Math.max(count - sentRows, 0) * height.phone }
          : { height: virtualizer.getTotalSize() },
      onFocus: (event: FocusEvent) => {
        const index = event.target.closest<HTMLElement>('[data-index]')?.dataset.index
        setFocused(index === undefined ? undefined : Number(index))
      },
      onBlur: () => setFocused(undefined),
    },
    /** Props of a row, which is positioned at the top left of the container. */
    placeOf: (row: { index: number; start?: number }) => ({
      ref: isSent ? null : virtualizer.measureElement,
      'data-index': row.index,
      style: (row.start === undefined
        ? { position: isPrinting ? 'static' : 'relative' }
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

/** Returns the heights of rows that are drawn one below the other. */
function measureRows(rows: Iterable<Element>, keyOf: Parameters['keyOf']): VirtualItem[] {
  return Array.from(rows, (row, index) => {
    const size = Math.round(row.getBoundingClientRect().height)
    return { key: keyOf?.(index) ?? index, index, start: 0, end: size, size, lane: 0 }
  })
}

const query = phone.slice('@media '.length)

function subscribeToWidth(onChange: () => void): () => void {
  const list = window.matchMedia(query)
  list.addEventListener('change', onChange)
  return () => list.removeEventListener('change', onChange)
}
