import Button from '@mui/material/Button'
import { useTranslation } from 'react-i18next'
import { Notice } from './Notice.tsx'

/** A page that could not be loaded or drawn. */
export function BrokenPage() {
  const { t } = useTranslation()
  return (
    <Notice title={t('broken.title')} text={t('broken.text')}>
      <Button variant="outlined" onClick={() => window.location.reload()}>
        {t('broken.reload')}
      </Button>
    </Notice>
  )
}
