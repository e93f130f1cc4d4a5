import InputBase from '@mui/material/InputBase'
import { styled } from '@mui/material/styles'
import { memo, type Ref, useId, useState } from 'react'
import type { WalletOption } from '../../core/wallet.ts'
import type { MessageKey } from '../../locales/en.ts'
import { accent } from '../accent.ts'
import { canDownload } from '../findDownloads.ts'
import { Icon } from '../Icon.tsx'
import { onArrowKeys } from '../onArrowKeys.ts'
import type { Layout } from '../useLayout.ts'
import { useTranslate } from '../useTranslate.ts'
import { useWalletKit } from '../useWalletKit.ts'
import { WalletIcon } from '../WalletIcon.tsx'
import { Notice } from './Notice.tsx'
import { OpenInBrowser } from './OpenInBrowser.tsx'

export type WalletListProps = {
  wallets: readonly WalletOption[]
  selectedId: string | undefined
  layout: Layout
  disclaimer: string | undefined
  listRef: Ref<HTMLDivElement>
}

const headings: Record<string, MessageKey | undefined> = {
  Installed: 'groupInstalled',
  Recent: 'groupRecent',
  Popular: 'groupPopular',
  More: 'groupMore',
}
const searchAbove = 8

/** Every wallet in its group: rows, or a grid for thumbs. */
export function WalletList({ wallets, selectedId, layout, disclaimer, listRef }: WalletListProps) {
  const { dispatch } = useWalletKit()
  const t = useTranslate()
  const listId = useId()
  const [query, setQuery] = useState('')
  const wanted = query.trim().toLowerCase()
  const found = wanted ? wallets.filter(({ name }) => name.toLowerCase().includes(wanted)) : wallets
  const groups = groupWallets(found)
  const isGrid = layout === 'phone'
  return (
    <>
      <Scroll ref={listRef} onKeyDown={onArrowKeys} data-grid={isGrid || undefined}>
        {wallets.length > searchAbove && (
          <Search
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            placeholder={t('searchWallets')}
            startAdornment={<Icon name="search" />}
            inputProps={{ 'aria-label': t('searchWallets'), type: 'search', enterKeyHint: 'search' }}
          />
        )}
        {layout === 'phone' && !wallets.some(({ installed }) => installed) && <OpenInBrowser />}
        {wallets.some(({ verified }) => !verified) && <Warning>{t('unverifiedWarning')}</Warning>}
        {groups.map(({ name, wallets }) => {
          const heading = headings[name]
          const headingId = `${listId}-${name}`
          return (
            <div key={name}>
              <Heading id={headingId}>{heading ? t(heading) : name}</Heading>
              <Rows data-grid={isGrid || undefined} aria-labelledby={headingId}>
                {wallets.map((wallet) => (
                  <Row key={wallet.id} wallet={wallet} isSelected={wallet.id === selectedId} isTile={isGrid} />
                ))}
              </Rows>
            </div>
          )
        })}
        {groups.length === 0 && <Empty>{wanted ? t('noWalletFound', { query: query.trim() }) : t('noWallets')}</Empty>}
        {disclaimer && <Disclaimer>{disclaimer}</Disclaimer>}
      </Scroll>
      {layout !== 'wide' && (
        <Foot>
          <FootButton type="button" onClick={() => dispatch({ type: 'learn' })}>
            {t('whatIsAWallet')}
          </FootButton>
          <FootButton type="button" onClick={() => dispatch({ type: 'get' })}>
            {t('getAWallet')}
          </FootButton>
        </Foot>
      )}
    </>
  )
}

type RowProps = { wallet: WalletOption; isSelected: boolean; isTile: boolean }

/** Named by the wallet alone; what else is to be said of it describes it. */
const Row = memo(function Row({ wallet, isSelected, isTile }: RowProps) {
  const { dispatch } = useWalletKit()
  const t = useTranslate()
  const id = useId()
  const isUnsupported = !wallet.ready && !canDownload(wallet.downloadUrls)
  const mark = isUnsupported
    ? t('unsupported')
    : !wallet.verified
      ? t('unverified')
      : wallet.recent
        ? t('recent')
        : undefined
  return (
    <li>
      <RowButton
        type="button"
        disabled={isUnsupported}
        data-tile={isTile || undefined}
        aria-current={isSelected || undefined}
        aria-labelledby={`${id}-name`}
        aria-describedby={mark && `${id}-mark`}
        onClick={() => dispatch({ type: 'pick', walletId: wallet.id })}
      >
        <WalletIcon wallet={wallet} loading="lazy" />
        <span id={`${id}-name`} className="name">
          <bdi>{breakable(isTile ? wallet.shortName : wallet.name)}</bdi>
        </span>
        {mark && (
          <span id={`${id}-mark`} className="mark" data-tone={wallet.verified ? undefined : 'warning'}>
            {mark}
          </span>
        )}
      </RowButton>
    </li>
  )
})

