import Button from '@mui/material/Button'
import { useTranslation } from 'react-i18next'
import { MessagePage } from './MessagePage.tsx'

/** Explains that a page could not be loaded or rendered, with a button that reloads it. */
export function BrokenPage() {
  const { t } = useTranslation()
  const isOnline = navigator.onLine
  return (
    <MessagePage title={t('broken.title')} text={t(isOnline ? 'broken.text' : 'broken.offline')}>
      {/* Offline, a reload would lose the page. */}
      {isOnline && (
        <Button variant="outlined" onClick={() => window.location.reload()}>
          {t('broken.reload')}
        </Button>
      )}
    </MessagePage>
  )
}
