import { styled } from '@mui/material/styles'
import { useLazyTranslation } from '../../lib/i18n.ts'

/** Explains that the page shows the present, although its link names a day or block. */
export default function NowNote() {
  const { t } = useLazyTranslation('history')
  return <Note role="status">{t('past.nowOnly')}</Note>
}

const Note = styled('p')(({ theme }) => ({
  maxWidth: '60em',
  margin: '14px 0',
  padding: '10px 0 10px 18px',
  borderLeft: `3px solid ${theme.vars?.palette.warning.main}`,
  fontSize: '0.8125rem',
  color: theme.vars?.palette.text.secondary,
}))
