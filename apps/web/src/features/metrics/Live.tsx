import type { AsOf } from '@lineage/referral-api'
import { keyframes, styled } from '@mui/material/styles'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/useFormat.ts'

/** How fresh the figures are. The node beats once with every new block. */
export function Live({ asOf, name, isCurrent }: { asOf: AsOf; name: string; isCurrent: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Root>
      <i key={asOf.block} aria-hidden data-current={isCurrent} />
      {name} · {t('asOf', { block: format.count(asOf.block) })} ·{' '}
      <time dateTime={new Date(asOf.timestamp * 1_000).toISOString()}>{format.moment(asOf.timestamp)}</time>
    </Root>
  )
}

const beat = keyframes({ from: { transform: 'scale(2)', opacity: 0.3 }, to: { transform: 'none', opacity: 1 } })

const Root = styled('p')(({ theme }) => ({
  margin: 0,
  fontSize: '0.8125rem',
  color: theme.vars?.palette.text.secondary,
  '& i': {
    display: 'inline-block',
    width: 7,
    height: 7,
    marginRight: 10,
    borderRadius: '50%',
    background: theme.vars?.palette.text.secondary,
    '&[data-current="true"]': { background: theme.vars?.palette.primary.main, animation: `${beat} 480ms ease-out` },
  },
}))
