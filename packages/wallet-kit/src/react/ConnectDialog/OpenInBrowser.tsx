import { styled } from '@mui/material/styles'
import type { InAppBrowser } from '../../core/wallets/userAgent.ts'
import type { MessageKey } from '../../locales/en.ts'
import { Button } from '../Button.tsx'
import { detectDevice, findBlockingApp } from '../device/device.ts'
import { useCopy } from '../device/useCopy.ts'
import { useTranslate } from '../language/useTranslate.ts'
import { Notice } from './Notice.tsx'

const names: Partial<Record<InAppBrowser, MessageKey>> = { wechat: 'appWeChat', qq: 'appQQ' }

/** Explains, in a chat app that blocks links to other apps, how to open the page in a browser, and copies its link. */
export function OpenInBrowser() {
  const t = useTranslate()
  const app = findBlockingApp(detectDevice())
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
