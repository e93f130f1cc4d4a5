import type { Address, Community, Member, Token } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useConfig } from '../../lib/api.ts'
import { shareOf, useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { BarTable } from '../../shared/charts/BarTable.tsx'
import { Quiet } from '../../shared/frame/controls.tsx'
import { lazyPart } from '../../shared/frame/ErrorBoundary.tsx'
import { useAccount } from '../../shared/frame/KitProvider.tsx'
import { lazyWithPreload } from '../../shared/frame/lazyWithPreload.tsx'
import { AddressHeader } from '../../shared/lookup/AddressHeader.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { AnswerBoundary } from '../../shared/lookup/AnswerBoundary.tsx'
import { AsOfBlock } from '../../shared/lookup/AsOfBlock.tsx'
import { TxLink } from '../../shared/lookup/BindProof.tsx'
import { Figure, Figures } from '../../shared/lookup/Figure.tsx'
import { InPeriods } from '../../shared/lookup/InPeriods.tsx'
import { useLevels } from '../../shared/lookup/levels.ts'
import { useMember } from '../../shared/lookup/queries.ts'
import { Columns, Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { Between, Time } from '../../shared/lookup/Time.tsx'
import { usePeriod } from '../../shared/period/queries.ts'
import { DirectsLists } from './DirectsLists.tsx'
import { TeamGrowth } from './TeamGrowth.tsx'
import { UplineStrip } from './UplineStrip.tsx'

const Ranks = lazyWithPreload(() => import('../../shared/lookup/Ranks.tsx'))
const TeamCompare = lazyPart(() => import('./TeamCompare.tsx'))
const BindToReferrer = lazyPart(() => import('./BindToReferrer.tsx'))

/** Shows a member: identity, key figures, upline, growth and direct referrals. */
export default function MemberView({ address, community }: { address: Address; community: Community }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { data: config } = useConfig()
  const account = useAccount()
  const period = usePeriod()
  const query = useMember(community.id, address)
  return (
    <Answer query={query} skeleton={<Skeleton />}>
      {(member) => (
        <>
          <AddressHeader address={member.address} summary={`${t('member.team')} ${format.count(member.team)}`}>
            <Position member={member} />
          </AddressHeader>
          <MemberFigures member={member} community={community} />
          <UplineStrip member={member} />
          <AsOfBlock asOf={member.asOf} past="open" />
          {period && <TeamCompare member={member} community={community} days={period} />}
          {account && config?.demo?.contract && (
            <BindToReferrer contract={config.demo.contract} referrer={member} community={community} />
          )}
          <AnswerBoundary skeleton={<Skeleton rows={10} />}>
            <Columns>
              <LegsBar member={member} community={community} />
              <Ranks address={member.address} kind={member.referrer ? 'referred' : 'root'} />
            </Columns>
            <TeamGrowth member={member} community={community} />
            {member.team > 0 && (
              <>
                <Columns>
                  <LevelsChart member={member} community={community} />
                  <DirectsLists address={address} community={community} directs={member.directs} team={member.team} />
                </Columns>
                <InPeriods community={community} top={member.address} now={member.asOf.timestamp} />
              </>
            )}
          </AnswerBoundary>
        </>
      )}
    </Answer>
  )
}

/** Shows the level of a member and the day it joined; a press shows the second and the block. */
function Position({ member }: { member: Member }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { status, depth, joinedAt, between, block, tx } = member
  if (status === 'placeholder') return <span className="attention">{t('member.placeholder')}</span>
  const level = t(depth === 0 ? 'member.root' : 'member.depth', { count: depth })
  if (joinedAt === null && !between && block === null) return <span>{level}</span>
  return (
    <details>
      <summary>
        <span>{level}</span>
        {joinedAt !== null && <span>{` · ${t('member.joined', { day: format.day(joinedAt) })}`}</span>}
        {between && <span>{' · '}</span>}
        <Between of={member} />
      </summary>
      {joinedAt !== null && <Time seconds={joinedAt} form="moment" />}
      {block !== null && (
        <>
          <span>{' · '}</span>
          <TxLink tx={tx}>
            <span>{t('member.block', { block: format.count(block) })}</span>
          </TxLink>
        </>
      )}
    </details>
  )
}

function MemberFigures({ member, community }: { member: Member; community: Community }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { volume, reward } = community.tokens
  const figureOf = (amount: string, token: Token) => ({
    value: format.amount(amount, token),
    unit: token.symbol,
    exact: format.amountWithUnit(amount, token, 'exact'),
  })
  return (
    <Section title={t('member.figures')} titled="aloud">
      <Figures>
        <Figure label={t('member.directs')} value={format.big(member.directs)} exact={format.count(member.directs)} />
        <Figure label={t('member.team')} value={format.big(member.team)} exact={format.count(member.team)} />
        <Figure label={t('member.levels')} value={format.count(member.maxLevel)} />
        {volume && (
          <>
            <Figure label={t('member.ownVolume')} {...figureOf(member.ownVolume, volume)} />
            <Figure label={t('member.teamVolume')} {...figureOf(member.teamVolume, volume)} />
          </>
        )}
        {reward && <Figure label={t('metrics.rewards')} {...figureOf(member.rewards, reward)} />}
      </Figures>
    </Section>
  )
}

/** Shows a team's volume split into the largest leg and the other legs. */
function LegsBar({ member, community }: { member: Member; community: Community }) {
  const { t } = useTranslation()
  const { t: own } = useLazyTranslation('period')
  const format = useFormat()
  const token = community.tokens.volume
  if (!token || member.teamVolume === '0') return null
  const legs = [
    ['largestLeg', member.largestLeg],
    ['otherLegs', member.otherLegs],
  ] as const
  // The largest leg may be smaller than all others together, which reads like a mistake.
  const isClose = shareOf(member.largestLeg, member.teamVolume) < 0.55
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
              <span>{`${format.amount(value, token)} `}</span>
              <small>{token.symbol}</small>
            </dd>
            <dd className="share">{format.share(value, member.teamVolume)}</dd>
          </div>
        ))}
      </List>
      {isClose && <Explanation>{own('legs.explanation')}</Explanation>}
    </Section>
  )
}

