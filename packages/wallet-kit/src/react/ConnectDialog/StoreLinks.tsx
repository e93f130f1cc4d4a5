import type { WalletOption } from '../../core/wallets/wallet.ts'
import { detectDevice } from '../device/device.ts'
import { findDownloads } from '../device/findDownloads.ts'
import { useTranslate } from '../language/useTranslate.ts'
import { DownloadCard } from './DownloadCard.tsx'
import { Notice } from './Notice.tsx'

/** Links to the stores that have a wallet's app, or else to the wallet's own page. */
export function StoreLinks({ wallet }: { wallet: WalletOption }) {
  const t = useTranslate()
  const { mobile, website } = findDownloads(wallet.downloadUrls, detectDevice())
  const variables = { wallet: wallet.shortName }
  if (mobile.length > 0)
    return mobile.map(({ store, url }) => (
      <DownloadCard key={store} title={t(store, variables)} text={t('downloadMobileText')} href={url} />
    ))
  if (website) return <DownloadCard title={t('website', variables)} href={website} />
  return <Notice>{t('downloadElsewhere', variables)}</Notice>
}
