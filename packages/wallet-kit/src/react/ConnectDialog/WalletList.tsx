import { memo, type Ref, useId, useState } from 'react'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import type { MessageKey } from '../../locales/en.ts'
import { PlainButton } from '../dialog/dialogParts.tsx'
import { arrowKeys } from '../dialog/focus.ts'
import type { Layout } from '../dialog/useLayout.ts'
import { useWalletKit } from '../hooks/useWalletKit.ts'
import { Icon } from '../icons/Icon.tsx'
import { useTranslate } from '../language.ts'
import { useWalletKitContext } from '../WalletKitContext.ts'
import { OpenInBrowser } from './WalletLinks.tsx'
import { WalletRow } from './WalletRow.tsx'

type WalletListProps = {
  wallets: readonly WalletOption[]
  selectedId: string | undefined
  layout: Layout
  listRef: Ref<HTMLDivElement>
}

const headings: Record<string, MessageKey | undefined> = {
  Installed: 'groupInstalled',
  Recent: 'groupRecent',
  Popular: 'groupPopular',
  More: 'groupMore',
}
/** Largest number of wallets without a search field. */
export const maxWithoutSearch = 8

/** Lists the wallets by group, as rows, or on phones as a grid. `memo`, because a new step must not render it again. */
export const WalletList = memo(function WalletList({ wallets, selectedId, layout, listRef }: WalletListProps) {
  const { disclaimer } = useWalletKitContext()
  const t = useTranslate()
  const [query, setQuery] = useState('')
  const wanted = query.trim().toLowerCase()
  const found = wanted ? wallets.filter((wallet) => isNamed(wallet, wanted)) : wallets
  const groups = groupWallets(found)
  const isGrid = layout === 'phone'
  return (
    <>
      <div className="wk-wallets wk-own" ref={listRef} {...arrowKeys} data-grid={isGrid || undefined}>
        {wallets.length > maxWithoutSearch && <SearchField value={query} onChange={setQuery} />}
        {isGrid && !wallets.some(({ installed }) => installed) && <OpenInBrowser />}
        {wallets.some(({ verified }) => !verified) && <p className="wk-notice wk-own">{t('unverifiedWarning')}</p>}
        {groups.map(([name, wallets]) => (
          <Group key={name} name={name} wallets={wallets} selectedId={selectedId} isGrid={isGrid} />
        ))}
        <div className="wk-own" aria-live="polite">
          {groups.length === 0 && (
            <p className="wk-empty wk-own">{wanted ? t('noWalletFound', { query: query.trim() }) : t('noWallets')}</p>
          )}
        </div>
        {disclaimer && <div className="wk-disclaimer wk-own">{disclaimer}</div>}
      </div>
      {layout !== 'wide' && <Footer />}
    </>
  )
})

/** Renders the search field, which stays above the wallets. */
export function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const t = useTranslate()
  return (
    <label className="wk-search wk-own">
      <Icon name="search" />
      <input
        className="wk-search-input wk-own"
        type="search"
        enterKeyHint="search"
        aria-label={t('searchWallets')}
        placeholder={t('searchWallets')}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
}

/** Returns whether a name of the wallet, in any language, contains the text. */
export const isNamed = ({ name, names = {} }: Pick<WalletOption, 'name' | 'names'>, text: string) =>
  [name, ...Object.values(names)].some((it) => it.toLowerCase().includes(text))

type GroupProps = { name: string; wallets: readonly WalletOption[]; selectedId: string | undefined; isGrid: boolean }

function Group({ name, wallets, selectedId, isGrid }: GroupProps) {
  const t = useTranslate()
  const headingId = useId()
  const heading = headings[name]
  return (
    <div className="wk-own">
      <h3 className="wk-group-title wk-own" id={headingId}>
        {heading ? t(heading) : name}
      </h3>
      <ul className="wk-rows wk-own" data-grid={isGrid || undefined} aria-labelledby={headingId}>
        {wallets.map((wallet) => (
          <WalletRow key={wallet.id} wallet={wallet} isSelected={wallet.id === selectedId} isTile={isGrid} />
        ))}
      </ul>
    </div>
  )
}

/** Renders "What is a Wallet?" and "Get a Wallet", which a wide dialog shows beside the list. */
function Footer() {
  const { dispatch } = useWalletKit()
  const t = useTranslate()
  return (
    <div className="wk-footer wk-own">
      <PlainButton className="wk-footer-button" onClick={() => dispatch({ type: 'learn' })}>
        {t('whatIsAWallet')}
      </PlainButton>
      <PlainButton className="wk-footer-button" onClick={() => dispatch({ type: 'get' })}>
        {t('getAWallet')}
      </PlainButton>
    </div>
  )
}

function groupWallets(wallets: readonly WalletOption[]): [name: string, wallets: WalletOption[]][] {
  const groups = new Map<string, WalletOption[]>()
  for (const wallet of wallets) {
    const group = groups.get(wallet.groupName)
    if (group) group.push(wallet)
    else groups.set(wallet.groupName, [wallet])
  }
  return [...groups]
}
