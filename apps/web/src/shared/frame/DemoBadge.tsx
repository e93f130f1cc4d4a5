import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hitArea } from '../../lib/theme.ts'
import { LazyBoundary } from './ErrorBoundary.tsx'
import { lazyWithPreload } from './lazyWithPreload.tsx'

const DemoNote = lazyWithPreload(() => import('./DemoNote.tsx'))

/** Marks demo data; a click explains it and opens the demo wallet. */
export default function DemoBadge() {
  const { t } = useTranslation()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const close = () => setAnchor(null)
  return (
    <>
      <Mark
        type="button"
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {t('demo.mark')}
      </Mark>
      {anchor && (
        <LazyBoundary onError={close}>
          <DemoNote anchor={anchor} onClose={close} />
        </LazyBoundary>
      )}
    </>
  )
}

const Mark = styled('button')(({ theme }) => ({
  flex: 'none',
  ...hitArea('-6px 0'),
  minHeight: 32,
  padding: '0 8px',
  border: `1px dashed ${theme.vars?.palette.warning.main}`,
  background: 'none',
  color: theme.vars?.palette.warning.main,
  font: 'inherit',
  fontSize: '0.75rem',
  cursor: 'pointer',
}))
