import { styled } from '@mui/material/styles'
import { Fragment, memo, useId } from 'react'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import { canDownload } from '../device/findDownloads.ts'
import { PlainButton } from '../dialog/dialogParts.tsx'
import { useWalletKit } from '../hooks/useWalletKit.ts'
import { WalletIcon } from '../icons/WalletIcon.tsx'
import { useTranslate } from '../language.ts'
import { accent } from '../theme/accent.ts'

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
    <li>
      <RowButton
        type="button"
        // Without it, Safari does not focus a clicked button.
        tabIndex={0}
        disabled={isUnsupported}
        data-tile={isTile || undefined}
        aria-current={isSelected || undefined}
        aria-labelledby={`${id}-name`}
        aria-describedby={mark && `${id}-mark`}
        onClick={() => dispatch({ type: 'pick', walletId: wallet.id })}
      >
        <WalletIcon wallet={wallet} loading="lazy" />
        <span>
          <span id={`${id}-name`}>
            <bdi translate="no">{withBreaks(isTile ? wallet.shortName : wallet.name)}</bdi>
          </span>
          {mark && (
            <span id={`${id}-mark`} data-tone={wallet.verified ? undefined : 'warning'}>
              {mark}
            </span>
          )}
        </span>
      </RowButton>
    </li>
  )
})

/** Allows line breaks inside names written as one word: `Wallet|Connect`. */
export const withBreaks = (name: string) =>
  name.split(/(?<=\p{Ll})(?=\p{Lu})/u).map((word, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      <span>{word}</span>
    </Fragment>
  ))

/** A wallet's row, or with `data-tile` its tile. A plain button: five of MUI's ButtonBase cost a tenth of the time of the first opening. */
export const RowButton = styled(PlainButton)<{ href?: string; target?: string; rel?: string }>(({ theme }) => {
  const { palette } = theme.vars ?? theme
  return {
    display: 'flex',
    alignItems: 'center',
    gap: 12,
    width: '100%',
    minHeight: 56,
    padding: '8px 10px',
    borderRadius: (theme.vars ?? theme).shape.borderRadius,
    fontSize: 15,
    textTransform: 'none',
    textDecoration: 'none',
    color: palette.text.primary,
    transition: 'background-color 160ms ease-out',
    '@media (hover: hover)': { '&:hover': { background: palette.action.hover } },
    '&[aria-current]': { background: palette.action.selected },
    '&:focus-visible': { outline: `2px solid ${accent}`, outlineOffset: -2 },
    '&:disabled': { color: palette.text.secondary, cursor: 'default', pointerEvents: 'none' },
    '&:disabled > :first-of-type': { opacity: 0.5 },
    // The mark wraps below the name before the name breaks.
    '& > :last-child': {
      display: 'flex',
      flex: 1,
      flexWrap: 'wrap',
      alignItems: 'center',
      justifyContent: 'space-between',
      columnGap: 12,
      minWidth: 0,
    },
    '& [id$=name]': { minWidth: 0, maxWidth: '100%', overflowWrap: 'anywhere' },
    '& [id$=mark]': { flex: 'none', maxWidth: '100%', fontSize: 12, color: palette.text.secondary },
    '& [data-tone=warning]': { color: palette.warning.main },
    '&[data-tile]': {
      flexDirection: 'column',
      gap: 6,
      padding: '12px 4px',
      fontSize: 13,
    },
    '&[data-tile] > :last-child': {
      flexDirection: 'column',
      flexWrap: 'nowrap',
      justifyContent: 'flex-start',
      gap: 6,
      width: '100%',
      textAlign: 'center',
    },
  }
})
