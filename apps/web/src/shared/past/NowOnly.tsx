import { styled } from '@mui/material/styles'
import { useSearchParams } from 'react-router-dom'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { Announced } from '../frame/Announcer.tsx'
import { LazyBoundary } from '../frame/ErrorBoundary.tsx'

/** Shows a note that the page shows the present, if its link names a day or block. */
export function NowOnly() {
  const [parameters] = useSearchParams()
  return (
    parameters.has('asOf') && (
      <LazyBoundary>
        <NowNote />
      </LazyBoundary>
    )
  )
}

/** Explains that the page shows the present, although its link names a day or block. */
function NowNote() {
  const { t } = useLazyTranslation('history')
  return (
    <PageNote>
      <Announced>{t('past.nowOnly')}</Announced>
    </PageNote>
  )
}

/** A note on what a page does not show, although its link asks for it. */
export const PageNote = styled('p')(({ theme }) => ({
  maxWidth: '60em',
  margin: '14px 0',
  padding: '10px 0 10px 18px',
  borderLeft: `3px solid ${theme.vars?.palette.warning.main}`,
  fontSize: '0.8125rem',
  color: theme.vars?.palette.text.secondary,
}))
