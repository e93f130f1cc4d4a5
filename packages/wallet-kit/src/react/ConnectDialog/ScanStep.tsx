import type { WalletOption } from '../../core/wallets/wallet.ts'
import { Button } from '../Button.tsx'
import { canDownload } from '../device/findDownloads.ts'
import { WalletIcon } from '../icons/WalletIcon.tsx'
import { useTranslate } from '../language.ts'
import * as Connect from '../parts/Connect.tsx'
import { useConnectState } from '../parts/connectContext.tsx'

/** Shows the QR code for a wallet on another device. Reserves its place while the code is loading. */
export function ScanStep({ wallet }: { wallet: WalletOption }) {
  const { uri } = useConnectState()
  const t = useTranslate()
  return (
    <Connect.Step className="wk-step wk-own">
      <div className="wk-qr wk-own" data-waiting={uri === undefined || undefined}>
        <Connect.Qr className="wk-qr-code wk-own" />
        <span className="wk-qr-middle wk-own">
          <WalletIcon wallet={wallet} size={44} />
        </span>
      </div>
      <Connect.StepText className="wk-qr-text wk-own" />
      <div className="wk-qr-actions wk-own">
        <Connect.CopyLink render={<Button />} />
        {canDownload(wallet.downloadUrls) && (
          <>
            <span className="wk-own">{t('dontHave', { wallet: wallet.shortName })}</span>
            <Connect.Action
              event={{ type: 'choose', walletId: wallet.id }}
              aria-label={t('get', { wallet: wallet.name })}
              render={<Button />}
            >
              {t('getShort')}
            </Connect.Action>
          </>
        )}
      </div>
    </Connect.Step>
  )
}
