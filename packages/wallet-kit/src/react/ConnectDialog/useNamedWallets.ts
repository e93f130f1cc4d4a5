import { useContext, useMemo } from 'react'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import { LanguageContext } from '../language.ts'

/** Returns the wallets with their names in the language of the dialog. The English name stays among the others, for search. */
export function useNamedWallets(wallets: readonly WalletOption[]): readonly WalletOption[] {
  const { locale } = useContext(LanguageContext)
  return useMemo(
    () =>
      wallets.map((wallet) => {
        const name = wallet.names?.[locale === 'zh-HK' ? 'zh-TW' : locale]
        return name ? { ...wallet, name, shortName: name, names: { ...wallet.names, en: wallet.name } } : wallet
      }),
    [wallets, locale],
  )
}
