import { styled } from '@mui/material/styles'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation } from '../../lib/i18n.ts'

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
  return <Root>{t('past.shownPeople', { number })}</Root>
}

const Root = styled('p')({ display: 'none', fontSize: '0.8125rem', '@media print': { display: 'block' } })
