import type { WalletOption } from '../../core/wallets/wallet.ts'
import { Button } from '../Button.tsx'
import { WalletIcon } from '../icons/WalletIcon.tsx'
import { useTranslate } from '../language.ts'
import * as Connect from '../parts/Connect.tsx'
import { useConnectState } from '../parts/connectContext.tsx'
import { DownloadCards } from './WalletLinks.tsx'

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
