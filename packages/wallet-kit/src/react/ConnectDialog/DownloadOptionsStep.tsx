import type { WalletOption } from '../../core/wallets/wallet.ts'
import { browserNames, detectDevice, isPhone, platformNames } from '../device/device.ts'
import { findDownloads } from '../device/findDownloads.ts'
import { useWalletKit } from '../hooks/useWalletKit.ts'
import { useTranslate } from '../language/useTranslate.ts'
import { DownloadCard, DownloadCards } from './DownloadCard.tsx'
import { OpenInWallet } from './OpenInWallet.tsx'
import { StoreLinks } from './StoreLinks.tsx'
import { WalletHead } from './WalletHead.tsx'

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
