import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { useTranslation } from '../../lib/i18n.ts'
import { Button } from './Button.tsx'
import { Link } from './Link.tsx'
import { LineageMark } from './Logo.tsx'
import { Page } from './Page.tsx'

/** Renders a page with a message and one button. */
function MessagePage({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <Root>
      <LineageMark form="broken" height={200} />
      <Page title={title} heading={title} hint={text} size="large">
        {children}
      </Page>
    </Root>
  )
}

const Root = styled('div')({
  display: 'flex',
  gap: '0 48px',
  alignItems: 'center',
  minHeight: '60vh',
  '@media (max-width: 767.95px)': { gap: '0 24px', '& > svg': { width: 72 } },
})

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

export function NotFound() {
  const { t } = useTranslation()
  return (
    <MessagePage title={t('notFound.title')} text={t('notFound.text')}>
      <Button variant="outlined" component={Link} to="/">
        {t('notFound.back')}
      </Button>
    </MessagePage>
  )
}
