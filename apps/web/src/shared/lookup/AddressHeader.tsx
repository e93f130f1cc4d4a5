import type { Address } from '@lineage/referral-api'
import { Identicon, useWalletKit } from '@lineage/wallet-kit'
import CopyIcon from '@mui/icons-material/ContentCopyOutlined'
import LinkIcon from '@mui/icons-material/LinkOutlined'
import OpenIcon from '@mui/icons-material/OpenInNewOutlined'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { fonts } from '../../lib/theme.ts'
import { useAccount } from '../../lib/useAccount.ts'
import { useCopy } from '../address/useCopy.ts'
import { LazyBoundary } from '../frame/ErrorBoundary.tsx'
import { lazyWithPreload } from '../frame/lazyWithPreload.tsx'
import { useLabel } from '../labels/labelsStore.ts'
import { useAnswerShown } from './AnswerBoundary.tsx'
import { useExplorer } from './useCommunity.ts'

const LabelButtons = lazyWithPreload(() => import('../labels/LabelButtons.tsx'))
const CardButton = lazyWithPreload(() => import('../share/CardButton.tsx'))
const AddressName = lazyWithPreload(() => import('./AddressName.tsx'))

type Props = {
  address: Address
  /** Moment of the shared link, if it differs from that of the page's URL. */
  moment?: string | undefined
  children: ReactNode
}

/** Shows the full address that a page is about, with its actions. */
export function AddressHeader({ address, moment, children }: Props) {
  const { t } = useTranslation()
  const copy = useCopy()
  const explorer = useExplorer()
  const hasNames = useWalletKit({ shouldThrow: false })?.config.names !== undefined
  const isMine = useAccount() === address
  const label = useLabel(address)
  useAnswerShown(address)
  return (
    <Root>
      <Identicon address={address} size={52} />
      <div>
        <h2 translate="no">
          {/* Breaks in the middle on phones. */}
          <span>{address.slice(0, 22)}</span>
          <wbr />
          <span>{address.slice(22)}</span>
        </h2>
        <p>
          {label?.text && <bdi>{label.text}</bdi>}
          {hasNames && (
            <LazyBoundary>
              <AddressName address={address} />
            </LazyBoundary>
          )}
          {isMine && <em>{t('field.mine')}</em>}
          {children}
        </p>
      </div>
      <div className="actions">
        <IconButton aria-label={t('address.copy')} title={t('address.copy')} onClick={() => void copy(address)}>
          <CopyIcon fontSize="small" />
        </IconButton>
        <IconButton
          aria-label={t('member.share')}
          title={t('member.share')}
          onClick={() => void shareLink(linkTo(moment), copy)}
        >
          <LinkIcon fontSize="small" />
        </IconButton>
        <LazyBoundary>
          <CardButton address={address} />
          <LabelButtons address={address} />
        </LazyBoundary>
        {explorer && (
          <IconButton
            aria-label={t('address.explorer')}
            title={t('address.explorer')}
            href={`${explorer}/address/${address}`}
            target="_blank"
            rel="noreferrer"
          >
            <OpenIcon fontSize="small" />
          </IconButton>
        )}
      </div>
    </Root>
  )
}

function linkTo(moment: string | undefined): string {
  const url = new URL(window.location.href)
  if (moment) url.searchParams.set('asOf', moment)
  return url.href
}

const Root = styled('section')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 18,
  padding: '20px 0 8px',
  '& > div:first-of-type': { flex: 1, minWidth: 0 },
  '& h2': {
    margin: 0,
    font: `500 1.125rem/1.45 ${fonts.address}`,
    letterSpacing: '-0.01em',
    '& span': { display: 'inline-block', maxWidth: '100%' },
  },
  '& p': { minHeight: '1.6em', margin: '2px 0 0', fontSize: '0.8125rem', color: theme.vars?.palette.text.secondary },
  '& em': { marginRight: 10, fontStyle: 'normal', color: theme.vars?.palette.primary.main },
  '& bdi': { marginRight: 10, fontWeight: 500, color: theme.vars?.palette.text.primary },
  // Each moves to the next line as a whole, and breaks only if it is longer than a line.
  '& time, & time ~ span, & time ~ a': { display: 'inline-block' },
  '& time ~ a': { color: 'inherit', textUnderlineOffset: 4 },
  '& .attention': { color: theme.vars?.palette.warning.main },
  '& .actions': { display: 'flex' },
  '@media (max-width: 767.95px)': {
    flexWrap: 'wrap',
    gap: '4px 14px',
    paddingTop: 8,
    '& > svg': { width: 40, height: 40 },
    '& h2': { fontSize: '0.9375rem' },
    '& > div:first-of-type': { flexBasis: 'calc(100% - 60px)' },
    '& .actions': { marginLeft: 44 },
  },
}))

/** Opens the share sheet on phones; otherwise copies the link. */
async function shareLink(url: string, copy: (text: string) => Promise<boolean>): Promise<void> {
  const isPhone = window.matchMedia('(pointer: coarse)').matches
  if (!isPhone || !navigator.share) {
    await copy(url)
    return
  }
  try {
    await navigator.share({ url })
  } catch (error) {
    // The user closed the sheet.
    if (!(error instanceof DOMException && error.name === 'AbortError')) await copy(url)
  }
}
