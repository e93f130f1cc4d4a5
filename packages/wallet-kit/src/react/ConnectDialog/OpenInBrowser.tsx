import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import type { InAppBrowser } from '../../core/surroundings.ts'
import type { MessageKey } from '../../locales/en.ts'
import { detectDevice, findClosedApp } from '../platform.ts'
import { useCopy } from '../useCopy.ts'
import { useTranslate } from '../useTranslate.ts'
import { Notice } from './Notice.tsx'

const names: Partial<Record<InAppBrowser, MessageKey>> = { wechat: 'appWeChat', qq: 'appQQ' }

/** In a chat app that opens no other app: how to come to a browser, and the link to take there. */
export function OpenInBrowser() {
  const t = useTranslate()
  const app = findClosedApp(detectDevice())
  const name = app && names[app]
  const { state, copy } = useCopy(window.location.href)
  if (!name) return null
  return (
    <Place>
      <Notice>{t('openInBrowser', { app: t(name) })}</Notice>
      {state === 'failed' && (
        <>
          <Notice role="alert">{t('copyPageFailed')}</Notice>
          <PageLink>{window.location.href}</PageLink>
        </>
      )}
      <Button variant="outlined" color="primary" onClick={copy}>
        {t(state === 'copied' ? 'copied' : 'copyPageLink')}
      </Button>
    </Place>
  )
}

const Place = styled('div')({
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'flex-start',
  gap: 12,
  padding: '0 10px 12px',
  '& .MuiButton-root': { minHeight: 44, paddingInline: 20 },
})

const PageLink = styled('p')({
  margin: 0,
  fontSize: 13,
  lineHeight: '19px',
  overflowWrap: 'anywhere',
  userSelect: 'all',
})
