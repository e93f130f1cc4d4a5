import type { PastMember } from '@lineage/referral-api'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { lookupPath } from '../../paths.ts'
import { AddressText } from '../address/AddressText.tsx'
import { BarTable } from '../charts/BarTable.tsx'
import { Answer } from '../lookup/Answer.tsx'
import { FactList } from '../lookup/FactList.tsx'
import { Columns, Section } from '../lookup/Section.tsx'
import { Skeleton } from '../lookup/Skeleton.tsx'
import { Time } from '../lookup/Time.tsx'
import { type PastProps, usePastLevels } from './queries.ts'

/** Shows the place of an address at a past moment, and the number of members on each level below it. */
export function PastCard({ member, ...props }: PastProps & { member: PastMember }) {
  const { t } = useLazyTranslation('history')
  return (
    <Columns>
      <Section title={t('past.card')}>
        <Facts member={member} />
        <LookupLinks member={member} />
      </Section>
      <Section title={t('past.levels')}>
        {member.team === 0 ? <Quiet>{t('past.noLevels')}</Quiet> : <Levels {...props} />}
      </Section>
    </Columns>
  )
}

function Facts({ member }: { member: PastMember }) {
  const { t } = useLazyTranslation('search')
  const { t: common } = useTranslation()
  const format = useFormat()
  const { referrer, root, depth, joinedAt, block, directs, team, maxLevel } = member
  const rows: [string, ReactNode][] = [
    [t('referrer'), referrer ? <AddressText address={referrer} /> : t('noReferrer')],
    [t('root'), <AddressText key="root" address={root} />],
    [t('depth'), format.count(depth)],
    [
      t('joined'),
      joinedAt === null ? common('member.placeholder.short') : <Time key="joined" seconds={joinedAt} form="moment" />,
    ],
    ...(block === null ? [] : [[t('block'), format.count(block)] as [string, ReactNode]]),
    [common('member.directs'), format.count(directs)],
    [common('member.team'), format.count(team)],
    [common('member.levels'), format.count(maxLevel)],
  ]
  return (
    <FactList>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </FactList>
  )
}

/** Links to the directs and the upline at the same moment. */
function LookupLinks({ member: { address } }: { member: PastMember }) {
  const { t } = useTranslation()
  const [parameters] = useSearchParams()
  return (
    <Buttons>
      {(['referrals', 'referrers'] as const).map((name) => (
        <Button
          key={name}
          size="small"
          variant="outlined"
          component={Link}
          to={lookupPath(name, parameters, { address })}
        >
          {t(`address.look.${name}`)}
        </Button>
      ))}
    </Buttons>
  )
}

function Levels({ community, address, asOf }: PastProps) {
  const { t } = useLazyTranslation('history')
  const { t: common } = useTranslation()
  const format = useFormat()
  const query = usePastLevels(community.id, address, asOf)
  return (
    <Answer query={query} skeleton={<Skeleton rows={4} />}>
      {({ items, asOf: index, at }) => (
        <BarTable
          caption={t('past.levels')}
          source={{ asOf: index, at, address }}
          columns={{ label: common('levels.level'), value: common('levels.members') }}
          bars={items.map(({ level, count }) => ({
            key: String(level),
            label: common('level', { level }),
            value: count,
            text: format.count(count),
          }))}
        />
      )}
    </Answer>
  )
}

const Buttons = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: 10, marginTop: 18 })
const Quiet = styled('p')(({ theme }) => ({ margin: 0, color: theme.vars?.palette.text.secondary }))
