import { styled } from '@mui/material/styles'
import { memo, type Ref, useId, useState } from 'react'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import type { MessageKey } from '../../locales/en.ts'
import { PlainButton } from '../dialog/dialogParts.tsx'
import { moveFocusInList } from '../dialog/focus.ts'
import type { Layout } from '../dialog/useLayout.ts'
import { useWalletKit } from '../hooks/useWalletKit.ts'
import { Icon } from '../icons/Icon.tsx'
import { useTranslate } from '../language.ts'
import { accent } from '../theme/accent.ts'
import { useWalletKitContext } from '../WalletKitContext.ts'
import { Notice } from './stepParts.ts'
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
      <Scroll ref={listRef} onKeyDown={moveFocusInList} data-grid={isGrid || undefined}>
        {wallets.length > maxWithoutSearch && <SearchField value={query} onChange={setQuery} />}
        {isGrid && !wallets.some(({ installed }) => installed) && <OpenInBrowser />}
        {wallets.some(({ verified }) => !verified) && <Warning>{t('unverifiedWarning')}</Warning>}
        {groups.map(([name, wallets]) => (
          <Group key={name} name={name} wallets={wallets} selectedId={selectedId} isGrid={isGrid} />
        ))}
        <div aria-live="polite">
          {groups.length === 0 && (
            <Empty>{wanted ? t('noWalletFound', { query: query.trim() }) : t('noWallets')}</Empty>
          )}
        </div>
        {disclaimer && <Disclaimer>{disclaimer}</Disclaimer>}
      </Scroll>
      {layout !== 'wide' && <Footer />}
    </>
  )
})

/** Renders the search field, which stays above the wallets. */
export function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const t = useTranslate()
  return (
    <Search>
      <Icon name="search" />
      <input
        type="search"
        enterKeyHint="search"
        aria-label={t('searchWallets')}
        placeholder={t('searchWallets')}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Search>
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
    <div>
      <Heading id={headingId}>{heading ? t(heading) : name}</Heading>
      <Rows data-grid={isGrid || undefined} aria-labelledby={headingId}>
        {wallets.map((wallet) => (
          <WalletRow key={wallet.id} wallet={wallet} isSelected={wallet.id === selectedId} isTile={isGrid} />
        ))}
      </Rows>
    </div>
  )
}

/** Renders "What is a Wallet?" and "Get a Wallet", which a wide dialog shows beside the list. */
function Footer() {
  const { dispatch } = useWalletKit()
  const t = useTranslate()
  return (
    <FooterBar>
      <FooterButton type="button" tabIndex={0} onClick={() => dispatch({ type: 'learn' })}>
        {t('whatIsAWallet')}
      </FooterButton>
      <FooterButton type="button" tabIndex={0} onClick={() => dispatch({ type: 'get' })}>
        {t('getAWallet')}
      </FooterButton>
    </FooterBar>
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

/** Height of the fade above the end of the list. Below: height of the search field that stays at the top. */
const fade = 24
const searchHeight = 44

const Scroll = styled('div')({
  flex: 1,
  minHeight: 0,
  overflowY: 'auto',
  overscrollBehavior: 'contain',
  padding: `0 10px ${fade}px`,
  // Fades the last row to show that the list continues.
  maskImage: `linear-gradient(to top, transparent, #000 ${fade}px)`,
  // Scrolls a row that gets the focus to a place where nothing covers it.
  scrollPadding: `${searchHeight}px 0 ${fade}px`,
})

const Search = styled('label')(({ theme }) => {
  const { palette } = theme.vars ?? theme
  return {
    position: 'sticky',
    top: 0,
    zIndex: 1,
    display: 'flex',
    alignItems: 'center',
    gap: 8,
    boxSizing: 'border-box',
    minHeight: searchHeight,
    margin: '0 0 4px',
    padding: '0 10px',
    fontSize: 15,
    // iOS zooms into a field of smaller text, an iPad with a mouse too.
    '@media (any-pointer: coarse)': { fontSize: 16 },
    color: palette.text.primary,
    background: palette.background.paper,
    borderBottom: `1px solid ${palette.divider}`,
    cursor: 'text',
    '& svg': { flex: 'none', color: palette.text.secondary },
    '&:focus-within': { borderBottomColor: accent },
    '& input': {
      flex: 1,
      minWidth: 0,
      padding: '4px 0 5px',
      border: 0,
      outline: 0,
      font: 'inherit',
      color: 'inherit',
      background: 'none',
      appearance: 'none',
    },
    '& input::placeholder': { color: palette.text.secondary, opacity: 1 },
    '& input::-webkit-search-cancel-button': { filter: 'grayscale(1)' },
  }
})

const Warning = styled(Notice)({ margin: '8px 10px' })

const Heading = styled('h3')(({ theme }) => ({
  margin: 0,
  padding: '10px 10px 4px',
  fontSize: 12,
  lineHeight: '18px',
  fontWeight: 400,
  color: (theme.vars ?? theme).palette.text.secondary,
}))

export const Rows = styled('ul')({
  listStyle: 'none',
  margin: 0,
  padding: 0,
  '&[data-grid]': { display: 'grid', gridTemplateColumns: 'repeat(auto-fill, minmax(84px, 1fr))', gap: 4 },
})

const Empty = styled('p')(({ theme }) => ({
  margin: 0,
  padding: '24px 10px',
  fontSize: 14,
  color: (theme.vars ?? theme).palette.text.secondary,
  overflowWrap: 'anywhere',
}))

const FooterBar = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  flex: 'none',
  margin: '0 10px',
  padding: '4px 0 8px',
  borderTop: `1px solid ${(theme.vars ?? theme).palette.divider}`,
}))

const FooterButton = styled(PlainButton)(({ theme }) => ({
  minHeight: 44,
  padding: '0 10px',
  borderRadius: (theme.vars ?? theme).shape.borderRadius,
  fontSize: 14,
  color: accent,
  '&:focus-visible': { outline: `2px solid ${accent}`, outlineOffset: -2 },
}))

const Disclaimer = styled('div')(({ theme }) => ({
  margin: 0,
  padding: '8px 10px 0',
  fontSize: 12,
  lineHeight: '18px',
  color: (theme.vars ?? theme).palette.text.secondary,
}))
