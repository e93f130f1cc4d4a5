import type { WalletOption } from '../../core/wallets/wallet.ts'
import { Button } from '../Button.tsx'
import { browserNames, detectDevice, isOnPhone, isPhone, platformNames } from '../device/device.ts'
import { findDownloads } from '../device/findDownloads.ts'
import { useWalletKit } from '../hooks/useWalletKit.ts'
import { WalletIcon } from '../icons/WalletIcon.tsx'
import { useTranslate } from '../language.ts'
import { DownloadCard, DownloadCards, OpenInWallet, StoreLinks } from './WalletLinks.tsx'

/** Links to the stores of a wallet's app; Continue leads to the instructions. */
export function DownloadStep({ wallet }: { wallet: WalletOption }) {
  const { dispatch } = useWalletKit()
  const t = useTranslate()
  return (
    <>
      <WalletHead wallet={wallet} />
      <DownloadCards>
        {isOnPhone() && <OpenInWallet wallet={wallet} />}
        <StoreLinks wallet={wallet} />
      </DownloadCards>
      <div className="wk-actions wk-own">
        <Button variant="contained" color="primary" onClick={() => dispatch({ type: 'continue' })}>
          {t('continue')}
        </Button>
      </div>
    </>
  )
}

/** Offers a wallet's downloads for this browser and device. */
export function DownloadOptionsStep({ wallet }: { wallet: WalletOption }) {
  const { dispatch } = useWalletKit()
  const t = useTranslate()
  const device = detectDevice()
  const { extension, desktop, mobile } = findDownloads(wallet.downloadUrls, device)
  const phone = isPhone(device.platform)
  const browser = device.browser ? browserNames[device.browser] : t('thisBrowser')
  const name = wallet.shortName
  return (
    <>
      <WalletHead wallet={wallet} />
      <DownloadCards>
        {phone ? (
          <>
            <OpenInWallet wallet={wallet} />
            <StoreLinks wallet={wallet} />
          </>
        ) : (
          <>
            {extension && (
              <DownloadCard
                title={t('downloadExtensionFor', { wallet: name, browser })}
                text={t('downloadExtensionText')}
                href={extension}
                onClick={() => dispatch({ type: 'extension' })}
              />
            )}
            {desktop && (
              <DownloadCard
                title={t('downloadDesktopFor', { wallet: name, platform: platformNames[device.platform] })}
                text={t('downloadDesktopText')}
                href={desktop}
                onClick={() => dispatch({ type: 'desktop' })}
              />
            )}
            {mobile.length > 0 && (
              <DownloadCard
                title={t('downloadMobile', { wallet: name })}
                text={t('downloadMobileText')}
                onClick={() => dispatch({ type: 'mobile' })}
              />
            )}
            {!extension && !desktop && mobile.length === 0 && <StoreLinks wallet={wallet} />}
          </>
        )}
      </DownloadCards>
    </>
  )
}

/** Shows the wallet's icon at the top of a step. */
function WalletHead({ wallet }: { wallet: WalletOption }) {
  return (
    <div className="wk-wallet-head wk-own">
      <WalletIcon wallet={wallet} size={64} />
    </div>
  )
}
