import Button from '@mui/material/Button'
import { useTranslation } from 'react-i18next'
import { MessagePage } from './MessagePage.tsx'

/** Explains that a page could not be loaded or rendered. */
export function BrokenPage() {
  const { t } = useTranslation()
  return <MessagePage title={t('broken.title')} {...useBroken()} />
}

/**
 * Returns why something could not be loaded, and a button that reloads the page. Offline there is no button: a reload would lose
 * the page, which goes on by itself when the network is back.
 */
export function useBroken() {
  const { t } = useTranslation()
  if (!navigator.onLine) return { text: t('failure.offline.text') }
  const reload = (
    <Button variant="outlined" onClick={() => window.location.reload()}>
      {t('broken.reload')}
    </Button>
  )
  return { text: t('broken.text'), children: reload }
}
