import Button from '@mui/material/Button'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { MessagePage } from './MessagePage.tsx'

export default function NotFound() {
  const { t } = useTranslation()
  return (
    <MessagePage title={t('notFound.title')} text={t('notFound.text')}>
      <Button variant="outlined" component={Link} to="/">
        {t('notFound.back')}
      </Button>
    </MessagePage>
  )
}
