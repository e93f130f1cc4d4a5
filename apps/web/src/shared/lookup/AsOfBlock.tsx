import type { AsOf } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/useFormat.ts'

/** Shows the block an answer is valid for. */
export function AsOfBlock({ asOf }: { asOf: AsOf }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Root>
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
