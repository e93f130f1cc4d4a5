import Button from '@mui/material/Button'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { Notice } from './Notice.tsx'

export default function NotFound() {
  const { t } = useTranslation()
  return (
    <Notice title={t('notFound.title')} text={t('notFound.text')}>
      <Button variant="outlined" component={Link} to="/">
        {t('notFound.back')}
      </Button>
    </Notice>
  )
}
