import { type AsOf, type Community, nameIn } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { startTransition, use, useEffect, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { useFormat } from '../../lib/format.ts'
import { useTranslation } from '../../lib/i18n.ts'
import { fonts, phone } from '../../lib/theme.ts'
import { type Changes, withChanges } from '../../paths.ts'
import { lazyPart } from '../frame/ErrorBoundary.tsx'
import { Time } from './Time.tsx'
import { CommunityContext, useHasSeveral } from './useCommunity.ts'

const TimeControl = lazyPart(() => import('../past/TimeControl.tsx'))

type Props = {
  asOf: AsOf
  /** Names the block; by default only its number. */
  label?: string
  /** `open`: also offers past moments. */
  past?: 'open'
  /** Parameters with which the printed URL leads to the same answer again. */
  pinned?: Changes
}

/** Shows the block of an answer and the contract that it was read from, in print also the page's URL; the community's name if there are several. */
export function AsOfBlock({ asOf, label, past, pinned }: Props) {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const community = use(CommunityContext)
  const hasSeveral = useHasSeveral()
  return (
    <Root>
      <Moment>
        <div>
          {hasSeveral && community && <span>{`${nameIn(community.name, i18n.language)} · `}</span>}
          <span>{`${label ?? t('asOf', { block: format.count(asOf.block) })} · `}</span>
          <Time seconds={asOf.timestamp} form="moment" />
        </div>
        {past && (
          <Control>
            <TimeControl asOf={asOf} choices="past and comparison" />
          </Control>
        )}
      </Moment>
      {community && (
        <p>
          <span>{`${t('asOf.contract')} `}</span>
          <Contract {...community} />
        </p>
      )}
      <PrintedUrl pinned={pinned} />
    </Root>
  )
}

const Root = styled('div')(({ theme }) => ({
  margin: '24px 0 0',
  fontSize: '0.8125rem',
  color: theme.vars?.palette.text.secondary,
  '& p': { margin: '4px 0 0' },
  // An address fits on a line of 320 px.
  '& code': { fontFamily: fonts.address, overflowWrap: 'anywhere', [phone]: { fontSize: '0.75rem' } },
  '& a': { color: 'inherit', textUnderlineOffset: 4 },
}))

const Moment = styled('div')({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '4px 12px' })

/** Reserves the height of the control, which loads later. */
const Control = styled('div')({
  minWidth: 76,
  minHeight: 36,
  '@media print': { display: 'none' },
})

/** Shows the contract of a community, with a link if there is an explorer. */
export function Contract({ contract, explorer }: Pick<Community, 'contract' | 'explorer'>) {
  if (!explorer) return <code>{contract}</code>
  return (
    <a href={`${explorer}/address/${contract}`} target="_blank" rel="noreferrer">
      <code>{contract}</code>
    </a>
  )
}

/** Shows the URL of the page in print. */
export function PrintedUrl({ pinned = {} }: { pinned?: Changes | undefined }) {
  const { pathname, search } = useLocation()
  const [origin, setOrigin] = useState('')
  // Not before the whole page works.
  useEffect(() => startTransition(() => setOrigin(window.location.origin)), [])
  const changed = withChanges(new URLSearchParams(search), pinned)
  return <Printed>{`${origin}${pathname}${Object.keys(pinned).length > 0 ? `?${changed}` : search}`}</Printed>
}

const Printed = styled('span')({
  display: 'none',
  '@media print': { display: 'block', marginTop: 4, fontSize: '0.8125rem', overflowWrap: 'anywhere' },
})
