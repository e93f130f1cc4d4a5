import type { WalletOption } from '../../core/wallets/wallet.ts'
import { Button } from '../Button.tsx'
import { appLinkTarget } from '../device/appLinks.ts'
import { canOpenLink, detectDevice } from '../device/device.ts'
import { WalletIcon } from '../icons/WalletIcon.tsx'
import { useTranslate } from '../language.ts'
import * as Connect from '../parts/Connect.tsx'
import { useConnectState } from '../parts/connectContext.tsx'
import { leadsToChoice } from '../parts/connectingTexts.ts'
import { useApps } from '../parts/useApps.ts'
import { DownloadCards } from './WalletLinks.tsx'
import { maxWithoutSearch, SearchField, withBreaks } from './WalletList.tsx'

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

/** Lets the person choose the app in which a pairing is opened. A page cannot know which apps are on the phone. */
function AppChoice({ uri }: { uri: string }) {
  const { wallet, copyState } = useConnectState()
  const { all, found } = useApps()
  const t = useTranslate()
  return (
    <Connect.Apps className="wk-step wk-own">
      <p className="wk-step-text wk-own">{t('chooseWallet')}</p>
      {all.length > maxWithoutSearch && <SearchField found={found.map(({ app }) => app)} />}
      <ul className="wk-rows wk-apps wk-own" data-grid>
        {found.map((linked) => (
          <li className="wk-own" key={linked.app.id}>
            <Connect.App app={linked} className="wk-row wk-wallet wk-own" data-tile="">
              <WalletIcon wallet={linked.app} loading="lazy" />
              <span className="wk-wallet-label wk-own">
                <bdi className="wk-own" translate="no">
                  {withBreaks(linked.app.shortName ?? linked.app.name)}
                </bdi>
              </span>
            </Connect.App>
          </li>
        ))}
      </ul>
      <div className="wk-actions wk-own">
        {canOpenLink(uri, detectDevice()) && (
          <Button href={uri} {...appLinkTarget(uri)}>
            {t('openApp', { wallet: wallet?.shortName ?? '' })}
          </Button>
        )}
        <Connect.CopyLink render={<Button />} />
      </div>
      {copyState === 'failed' && (
        <p className="wk-step-text wk-own" role="alert">
          {t('copyLinkFailedOnPhone')}
        </p>
      )}
    </Connect.Apps>
  )
}
