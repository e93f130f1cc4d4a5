import { type AsOf, nameIn } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { use } from 'react'
import { useTranslation } from 'react-i18next'
import { fonts } from '../../lib/theme.ts'
import { useFormat } from '../../lib/useFormat.ts'
import { LazyBoundary } from '../frame/LazyBoundary.tsx'
import { lazyWithPreload } from '../frame/lazyWithPreload.tsx'
import { Contract } from './Contract.tsx'
import { PrintedUrl } from './PrintedUrl.tsx'
import { Time } from './Time.tsx'
import { CommunityContext, useHasSeveral } from './useCommunity.ts'

const MomentEntry = lazyWithPreload(() => import('../past/MomentEntry.tsx'))

type Props = {
  asOf: AsOf
  /** Names the block; by default only its number. */
  label?: string
  /** `open`: also offers the page as of a past moment. */
  past?: 'open'
}

/** Shows the block of an answer and the contract that it was read from, in print also the page's URL; the community's name if there are several. */
export function AsOfBlock({ asOf, label, past }: Props) {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const community = use(CommunityContext)
  const hasSeveral = useHasSeveral()
  return (
    <Root>
      {hasSeveral && community && `${nameIn(community.name, i18n.language)} · `}
      {label ?? t('asOf', { block: format.count(asOf.block) })} · <Time seconds={asOf.timestamp} form="moment" />
      {community && (
        <p>
          {t('asOf.contract')} <Contract {...community} />
        </p>
      )}
      <PrintedUrl />
      {past && (
        <LazyBoundary>
          <MomentEntry />
        </LazyBoundary>
      )}
    </Root>
  )
}

const Root = styled('div')(({ theme }) => ({
  margin: '48px 0 0',
  fontSize: '0.8125rem',
  color: theme.vars?.palette.text.secondary,
  '& p': { margin: '4px 0 0' },
  '& code': { fontFamily: fonts.address, overflowWrap: 'anywhere' },
  '& a': { color: 'inherit', textUnderlineOffset: 4 },
}))
