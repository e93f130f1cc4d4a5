import { Button } from '../Button.tsx'
import { appLinkTarget } from '../device/appLinks.ts'
import { canOpenLink, detectDevice } from '../device/device.ts'
import { WalletIcon } from '../icons/WalletIcon.tsx'
import { useTranslate } from '../language.ts'
import * as Connect from '../parts/Connect.tsx'
import { useConnectState } from '../parts/connectContext.tsx'
import { useApps } from '../parts/useApps.ts'
import { maxWithoutSearch, SearchField } from './WalletList.tsx'
import { withBreaks } from './WalletRow.tsx'

/** Lets the person choose the app in which a pairing is opened. A page cannot know which apps are on the phone. */
export function AppChoice({ uri }: { uri: string }) {
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