const Bar = styled('div')(({ theme }) => ({
  position: 'relative',
  height: 14,
  background: `color-mix(in srgb, ${theme.vars?.palette.text.primary} 20%, transparent)`,
  printColorAdjust: 'exact',
  '& i': {
    display: 'block',
    height: '100%',
    boxSizing: 'border-box',
    borderRight: `2px solid ${theme.vars?.palette.background.default}`,
    background: `color-mix(in srgb, ${theme.vars?.palette.text.primary} 82%, transparent)`,
  },
  '@media (forced-colors: active)': { border: '1px solid CanvasText' },
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

const Explanation = styled(Quiet)({ marginTop: 10, fontSize: '0.8125rem' })

/** Charts the members of a team by level. */
function LevelsChart({ member: { address, maxLevel }, community }: { member: Member; community: Community }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { query, items, more } = useLevels(community.id, address)
  const token = community.tokens.volume
  return (
    <Section title={t('levels.title')}>
      <Answer query={query} skeleton={<Skeleton rows={6} />}>
        {({ asOf }) => (
          <BarTable
            caption={t('levels.title')}
            source={{ asOf, address }}
            count={maxLevel}
            more={more}
            columns={{
              label: t('levels.level'),
              value: t('levels.members'),
              ...(token && { note: `${t('metrics.volume')} (${token.symbol})` }),
            }}
            bars={items.map(({ level, count, volume }) => ({
              key: String(level),
              label: t('level', { level }),
              value: count,
              text: format.count(count),
              ...(token && volume !== undefined && { note: format.amount(volume, token) }),
            }))}
          />
        )}
      </Answer>
    </Section>
  )
}
