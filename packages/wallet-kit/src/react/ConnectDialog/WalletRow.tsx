import { Fragment, memo, useId } from 'react'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import { canDownload } from '../device/findDownloads.ts'
import { PlainButton } from '../dialog/dialogParts.tsx'
import { useWalletKit } from '../hooks/useWalletKit.ts'
import { WalletIcon } from '../icons/WalletIcon.tsx'
import { useTranslate } from '../language.ts'

type WalletRowProps = { wallet: WalletOption; isSelected: boolean; isTile: boolean }

/**
 * Renders the button of a wallet. Its name is the accessible name, its mark the description. `memo`, because the list
 * renders again on every step.
 */
export const WalletRow = memo(function WalletRow({ wallet, isSelected, isTile }: WalletRowProps) {
  const { dispatch } = useWalletKit()
  const t = useTranslate()
  const id = useId()
  const isUnsupported = !wallet.ready && !canDownload(wallet.downloadUrls)
  const recent = wallet.recent ? t('recent') : undefined
  const mark = isUnsupported ? t('unsupported') : wallet.verified ? recent : t('unverified')
  return (
    <li className="wk-own">
      <PlainButton
        className="wk-row wk-wallet"
        disabled={isUnsupported}
        data-tile={isTile || undefined}
        aria-current={isSelected || undefined}
        aria-labelledby={`${id}-name`}
        aria-describedby={mark && `${id}-mark`}
        onClick={() => dispatch({ type: 'pick', walletId: wallet.id })}
      >
        <WalletIcon wallet={wallet} loading="lazy" />
        <span className="wk-wallet-label wk-own">
          <span className="wk-wallet-name wk-own" id={`${id}-name`}>
            <bdi className="wk-own" translate="no">
              {withBreaks(isTile ? wallet.shortName : wallet.name)}
            </bdi>
          </span>
          {mark && (
            <span
              className="wk-wallet-mark wk-own"
              id={`${id}-mark`}
              data-tone={wallet.verified ? undefined : 'warning'}
            >
              {mark}
            </span>
          )}
        </span>
      </PlainButton>
    </li>
  )
})

/** Allows line breaks inside names written as one word: `Wallet|Connect`. */
export const withBreaks = (name: string) =>
  name.split(/(?<=\p{Ll})(?=\p{Lu})/u).map((word, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      <span className="wk-own">{word}</span>
    </Fragment>
  ))
