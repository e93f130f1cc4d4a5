import { type Community, type MemberMetrics, nameIn, type Token } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useEffect, useRef } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useTranslation } from '../../lib/i18n.ts'
import { announce } from '../../shared/frame/Announcer.tsx'
import { Quiet } from '../../shared/frame/controls.tsx'
import { useZoneName } from '../../shared/frame/ZoneChoice.tsx'

const periods = ['last24h', 'last7d', 'last30d'] as const

/**
 * Shows members, volume and rewards with their changes over a day, a week and a month, beside those of the time before. Announces
 * the number of members when it appears.
 */
export function Totals({ metrics, community }: { metrics: MemberMetrics; community: Community }) {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const nameOf = useZoneName()
  const isAnnounced = useRef(false)
  const count = metrics.members
  const summary = t('opening.summary', {
    name: nameIn(community.name, i18n.language),
    count,
    members: format.count(count),
  })
  useEffect(() => {
    if (isAnnounced.current) return
    isAnnounced.current = true
    announce(summary)
  }, [summary])
  const { volume, reward } = community.tokens
  return (
    <>
      <Root>
        <Total metrics={metrics} measure="members" token={null} />
        {volume && <Total metrics={metrics} measure="volume" token={volume} />}
        {reward && <Total metrics={metrics} measure="rewards" token={reward} />}
      </Root>
      <Rule>{t('metrics.rule', { zone: nameOf(metrics.tz) })}</Rule>
    </>
  )
}

type TotalProps = { metrics: MemberMetrics; measure: 'members' | 'volume' | 'rewards'; token: Token | null }

function Total({ metrics, measure, token }: TotalProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const total = metrics[measure]
  const count = (value: string | number) => (token ? format.amount(String(value), token) : format.count(Number(value)))
  const name = t(`metrics.${measure}`)
  return (
    <section aria-label={name}>
      <h2>{name}</h2>
      <p title={token ? format.amountWithUnit(String(total), token, 'exact') : format.count(Number(total))}>
        <span>{token ? count(total) : format.big(Number(total))}</span>
        {token && <small>{` ${token.symbol}`}</small>}
      </p>
      <dl>
        {periods.map((period) => {
          const change = metrics[period][measure]
          return (
            <div key={period}>
              <dt>{t(`metrics.${period}`)}</dt>
              <dd>
                <SignedChange direction={Number(change) > 0 ? 'up' : 'none'} text={count(change)} />
              </dd>
              <dd className="before">{t('metrics.before', { text: count(metrics.previous[period][measure]) })}</dd>
            </div>
          )
        })}
      </dl>
    </section>
  )
}

const Root = styled('div')(({ theme }) => ({
  display: 'grid',
  // In rem and em, because larger text needs fewer columns.
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(18.75rem, 100%), 1fr))',
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
  '& dl': { display: 'flex', flexWrap: 'wrap', gap: '4px 20px', margin: 0, fontSize: '0.8125rem' },
  '& dt': { color: theme.vars?.palette.text.secondary },
  '& dd': { margin: 0, fontSize: '0.9375rem' },
  '& dd.before': { fontSize: '0.75rem', whiteSpace: 'nowrap', color: theme.vars?.palette.text.secondary },
  '@media (max-width: 61.2469em)': {
    gridTemplateColumns: 'repeat(3, minmax(0, 1fr))',
    '& section': { padding: '0 16px' },
    '& p': { fontSize: '2rem' },
  },
  '@media (max-width: 44.9969em)': {
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

const Rule = styled(Quiet)({ marginTop: 16, fontSize: '0.75rem' })

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
