import { type AsOf, nameIn } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { use } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/useFormat.ts'
import { CommunityContext, useHasSeveral } from './useCommunity.ts'

/** Shows the block of an answer, and its community if there are several. */
export function AsOfBlock({ asOf }: { asOf: AsOf }) {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const community = use(CommunityContext)
  const hasSeveral = useHasSeveral()
  return (
    <Root>
      {hasSeveral && community && `${nameIn(community.name, i18n.language)} · `}
      {t('asOf', { block: format.count(asOf.block) })} ·{' '}
      <time dateTime={new Date(asOf.timestamp * 1_000).toISOString()}>{format.moment(asOf.timestamp)}</time>
    </Root>
  )
}

const Root = styled('p')(({ theme }) => ({
  margin: '48px 0 0',
  fontSize: '0.8125rem',
  color: theme.vars?.palette.text.secondary,
}))
