import { type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { OpeningStep } from '../../core/state/state.ts'
import { storeDeepLink } from '../../core/wallets/deepLink.ts'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import { Button } from '../Button.tsx'
import { appLinkTarget, findAppLink, openOutsideTelegram } from '../device/appLinks.ts'
import { detectDevice } from '../device/device.ts'
import { canDownload } from '../device/findDownloads.ts'
import { useCopy } from '../device/useCopy.ts'
import { WalletIcon } from '../icons/WalletIcon.tsx'
import { useTranslate } from '../language.ts'
import { AppChoice } from './AppChoice.tsx'
import { connectingTexts, leadsToChoice } from './connectingTexts.ts'
import { DownloadCards, OpenInWallet, StoreLinks } from './WalletLinks.tsx'

type OpenAppStepProps = { step: OpeningStep; wallet: WalletOption }

/** Opens the wallet's app on a phone by a link, or lets the person choose one for a pairing of any app. */
export function OpenAppStep({ step, wallet }: OpenAppStepProps) {
  return step.uri && leadsToChoice(wallet) ? (
    <AppChoice uri={step.uri} wallet={wallet} />
  ) : (
    <OpenApp step={step} wallet={wallet} />
  )
}

/** Opens the wallet's app by a link, and offers other ways if the app does not open. */
function OpenApp({ step: { uri, ...step }, wallet }: OpenAppStepProps) {
  const t = useTranslate()
  const link = uri && findAppLink(wallet.relayLinks, uri, detectDevice())
  const { ref, onClick, isStillHere } = useOpenApp(link, wallet.names?.en ?? wallet.name)
  const isUnreachable = uri !== undefined && !link
  const hasOtherWays = isStillHere || isUnreachable
  const { state, copy } = useCopy(uri ?? '')
  const { title, text } = connectingTexts({ ...step, ...(uri && { uri }) }, wallet, t)
  return (
    <div className="wk-step wk-own">
      <WalletIcon wallet={wallet} size={72} />
      <h3 className="wk-step-title wk-own">{title}</h3>
      <p className="wk-step-text wk-own">{text}</p>
      <div className="wk-actions wk-own">
        {link ? (
          <Button ref={ref} href={link} {...appLinkTarget(link)} onClick={onClick} variant="contained" color="primary">
            {t('openApp', { wallet: wallet.shortName })}
          </Button>
        ) : (
          !isUnreachable && (
            <Button variant="contained" color="primary" disabled>
              {t('openApp', { wallet: wallet.shortName })}
            </Button>
          )
        )}
        {hasOtherWays && (
          <Button variant={isUnreachable ? 'contained' : 'text'} color="primary" onClick={copy}>
            {t(state === 'copied' ? 'copied' : 'copyLink')}
          </Button>
        )}
      </div>
      {isStillHere && <h4 className="wk-question wk-own">{t('stillHere', { wallet: wallet.shortName })}</h4>}
      {hasOtherWays && (
        <>
          <DownloadCards>
            <OpenInWallet wallet={wallet} />
            {canDownload(wallet.downloadUrls) && <StoreLinks wallet={wallet} />}
          </DownloadCards>
          {state === 'failed' && (
            <p className="wk-step-text wk-own" role="alert">
              {t('copyLinkFailedOnPhone')}
            </p>
          )}
        </>
      )}
    </div>
  )
}

/** Milliseconds after which the app has not opened if the page is still visible. */
const openTimeout = 2_500

type UseOpenAppReturnType = {
  ref: RefObject<HTMLAnchorElement | null>
  onClick: (event: MouseEvent) => void
  /** The link was clicked, and the page is still visible after a while. */
  isStillHere: boolean
}

/**
 * Opens an app by a link: at once if the tap on its row still counts as a user gesture, otherwise by a tap on the
 * link. iOS opens no app without a gesture.
 */
function useOpenApp(link: string | undefined, name: string): UseOpenAppReturnType {
  const ref = useRef<HTMLAnchorElement>(null)
  const isFirst = useRef(true)
  const [opened, setOpened] = useState(0)
  const [isStillHere, setStillHere] = useState(false)

  useEffect(() => {
    if (!link || !isFirst.current) return
    isFirst.current = false
    if (navigator.userActivation?.isActive) ref.current?.click()
  }, [link])

  useEffect(() => {
    if (opened === 0) return
    const timer = setTimeout(() => setStillHere(document.visibilityState === 'visible'), openTimeout)
    return () => clearTimeout(timer)
  }, [opened])

  const onClick = (event: MouseEvent) => {
    if (!link) return
    storeDeepLink(link, name)
    if (openOutsideTelegram(link)) event.preventDefault()
    setStillHere(false)
    setOpened((count) => count + 1)
  }
  return { ref, onClick, isStillHere }
}
