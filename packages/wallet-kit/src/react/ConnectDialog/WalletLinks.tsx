import type { InAppBrowser } from '../../core/wallets/userAgent.ts'
import type { MessageKey } from '../../locales/en.ts'
import { Button } from '../Button.tsx'
import { detectDevice, findBlockingApp } from '../device/device.ts'
import { useCopy } from '../device/useCopy.ts'
import { Icon } from '../icons/Icon.tsx'
import { useTranslate } from '../language.ts'
import * as Connect from '../parts/Connect.tsx'
import { useConnectState } from '../parts/connectContext.tsx'

/** Renders the ways to get the wallet of the step: links that leave the page, and buttons to the next step. */
export function DownloadCards() {
  const { step, wallet } = useConnectState()
  const t = useTranslate()
  return (
    <Connect.Downloads className="wk-cards wk-own">
      {(downloads) => (
        <>
          <OpenInBrowser />
          {downloads.map((download) => (
            <Connect.DownloadLink key={download.kind} download={download} className="wk-plain wk-card wk-own">
              <span className="wk-own">
                <span className="wk-own">{download.title}</span>
                {download.text && <small className="wk-card-text wk-own">{download.text}</small>}
              </span>
              <Icon name={download.href ? 'external' : 'next'} />
            </Connect.DownloadLink>
          ))}
          {step.name !== 'connecting' && !downloads.some(({ kind }) => kind !== 'openInWallet') && (
            <p className="wk-notice wk-own">{t('downloadElsewhere', { wallet: wallet?.shortName ?? '' })}</p>
          )}
        </>
      )}
    </Connect.Downloads>
  )
}

const names: Partial<Record<InAppBrowser, MessageKey>> = { wechat: 'appWeChat', qq: 'appQQ' }

/** Explains, in a chat app that blocks links to other apps, how to open the page in a browser, and copies its link. */
export function OpenInBrowser() {
  const t = useTranslate()
  const app = findBlockingApp(detectDevice())
  const name = app && names[app]
  const { state, copy } = useCopy(window.location.href)
  if (!name) return null
  return (
    <div className="wk-blocked wk-own">
      <p className="wk-notice wk-own">{t('openInBrowser', { app: t(name) })}</p>
      {state === 'failed' && (
        <>
          <p className="wk-notice wk-own" role="alert">
            {t('copyPageFailed')}
          </p>
          <p className="wk-page-link wk-own" translate="no">
            {window.location.href}
          </p>
        </>
      )}
      <Button variant="outlined" onClick={copy}>
        {t(state === 'copied' ? 'copied' : 'copyPageLink')}
      </Button>
    </div>
  )
}
