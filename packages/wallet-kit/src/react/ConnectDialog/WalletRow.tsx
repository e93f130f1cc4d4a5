import { Fragment, memo } from 'react'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import { WalletIcon } from '../icons/WalletIcon.tsx'
import * as Connect from '../parts/Connect.tsx'

/** Renders the button of a wallet. `memo`, because the list renders again on every step. */
export const WalletRow = memo(function WalletRow({ wallet, isTile }: { wallet: WalletOption; isTile: boolean }) {
  const name = isTile ? wallet.shortName : wallet.name
  return (
    <li className="wk-own">
      <Connect.Wallet
        wallet={wallet}
        aria-label={name}
        className="wk-plain wk-row wk-wallet wk-own"
        data-tile={isTile ? '' : undefined}
      >
        <WalletIcon wallet={wallet} loading="lazy" />
        <span className="wk-wallet-label wk-own">
          <Connect.WalletName render={<bdi />} className="wk-wallet-name wk-own">
            {withBreaks(name)}
          </Connect.WalletName>
          <Connect.WalletMark className="wk-wallet-mark wk-own" />
        </span>
      </Connect.Wallet>
    </li>
  )
})

/** Allows line breaks inside names written as one word: `Wallet|Connect`. */
export const withBreaks = (name: string) => {
  const words = name.split(/(?<=\p{Ll})(?=\p{Lu})/u)
  if (words.length === 1) return name
  return words.map((word, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      <span className="wk-own">{word}</span>
    </Fragment>
  ))
}
