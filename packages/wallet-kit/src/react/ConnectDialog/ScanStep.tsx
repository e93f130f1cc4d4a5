import { lazy, Suspense } from 'react'
import type { OpeningStep } from '../../core/state/state.ts'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import { Button } from '../Button.tsx'
import { createRelayLink } from '../device/appLinks.ts'
import { canDownload } from '../device/findDownloads.ts'
import { useCopy } from '../device/useCopy.ts'
import { VisuallyHidden } from '../dialog/dialogParts.tsx'
import { useWalletKit } from '../hooks/useWalletKit.ts'
import { WalletIcon } from '../icons/WalletIcon.tsx'
import { useTranslate } from '../language.ts'
import { connectingTexts } from './connectingTexts.ts'

const QrCode = lazy(() => import('./QrCode.tsx').then((module) => ({ default: module.QrCode })))

type ScanStepProps = { step: OpeningStep; wallet: WalletOption }

/** Shows the QR code for a wallet on another device. Reserves its place while the code is loading. */
export function ScanStep({ step, wallet }: ScanStepProps) {
  const { dispatch } = useWalletKit()
  const t = useTranslate()
  const { uri } = step
  const { state, copy } = useCopy(uri ?? '')
  const label = t('qrCode', { wallet: wallet.name })
  return (
    <div className="wk-step wk-own">
      <div className="wk-qr wk-own" data-waiting={uri === undefined || undefined}>
        <Suspense>{uri && <QrCode text={createRelayLink(wallet.relayLinks?.qrCode, uri)} label={label} />}</Suspense>
        <span className="wk-qr-middle wk-own">
          <WalletIcon wallet={wallet} size={44} />
        </span>
      </div>
      <VisuallyHidden role="status">{state === 'copied' && t('copied')}</VisuallyHidden>
      <p className="wk-qr-text wk-own" role={state === 'failed' ? 'alert' : undefined}>
        {state === 'failed' ? t('copyLinkFailed') : connectingTexts(step, wallet, t).text}
      </p>
      <div className="wk-qr-actions wk-own">
        <Button color="primary" onClick={copy} disabled={!uri}>
          {t(state === 'copied' ? 'copied' : 'copyLink')}
        </Button>
        {canDownload(wallet.downloadUrls) && (
          <>
            <span className="wk-own">{t('dontHave', { wallet: wallet.shortName })}</span>
            <Button
              color="primary"
              onClick={() => dispatch({ type: 'choose', walletId: wallet.id })}
              aria-label={t('get', { wallet: wallet.name })}
            >
              {t('getShort')}
            </Button>
          </>
        )}
      </div>
    </div>
  )
}
