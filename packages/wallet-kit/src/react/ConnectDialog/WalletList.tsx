import { Fragment, memo, type Ref, useId } from 'react'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import { VisuallyHidden } from '../dialog/dialogParts.tsx'
import type { Layout } from '../dialog/useLayout.ts'
import { ErrorBoundary } from '../ErrorBoundary.tsx'
import { useWalletKitState } from '../hooks/useWalletKit.ts'
import { Icon } from '../icons/Icon.tsx'
import { WalletIcon } from '../icons/WalletIcon.tsx'
import { useTranslate } from '../language.ts'
import * as Connect from '../parts/Connect.tsx'
import { isConnecting, useConnectState, useFoundWallets } from '../parts/connectContext.tsx'
import { useWasTrue } from '../parts/createPart.ts'
import { useWalletKitContext } from '../WalletKitContext.ts'
import { OpenInBrowser } from './WalletLinks.tsx'

type WalletListProps = { layout: Layout; listRef: Ref<HTMLDivElement> }

/** Largest number of wallets without a search field. */
export const maxWithoutSearch = 8

/** Lists the wallets by group, as rows, or on phones as a grid. */
export const WalletList = memo(function WalletList({ layout, listRef }: WalletListProps) {
  const { wallets } = useConnectState()
  const found = useFoundWallets()
  const t = useTranslate()
  const isTile = layout === 'phone'
  const grid = isTile ? '' : undefined
  return (
    <>
      {/* Firefox would stop at it, because it scrolls. */}
      <Connect.List className="wk-wallets wk-own" ref={listRef} data-grid={grid} tabIndex={-1}>
        {(groups) => (
          <>
            {wallets.length > maxWithoutSearch && <SearchField found={found} />}
            {isTile && !wallets.some(({ installed }) => installed) && <OpenInBrowser />}
            {wallets.some(({ verified }) => !verified) && <p className="wk-notice wk-own">{t('unverifiedWarning')}</p>}
            {groups.map((group) => (
              <Connect.Group key={group.name} group={group} className="wk-own">
                <Connect.GroupLabel className="wk-group-title wk-own" />
                <ul className="wk-rows wk-own" data-grid={grid}>
                  {group.wallets.map((wallet) => (
                    <WalletRow key={wallet.id} wallet={wallet} isTile={isTile} />
                  ))}
                </ul>
              </Connect.Group>
            ))}
            {wallets.length === 0 && <Connect.Empty className="wk-empty wk-own" />}
            <Disclaimer />
          </>
        )}
      </Connect.List>
      {layout !== 'wide' && (
        <div className="wk-footer wk-own">
          <Connect.Action event={{ type: 'learn' }} className="wk-plain wk-footer-button wk-own">
            {t('whatIsAWallet')}
          </Connect.Action>
          <Connect.Action event={{ type: 'get' }} className="wk-plain wk-footer-button wk-own">
            {t('getAWallet')}
          </Connect.Action>
        </div>
      )}
    </>
  )
})

/** Renders the disclaimer of the app, or nothing if it fails. It may load something, so it waits until the dialog opens. */
function Disclaimer() {
  const { disclaimer } = useWalletKitContext()
  const wasOpen = useWasTrue(useWalletKitState(isConnecting))
  if (!wasOpen || !disclaimer) return null
  return (
    <ErrorBoundary fallback={() => null}>
      <div className="wk-disclaimer wk-own">{disclaimer}</div>
    </ErrorBoundary>
  )
}

/** Renders the search field, which stays above the wallets. The first wallets found, or that there are none, are announced. */
export function SearchField({ found }: { found: readonly { name: string }[] }) {
  const id = useId()
  const t = useTranslate()
  const query = useConnectState().query.trim()
  return (
    // A live region around the field is never empty, where screen readers would stop. What is typed is not announced.
    <div className="wk-search-area wk-own" aria-live="polite">
      <label className="wk-search wk-own" htmlFor={id} aria-live="off">
        <Icon name="search" />
        <Connect.Search id={id} className="wk-search-input wk-own" />
      </label>
      {query && found.length > 0 && (
        <VisuallyHidden>
          {found
            .slice(0, 5)
            .map(({ name }) => name)
            .join(', ')}
        </VisuallyHidden>
      )}
      {query && found.length === 0 && <p className="wk-empty wk-own">{t('noWalletFound', { query })}</p>}
    </div>
  )
}

/** Renders the button of a wallet. `memo`, because the list renders again on every step. */
const WalletRow = memo(function WalletRow({ wallet, isTile }: { wallet: WalletOption; isTile: boolean }) {
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