/** A name written as one word may be broken where its next word begins: `Wallet` and `Connect`. */
const breakable = (name: string) =>
  name.split(/(?<=\p{Ll})(?=\p{Lu})/u).flatMap((word, index) => (index === 0 ? [word] : [<wbr key={index} />, word]))

function groupWallets(wallets: readonly WalletOption[]): { name: string; wallets: WalletOption[] }[] {
  const groups = new Map<string, WalletOption[]>()
  for (const wallet of wallets) {
    const group = groups.get(wallet.groupName)
    if (group) group.push(wallet)
    else groups.set(wallet.groupName, [wallet])
  }
  return [...groups].map(([name, wallets]) => ({ name, wallets }))
}

const Scroll = styled('div')({
  flex: 1,
  minHeight: 0,
  overflowY: 'auto',
  overscrollBehavior: 'contain',
  padding: '0 10px 24px',
  // A row that is cut at the edge reads as a list that goes on.
  maskImage: 'linear-gradient(to top, transparent, #000 24px)',
})

const Search = styled(InputBase)(({ theme }) => {
  const { palette } = theme.vars ?? theme
  return {
    position: 'sticky',
    top: 0,
    zIndex: 1,
    display: 'flex',
    gap: 8,
    minHeight: 44,
    margin: '0 0 4px',
    padding: '0 10px',
    fontSize: 15,
    color: palette.text.primary,
    background: palette.background.paper,
    borderBottom: `1px solid ${palette.divider}`,
    '& svg': { color: palette.text.secondary },
    '&.Mui-focused': { borderBottomColor: accent },
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

const Rows = styled('ul')({
  listStyle: 'none',
  margin: 0,
  padding: 0,
  '&[data-grid]': { display: 'grid', gridTemplateColumns: 'repeat(auto-fill, minmax(84px, 1fr))', gap: 4 },
})

// The browser's own: five of MUI's would be a tenth of the work of the first opening.
const RowButton = styled('button')(({ theme }) => {
  const { palette } = theme.vars ?? theme
  return {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'flex-start',
    // Large text takes the mark below the name.
    flexWrap: 'wrap',
    gap: 12,
    width: '100%',
    minHeight: 56,
    padding: '8px 10px',
    border: 0,
    borderRadius: (theme.vars ?? theme).shape.borderRadius,
    textAlign: 'start',
    font: 'inherit',
    fontSize: 15,
    color: palette.text.primary,
    background: 'none',
    cursor: 'pointer',
    userSelect: 'none',
    WebkitTapHighlightColor: 'transparent',
    transition: 'background-color 160ms ease-out',
    '@media (hover: hover)': { '&:hover': { background: palette.action.hover } },
    '&[aria-current]': { background: palette.action.selected },
    '&:focus-visible': { outline: `2px solid ${accent}`, outlineOffset: -2 },
    '&:disabled': { color: palette.text.secondary, cursor: 'default', pointerEvents: 'none' },
    '&:disabled > :first-of-type': { opacity: 0.5 },
    '& > .name': {
      flex: '1 1 5em',
      minWidth: 0,
      overflowWrap: 'anywhere',
    },
    '& > .mark': { flex: 'none', fontSize: 12, color: palette.text.secondary },
    '& > .mark[data-tone=warning]': { color: palette.warning.main },
    '&[data-tile]': {
      flexDirection: 'column',
      flexWrap: 'nowrap',
      justifyContent: 'flex-start',
      gap: 6,
      padding: '12px 4px',
      fontSize: 13,
    },
    '&[data-tile] > span': { flex: 'none', maxWidth: '100%', textAlign: 'center' },
  }
})

const Empty = styled('p')(({ theme }) => ({
  margin: 0,
  padding: '24px 10px',
  fontSize: 14,
  color: (theme.vars ?? theme).palette.text.secondary,
  overflowWrap: 'anywhere',
}))

const Foot = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  flex: 'none',
  margin: '0 10px',
  padding: '4px 0 8px',
  borderTop: `1px solid ${(theme.vars ?? theme).palette.divider}`,
}))

const FootButton = styled('button')(({ theme }) => ({
  minHeight: 44,
  padding: '0 10px',
  border: 0,
  borderRadius: (theme.vars ?? theme).shape.borderRadius,
  font: 'inherit',
  fontSize: 14,
  color: accent,
  background: 'none',
  cursor: 'pointer',
  '&:focus-visible': { outline: `2px solid ${accent}`, outlineOffset: -2 },
}))

const Disclaimer = styled('p')(({ theme }) => ({
  margin: 0,
  padding: '8px 10px 0',
  fontSize: 12,
  lineHeight: '18px',
  color: (theme.vars ?? theme).palette.text.secondary,
}))
