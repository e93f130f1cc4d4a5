import type { WalletOption } from '../../core/wallets/wallet.ts'
import { Button } from '../Button.tsx'
import { isOnPhone } from '../device/device.ts'
import { canDownload } from '../device/findDownloads.ts'
import { WalletIcon } from '../icons/WalletIcon.tsx'
import { useTranslate } from '../language.ts'
import * as Connect from '../parts/Connect.tsx'
import { useConnectState } from '../parts/connectContext.tsx'
import { DownloadCards } from './WalletLinks.tsx'

/** Shows the state of a request to a wallet. Every phase has the same layout, so that nothing jumps. */
export function ConnectingStepView({ wallet }: { wallet: WalletOption }) {
  const { step } = useConnectState()
  const t = useTranslate()
  const phase = step.name === 'connecting' ? step.phase : undefined
  const isMissing = phase === 'failed' && !wallet.installed && canDownload(wallet.downloadUrls)
  return (
    <Connect.Step className="wk-step wk-own">
      <WalletIcon wallet={wallet} size={72} />
      <span className="wk-request-line wk-own" data-phase={phase} aria-hidden="true" />
      <Connect.StepTitle className="wk-step-title wk-own" />
      <Connect.StepText className="wk-step-text wk-own" />
      <Connect.StepDetail className="wk-request-detail wk-own" />
      <div className="wk-actions wk-own">
        <Connect.Retry render={<Button variant="contained" />} />
        {isMissing && (
          <Connect.Action event={{ type: 'choose', walletId: wallet.id }} render={<Button />}>
            {t('get', { wallet: wallet.shortName })}
          </Connect.Action>
        )}
      </div>
      {phase === 'failed' && isOnPhone() && <DownloadCards />}
      {!wallet.verified && <p className="wk-notice wk-own">{t('unverifiedWarning')}</p>}
    </Connect.Step>
  )
}
