import { styled } from '@mui/material/styles'
import { type RefObject, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation } from '../../lib/i18n.ts'

/** Returns whether the page is being printed. Updates synchronously, before the browser lays out the print. */
export function useIsPrinting(): boolean {
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

/** Largest number of rows that are printed. Not in the module that draws long lists, which loads later. */
export const printedRows = 2_000

/**
 * Says in print how many rows of a long list are printed, unless all are.
 *
 * @param total number of rows of the whole list; -1 if unknown
 */
export function PrintedRows({ loaded, total }: { loaded: number; total: number }) {
  const { t } = useLazyTranslation('history')
  const format = useFormat()
  const shown = Math.min(loaded, printedRows)
  if (shown === total) return null
  const number = [shown, ...(total === -1 ? [] : [total])].map(format.count).join(' / ')
  return <Rows>{t('past.shownPeople', { number })}</Rows>
}

const Rows = styled('p')({ display: 'none', fontSize: '0.8125rem', '@media print': { display: 'block' } })

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
