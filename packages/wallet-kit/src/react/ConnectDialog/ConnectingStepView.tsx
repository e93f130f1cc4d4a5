import type { ConnectingStep } from '../../core/state/state.ts'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import { Button } from '../Button.tsx'
import { isOnPhone } from '../device/device.ts'
import { canDownload } from '../device/findDownloads.ts'
import { useWalletKit } from '../hooks/useWalletKit.ts'
import { WalletIcon } from '../icons/WalletIcon.tsx'
import { useTranslate } from '../language.ts'
import { connectingTexts } from './connectingTexts.ts'
import { DownloadCards, OpenInWallet } from './WalletLinks.tsx'

type ConnectingStepViewProps = { step: ConnectingStep; wallet: WalletOption }

/** Shows the state of a request to a wallet. Every phase has the same layout, so that nothing jumps. */
export function ConnectingStepView({ step, wallet }: ConnectingStepViewProps) {
  const { dispatch } = useWalletKit()
  const t = useTranslate()
  const { title, text, detail } = connectingTexts(step, wallet, t)
  const isWaiting = step.phase === 'opening' || step.phase === 'alreadyOpen'
  const isMissing = step.phase === 'failed' && !wallet.installed && canDownload(wallet.downloadUrls)
  return (
    <div className="wk-step wk-own">
      <WalletIcon wallet={wallet} size={72} />
      <span className="wk-request-line wk-own" data-phase={step.phase} aria-hidden="true" />
      <h3 className="wk-step-title wk-own">{title}</h3>
      <p className="wk-step-text wk-own">{text}</p>
      <p className="wk-request-detail wk-own">{detail}</p>
      <div className="wk-actions wk-own">
        {!isWaiting && (
          <Button variant="contained" color="primary" onClick={() => dispatch({ type: 'retry' })}>
            {t('retry')}
          </Button>
        )}
        {isMissing && (
          <Button variant="text" color="primary" onClick={() => dispatch({ type: 'choose', walletId: wallet.id })}>
            {t('get', { wallet: wallet.shortName })}
          </Button>
        )}
      </div>
      {step.phase === 'failed' && isOnPhone() && (
        <DownloadCards>
          <OpenInWallet wallet={wallet} />
        </DownloadCards>
      )}
      {!wallet.verified && <p className="wk-notice wk-own">{t('unverifiedWarning')}</p>}
    </div>
  )
}
