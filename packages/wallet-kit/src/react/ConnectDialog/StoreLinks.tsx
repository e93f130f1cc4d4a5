import type { WalletOption } from '../../core/wallet.ts'
import { findDownloads } from '../findDownloads.ts'
import { detectDevice } from '../platform.ts'
import { useTranslate } from '../useTranslate.ts'
import { DownloadCard } from './DownloadCard.tsx'
import { Notice } from './Notice.tsx'

/** The stores that have a wallet's app; without any, its own page. */
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
