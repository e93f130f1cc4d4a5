import type { Community, Member } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useTranslation } from 'react-i18next'
import { shareOf } from '../../lib/format.ts'
import { useFormat } from '../../lib/useFormat.ts'
import { Section } from '../../shared/lookup/Section.tsx'

/** Shows a team's volume split into the largest leg and the other legs. */
export function LegsBar({ member, community }: { member: Member; community: Community }) {
  const { t } = useTranslation()
  const format = useFormat()
  const token = community.tokens.volume
  if (!token || member.teamVolume === '0') return null
  const legs = [
    ['largestLeg', member.largestLeg],
    ['otherLegs', member.otherLegs],
  ] as const
  return (
    <Section title={t('legs.title')}>
      <Bar aria-hidden>
        <i style={{ width: `${shareOf(member.largestLeg, member.teamVolume) * 100}%` }} />
      </Bar>
      <List>
        {legs.map(([name, value]) => (
          <div key={name}>
            <dt>{t(`legs.${name}`)}</dt>
            <dd title={format.amountWithUnit(value, token, 'exact')}>
              {format.amount(value, token)} <small>{token.symbol}</small>
            </dd>
            <dd className="share">{format.share(value, member.teamVolume)}</dd>
          </div>
        ))}
      </List>
    </Section>
  )
}

const Bar = styled('div')(({ theme }) => ({
  position: 'relative',
  height: 14,
  background: `color-mix(in srgb, ${theme.vars?.palette.text.primary} 20%, transparent)`,
  '& i': {
    display: 'block',
    height: '100%',
    boxSizing: 'border-box',
    borderRight: `2px solid ${theme.vars?.palette.background.default}`,
    background: `color-mix(in srgb, ${theme.vars?.palette.text.primary} 82%, transparent)`,
  },
}))

const List = styled('dl')(({ theme }) => ({
  display: 'flex',
  justifyContent: 'space-between',
  margin: '12px 0 0',
  '& > div:last-of-type': { textAlign: 'right' },
  '& dt, & small, & .share': { fontSize: '0.8125rem', color: theme.vars?.palette.text.secondary },
  '& dd': { margin: 0, fontSize: '1.375rem', fontWeight: 500 },
  '& small, & dd.share': { fontSize: '0.8125rem', fontWeight: 400 },
}))
