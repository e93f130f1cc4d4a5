import { styled } from '@mui/material/styles'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { printedRows } from './useWindowRows.ts'

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
