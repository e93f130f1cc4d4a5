import type { Community, Metrics } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/format.ts'

const periods = ['last24h', 'last7d', 'last30d'] as const

/** Shows members, volume and rewards with their changes over a day, a week and a month. */
export function Totals({ metrics, community }: { metrics: Metrics; community: Community }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { volume, reward } = community.tokens
  return (
    <Root>
      <Total
        name={t('metrics.members')}
        value={format.big(metrics.members)}
        exact={format.count(metrics.members)}
        change={(period) => (
          <SignedChange
            direction={metrics[period].members > 0 ? 'up' : 'none'}
            text={format.count(metrics[period].members)}
          />
        )}
      />
      {volume && (
        <Total
          name={t('metrics.volume')}
          value={format.amount(metrics.volume, volume)}
          unit={volume.symbol}
          exact={format.amountWithUnit(metrics.volume, volume, 'exact')}
          change={(period) => (
            <SignedChange
              direction={metrics[period].volume === '0' ? 'none' : 'up'}
              text={format.amount(metrics[period].volume, volume)}
            />
          )}
        />
      )}
      {reward && (
        <Total
          name={t('metrics.rewards')}
          value={format.amount(metrics.rewards, reward)}
          unit={reward.symbol}
          exact={format.amountWithUnit(metrics.rewards, reward, 'exact')}
          change={(period) => (
            <SignedChange
              direction={metrics[period].rewards === '0' ? 'none' : 'up'}
              text={format.amount(metrics[period].rewards, reward)}
            />
          )}
        />
      )}
    </Root>
  )
}

type TotalProps = {
  name: string
  value: string
  unit?: string
  exact: string
  change: (period: (typeof periods)[number]) => ReactNode
}

function Total({ name, value, unit, exact, change }: TotalProps) {
  const { t } = useTranslation()
  return (
    <section aria-label={name}>
      <h2>{name}</h2>
      <p title={exact}>
        <span>{value}</span>
        {unit && <small>{` ${unit}`}</small>}
      </p>
      <dl>
        {periods.map((period) => (
          <div key={period}>
            <dt>{t(`metrics.${period}`)}</dt>
            <dd>{change(period)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const Root = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(300px, 100%), 1fr))',
  gap: '36px 0',
  marginTop: 32,
  '& section': {
    padding: '0 32px',
    borderLeft: `1px solid ${theme.vars?.palette.divider}`,
    '&:first-of-type': { paddingLeft: 0, borderLeft: 0 },
  },
  '& h2': { margin: 0, fontSize: '0.8125rem', fontWeight: 400, color: theme.vars?.palette.text.secondary },
  '& p': { margin: '2px 0 14px', fontSize: '2.5rem', fontWeight: 500, lineHeight: 1.2, letterSpacing: '-0.015em' },
  '& small': { fontSize: '0.8125rem', fontWeight: 400, letterSpacing: 0, color: theme.vars?.palette.text.secondary },
  '& dl': { display: 'flex', gap: 28, margin: 0, fontSize: '0.8125rem' },
  '& dt': { color: theme.vars?.palette.text.secondary },
  '& dd': { margin: 0, fontSize: '0.9375rem' },
  '@media (max-width: 979.95px)': {
    gridTemplateColumns: 'repeat(3, minmax(0, 1fr))',
    '& section': { padding: '0 16px' },
    '& p': { fontSize: '2rem' },
    '& dl': { flexWrap: 'wrap', gap: '4px 20px' },
  },
  '@media (max-width: 719.95px)': {
    gridTemplateColumns: 'minmax(0, 1fr)',
    gap: 0,
    '& section, & section:first-of-type': {
      padding: '22px 0',
      borderLeft: 0,
      borderTop: `1px solid ${theme.vars?.palette.divider}`,
    },
    '& section:first-of-type': { borderTop: 0, paddingTop: 0 },
  },
}))

type SignedChangeProps = { direction: 'up' | 'down' | 'none'; text: string }

/** Shows a signed change. A rise is red in Chinese, green elsewhere. */
export function SignedChange({ direction, text }: SignedChangeProps) {
  const { i18n } = useTranslation()
  const convention = i18n.language.startsWith('zh') ? 'redRises' : 'greenRises'
  if (direction === 'none') return <Change data-tone="none">0</Change>
  const isRed = (direction === 'up') === (convention === 'redRises')
  return <Change data-tone={isRed ? 'red' : 'green'}>{`${direction === 'up' ? '+' : '−'}${text}`}</Change>
}

const Change = styled('span')(({ theme }) => ({
  whiteSpace: 'nowrap',
  '&[data-tone="red"]': { color: theme.vars?.palette.error.main },
  '&[data-tone="green"]': { color: theme.vars?.palette.primary.main },
  '&[data-tone="none"]': { color: theme.vars?.palette.text.secondary },
}))
