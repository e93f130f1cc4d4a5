import { useState } from 'react'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import type { MessageKey } from '../../locales/en.ts'
import { Button } from '../Button.tsx'
import { detectDevice } from '../device/device.ts'
import { type Downloads, findDownloads } from '../device/findDownloads.ts'
import { arrowKeys } from '../dialog/focus.ts'
import { WalletIcon } from '../icons/WalletIcon.tsx'
import { useTranslate } from '../language.ts'
import * as Connect from '../parts/Connect.tsx'
import { useConnectState } from '../parts/connectContext.tsx'
import { DownloadCards } from './WalletLinks.tsx'

const suggestionCount = 3
const longListCount = 5

/** Suggests wallets to get: three with a mobile app; "More wallets" lists five that this device can download. */
export function GetStep() {
  const t = useTranslate()
  const { wallets } = useConnectState()
  const [isLong, setIsLong] = useState(false)

  const missing = wallets
    .filter(({ installed }) => !installed)
    .map((wallet) => ({ wallet, downloads: findDownloads(wallet.downloadUrls, detectDevice()) }))
  const few = missing.filter(({ wallet }) => hasMobileLink(wallet)).slice(0, suggestionCount)
  const many = missing.filter(({ downloads }) => downloadKind(downloads)).slice(0, longListCount)
  const shown = isLong ? many : few
  return (
    <>
      {shown.length === 0 && <p className="wk-get-none wk-own">{t('getNone')}</p>}
      <ul className="wk-rows wk-get-list wk-own" {...arrowKeys}>
        {shown.map(({ wallet, downloads }) => (
          <li key={wallet.id} className="wk-get wk-own">
            <WalletIcon wallet={wallet} />
            <span className="wk-get-name wk-own">
              <span className="wk-own">{wallet.name}</span>
              <small className="wk-get-text wk-own">{t(downloadKind(downloads) ?? 'worksOnMobile')}</small>
            </span>
            <Connect.Action
              event={{ type: 'choose', walletId: wallet.id }}
              aria-label={t('get', { wallet: wallet.name })}
              render={<Button variant="outlined" />}
            >
              {t('getShort')}
            </Connect.Action>
          </li>
        ))}
      </ul>
      {!isLong && many.length > few.length && (
        <div className="wk-actions wk-own">
          <Button onClick={() => setIsLong(true)}>{t('moreWallets')}</Button>
        </div>
      )}
    </>
  )
}

const hasMobileLink = ({ downloadUrls: urls }: WalletOption) => Boolean(urls.ios || urls.android || urls.mobile)

function downloadKind({ extension, mobile, desktop }: Downloads): MessageKey | undefined {
  if (extension && mobile.length > 0) return 'worksOnMobileAndInBrowser'
  if (extension) return 'worksInBrowser'
  if (mobile.length > 0) return 'worksOnMobile'
  return desktop ? 'worksOnDesktop' : undefined
}

/** Offers a wallet's downloads for this browser and device. Below the stores of its app, Continue leads to the instructions. */
export function DownloadStep({ wallet }: { wallet: WalletOption }) {
  const { view } = useConnectState()
  const t = useTranslate()
  return (
    <>
      <div className="wk-wallet-head wk-own">
        <WalletIcon wallet={wallet} size={64} />
      </div>
      <DownloadCards />
      {view === 'download' && (
        <div className="wk-actions wk-own">
          <Connect.Action event={{ type: 'continue' }} render={<Button variant="contained" />}>
            {t('continue')}
          </Connect.Action>
        </div>
      )}
    </>
  )
}
