import type { WalletOption } from '../../core/wallets/wallet.ts'
import { Button } from '../Button.tsx'
import { WalletIcon } from '../icons/WalletIcon.tsx'
import { useTranslate } from '../language.ts'
import * as Connect from '../parts/Connect.tsx'
import { useConnectState } from '../parts/connectContext.tsx'
import { leadsToChoice } from '../parts/connectingTexts.ts'
import { AppChoice } from './AppChoice.tsx'
import { DownloadCards } from './WalletLinks.tsx'

/** Opens the wallet's app on a phone by a link, or lets the person choose one for a pairing of any app. */
export function OpenAppStep({ wallet }: { wallet: WalletOption }) {
  const { uri } = useConnectState()
  return uri && leadsToChoice(wallet) ? <AppChoice uri={uri} /> : <OpenApp wallet={wallet} />
}

/** Opens the wallet's app by a link, and offers other ways if the app does not open. */
function OpenApp({ wallet }: { wallet: WalletOption }) {
  const { uri, appLink, isAppMissing, copyState } = useConnectState()
  const t = useTranslate()
  const isUnreachable = uri !== undefined && !appLink
  const hasOtherWays = isAppMissing || isUnreachable
  return (
    <Connect.Step className="wk-step wk-own">
      <WalletIcon wallet={wallet} size={72} />
      <Connect.StepTitle className="wk-step-title wk-own" />
      <Connect.StepText className="wk-step-text wk-own" />
      <div className="wk-actions wk-own">
        <Connect.AppLink render={<Button variant="contained" />} />
        {hasOtherWays && <Connect.CopyLink render={<Button variant={isUnreachable ? 'contained' : 'text'} />} />}
      </div>
      {isAppMissing && <h4 className="wk-question wk-own">{t('stillHere', { wallet: wallet.shortName })}</h4>}
      {hasOtherWays && <DownloadCards />}
      {hasOtherWays && copyState === 'failed' && (
        <p className="wk-step-text wk-own" role="alert">
          {t('copyLinkFailedOnPhone')}
        </p>
      )}
    </Connect.Step>
  )
}
